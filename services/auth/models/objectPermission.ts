import {
  boolean,
  column,
  description,
  type Field,
  type Filter,
  json,
  type Json,
  list,
  method,
  model,
  objectTypes,
  path,
  referrers,
  type Rule,
  text,
  typeIdOf,
} from '@cadastre/model';
import { allowsWithinOwnRights } from './rights/delegationRules.ts';
import { recordRightsChanges } from './rights/recordRightsChanges.ts';

/** What the service that owns permissions provides under the name `constraints`. */
export interface Constraints {
  /**
   * What is wrong with constraints on objects of these types (a field that is not there, a lookup that it does not
   * have).
   */
  problems(objectTypes: string[], constraints: Json): string[];
}

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Constraints are conditions on an object, or a list of alternative conditions of which one must hold. */
export const constraintsMakeSense: Rule = ({ object_types, constraints }, { service }) => {
  if (constraints === null || constraints === undefined) return undefined;
  if (!isObject(constraints) && !(Array.isArray(constraints) && constraints.every(isObject)))
    return { constraints: ['Constraints must be an object of attributes and values, or a list of such objects.'] };
  const problems = service<Constraints>('constraints').problems(object_types as string[], constraints);
  return problems.length ? { constraints: problems } : undefined;
};

/** Names of actions: the four usual ones, and any others that a model defines. */
function actions(): Field {
  const name = text({ max: 30 });
  return list({
    element: 'varchar(30)',
    item: (value) => name.parse!(value, { knowsObjectType: () => false }),
    allowEmpty: false,
    offers: ['view', 'add', 'change', 'delete'],
    itemSchema: { type: 'string', maxLength: 30 },
    child: { type: 'string', required: true, read_only: false, label: 'Actions', max_length: 30 },
  });
}

const can = (action: string): Filter =>
  method('boolean', ({ table }, [truth]) => `('${action}' = any(${table}.actions)) is ${truth === 'true'}`);

/** That some users and groups may do some actions with objects of some types. */
export const objectPermission = model('users.objectpermission', {
  path: 'permissions',
  exempt: 'never',
  confirms: true,
  pages: {
    columns: ['enabled', 'object_types', 'actions', 'users', 'groups', 'description'],
    groups: { Assignment: ['users', 'groups'], Objects: ['object_types', 'actions', 'constraints'] },
  },
  label: 'permission',
  forms: {
    many: false,
    told: { constraints: { by: '/users/permissions/matching/', from: ['object_types', 'constraints'] } },
  },
  className: 'ObjectPermission',
  ordering: ['name'],
  features: ['changeLogging', 'cloning'],
  brief: ['name', 'description', 'enabled', 'object_types', 'actions'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, natural: true }),
    ...description(),
    enabled: boolean({ default: true }),
    object_types: objectTypes({ filter: false }),
    actions: actions(),
    constraints: json({ optional: true }),
    groups: referrers('users.group', 'permissions', { form: 'nested', writable: true }),
    users: referrers('users.user', 'permissions', { form: 'nested', writable: true }),
  },
  filters: {
    object_types: typeIdOf('object_types'),
    object_type_id: typeIdOf('object_types'),
    object_type: column('object_types', 'objectTypes'),
    can_view: can('view'),
    can_add: can('add'),
    can_change: can('change'),
    can_delete: can('delete'),
    user_id: path('<users.user.permissions'),
    user: path('<users.user.permissions', 'username'),
    group_id: path('<users.group.permissions'),
    group: path('<users.group.permissions', 'name'),
  },
  rules: [constraintsMakeSense],
  effects: [
    allowsWithinOwnRights,
    recordRightsChanges(
      'users.objectpermission',
      { rights_changed: ['enabled', 'object_types', 'actions', 'constraints', 'groups', 'users'] },
      ({ name }) => String(name),
    ),
  ],
});
