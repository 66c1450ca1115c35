import { boolean, text } from '@cadastre/model';
import { componentTemplate } from './groups/componentTemplate.ts';

export const moduleBayTemplate = componentTemplate('dcim.modulebaytemplate', {
  path: 'module-bay-templates',
  label: 'module bay template',
  brief: ['name', 'enabled', 'description'],
  fields: { position: text({ max: 30, optional: true }), enabled: boolean({ default: true }) },
});
