import { boolean, helped, text } from '@cadastre/model';
import { componentTemplate, TOKENS } from '../groups/componentTemplate.ts';

export const moduleBayTemplate = componentTemplate('dcim.modulebaytemplate', {
  path: 'module-bay-templates',
  label: 'module bay template',
  brief: ['name', 'enabled', 'description'],
  fields: { position: helped(TOKENS, text({ max: 30, optional: true })), enabled: boolean({ default: true }) },
});
