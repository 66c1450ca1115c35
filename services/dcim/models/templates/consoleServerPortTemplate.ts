import { choice } from '@cadastre/model';
import { consolePortType } from '../choices/ports/consolePortType.ts';
import { componentTemplate } from '../groups/componentTemplate.ts';

export const consoleServerPortTemplate = componentTemplate('dcim.consoleserverporttemplate', {
  path: 'console-server-port-templates',
  label: 'console server port template',
  fields: { type: choice(consolePortType, { optional: true, nullable: true, one: true }) },
});
