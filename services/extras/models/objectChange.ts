import {
  choice,
  choices,
  compared,
  datetime,
  generic,
  integer,
  json,
  model,
  objectType,
  ref,
  text,
  typeIdOf,
  uuid,
} from '@cadastre/model';

export const changeActions = choices([
  ['create', 'Created'],
  ['update', 'Updated'],
  ['delete', 'Deleted'],
]);

const PAST: Record<string, string> = { create: 'created', update: 'updated', delete: 'deleted' };

/** One change of one object. Filled from the change events of all services. */
export const objectChange = model('core.objectchange', {
  path: 'object-changes',
  exempt: 'byName',
  label: 'object change',
  displayPath: 'core/changelog',
  ordering: ['-time'],
  readOnly: true,
  fromEvents: true,
  brief: [],
  search: ['user_name', 'object_repr', 'message'],
  display: {
    columns: ['changed_object_label', 'object_repr', 'action', 'user_name', 'changed_object_id'],
    text: ([label, repr, action, user, id]) => `${label} ${repr || id} ${PAST[action ?? ''] ?? action} by ${user}`,
  },
  about: {
    type: 'changed_object_type',
    id: 'changed_object_id',
    tells: ['object_repr', 'message', 'prechange_data', 'postchange_data'],
  },
  fields: {
    time: datetime({ readOnly: true, filter: false }),
    user: ref('users.user', { optional: true, readOnly: true, onDelete: 'setNull' }),
    user_name: text({ max: 150, readOnly: true }),
    request_id: uuid({ readOnly: true }),
    action: choice(changeActions, { readOnly: true, one: true }),
    changed_object_type: objectType({ readOnly: true }),
    changed_object_id: integer({ size: 'bigint', min: 0 }),
    changed_object: generic('changed_object_type', 'changed_object_id'),
    object_repr: text({ max: 200, readOnly: true }),
    message: text({ max: 200, readOnly: true, filter: false }),
    prechange_data: json({ readOnly: true }),
    postchange_data: json({ readOnly: true }),
    related_object_type: objectType({ hidden: true, optional: true }),
    related_object_id: integer({ hidden: true, optional: true, size: 'bigint', min: 0 }),
    changed_object_label: text({ hidden: true, filter: false, max: 150 }),
    // The event that the record was made from: it is stored once, however often it arrives.
    event_id: { ...uuid({ hidden: true, filter: false }), column: { type: 'uuid', nullable: false, unique: true } },
  },
  filters: {
    changed_object_type_id: typeIdOf('changed_object_type'),
    time_after: compared('time', 'instant', 'gte'),
    time_before: compared('time', 'instant', 'lte'),
  },
  indexes: [['related_object_type', 'related_object_id'], ['request_id'], ['user']],
});
