import { description, json, model, owner, primary, comments, tags, text, timestamps } from '@cadastre/model';
import { isJsonSchema } from '../jsonSchema.ts';
import { syncedData } from './syncedData.ts';

/** What config contexts of a kind hold: a JSON schema that their data fits. */
export const configContextProfile = model('extras.configcontextprofile', {
  path: 'config-context-profiles',
  pages: { columns: ['data_synced', 'description'], groups: { Attributes: ['schema'] } },
  label: 'config context profile',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'description'],
  search: ['name', 'description', 'comments'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    ...description(),
    schema: json({ optional: true }),
    tags: tags(),
    ...owner(),
    ...comments(),
    ...syncedData(),
    ...timestamps(),
  },
  rules: [isJsonSchema('schema')],
});
