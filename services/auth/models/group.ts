import { count, description, model, path, refs, text } from '@cadastre/model';
import { carriesWithinOwnRights } from './rights/delegationRules.ts';
import { recordRightsChanges } from './rights/recordRightsChanges.ts';

/** Users who may do the same. */
export const group = model('users.group', {
  path: 'groups',
  exempt: 'byName',
  confirms: true,
  label: 'group',
  forms: { many: false },
  ordering: ['name'],
  features: ['changeLogging'],
  brief: ['name', 'description'],
  nested: ['name'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 150, unique: true, natural: true }),
    ...description(),
    permissions: refs('users.objectpermission', { column: 'object_permissions' }),
    user_count: count('users.user', 'groups'),
  },
  filters: {
    user_id: path('<users.user.groups'),
    owner_id: path('<users.owner.user_groups'),
    owner: path('<users.owner.user_groups', 'name'),
    notification_group_id: path('<extras.notificationgroup.groups'),
  },
  effects: [
    carriesWithinOwnRights,
    recordRightsChanges('users.group', { rights_changed: ['name', 'permissions'] }, ({ name }) => String(name)),
  ],
});
