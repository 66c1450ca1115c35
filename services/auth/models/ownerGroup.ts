import { count, description, model, text } from '@cadastre/model';

/** Owners that belong together. */
export const ownerGroup = model('users.ownergroup', {
  path: 'owner-groups',
  label: 'owner group',
  forms: { many: false },
  ordering: ['name'],
  features: ['eventRules', 'bookmarks', 'notifications', 'exportTemplates', 'customLinks', 'cloning'],
  brief: ['name', 'description'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    ...description(),
    member_count: count('users.owner', 'group'),
  },
});
