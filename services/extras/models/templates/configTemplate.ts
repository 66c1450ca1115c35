import { boolean, description, type Feature, model, owner, tags, text, timestamps } from '@cadastre/model';
import { syncedData } from './syncedData.ts';
import { templateFields } from './templateFields.ts';

const features: Feature[] = ['tags', 'changeLogging', 'eventRules', 'exportTemplates', 'customLinks', 'timestamps'];

/** A template for the configuration of a device. */
export const configTemplate = model('extras.configtemplate', {
  path: 'config-templates',
  pages: {
    columns: ['mime_type', 'file_name', 'data_synced', 'description'],
    groups: {
      Template: ['template_code', 'environment_params', 'debug'],
      File: ['mime_type', 'file_name', 'file_extension', 'as_attachment'],
    },
  },
  label: 'config template',
  ordering: ['name'],
  features,
  brief: ['name', 'description'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, natural: true }),
    ...description(),
    ...templateFields(),
    debug: boolean(),
    ...syncedData({ showsAutoSync: true }),
    ...owner(),
    tags: tags(),
    ...timestamps(),
  },
});
