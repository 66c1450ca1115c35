import {
  administrative,
  column,
  description,
  model,
  objectTypes,
  owner,
  text,
  timestamps,
  typeIdOf,
} from '@cadastre/model';
import { syncedData } from './syncedData.ts';
import { templateFields } from './templateFields.ts';
import { typesWith } from '../typesWith.ts';

/** Renders a list of objects as a file of any format. */
export const exportTemplate = model('extras.exporttemplate', {
  path: 'export-templates',
  pages: {
    columns: ['object_types', 'mime_type', 'file_name', 'file_extension', 'as_attachment', 'description'],
    groups: {
      Template: ['template_code', 'environment_params'],
      File: ['mime_type', 'file_name', 'file_extension', 'as_attachment'],
    },
  },
  label: 'export template',
  ordering: ['name'],
  features: administrative,
  brief: ['name', 'description'],
  search: ['name', 'description', 'file_name'],
  fields: {
    object_types: objectTypes({ filter: false, allowEmpty: false }),
    name: text({ max: 100, natural: true }),
    ...description(),
    ...templateFields(),
    ...syncedData({ fileIsReadOnly: true }),
    ...owner(),
    ...timestamps(),
  },
  filters: { object_type_id: typeIdOf('object_types'), object_type: column('object_types', 'objectTypes') },
  rules: [typesWith('exportTemplates')],
});
