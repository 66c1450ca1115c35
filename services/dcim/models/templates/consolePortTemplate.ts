import { choice } from '@cadastre/model';
import { consolePortType } from '../choices/ports/consolePortType.ts';
import { componentTemplate } from '../groups/componentTemplate.ts';

export const consolePortTemplate = componentTemplate('dcim.consoleporttemplate', {
  path: 'console-port-templates',
  label: 'console port template',
  fields: { type: choice(consolePortType, { optional: true, nullable: true, one: true }) },
});
