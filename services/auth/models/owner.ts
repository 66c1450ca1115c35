import { description, model, ref, refs, text } from '@cadastre/model';

/** Who is responsible for records: some users, some groups of them. */
export const owner = model('users.owner', {
  path: 'owners',
  exempt: 'byName',
  label: 'owner',
  forms: { many: false },
  ordering: ['name'],
  features: ['eventRules', 'bookmarks', 'notifications', 'exportTemplates', 'customLinks', 'cloning'],
  brief: ['name', 'description'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    group: ref('users.ownergroup', { optional: true, mustBeGiven: true }),
    ...description(),
    user_groups: refs('users.group'),
    users: refs('users.user'),
  },
});
