import { randomUUID } from 'node:crypto';
import {
  choice,
  choices,
  compared,
  datetime,
  generic,
  imported,
  integer,
  json,
  model,
  objectType,
  type Rule,
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

/**
 * Gives an imported record the label of its type: the one that is used here, or the type itself where it is not known
 * here.
 */
const isNamed: Rule = (object, { labelOf }) => {
  object['changed_object_label'] = labelOf(String(object['changed_object_type'])) ?? object['changed_object_type']!;
  return undefined;
};

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
    time: imported(datetime({ readOnly: true, filter: false })),
    user: imported(ref('users.user', { optional: true, readOnly: true, onDelete: 'setNull' })),
    user_name: imported(text({ max: 150, readOnly: true })),
    request_id: imported(uuid({ readOnly: true })),
    action: imported(choice(changeActions, { readOnly: true, one: true })),
    changed_object_type: imported(objectType({ readOnly: true })),
    changed_object_id: integer({ size: 'bigint', min: 0 }),
    changed_object: generic('changed_object_type', 'changed_object_id'),
    object_repr: imported(text({ max: 200, readOnly: true })),
    message: imported(text({ max: 200, optional: true, readOnly: true, filter: false })),
    prechange_data: imported(json({ readOnly: true })),
    postchange_data: imported(json({ readOnly: true })),
    related_object_type: imported(objectType({ hidden: true, optional: true })),
    related_object_id: imported(integer({ hidden: true, optional: true, size: 'bigint', min: 0 })),
    changed_object_label: text({ hidden: true, filter: false, max: 150 }),
    // The event that the record was made from: it is stored once, however often it arrives.
    event_id: {
      ...uuid({ hidden: true, filter: false }),
      column: { type: 'uuid', nullable: false, unique: true },
      default: () => randomUUID(),
    },
  },
  filters: {
    changed_object_type_id: typeIdOf('changed_object_type'),
    time_after: compared('time', 'instant', 'gte'),
    time_before: compared('time', 'instant', 'lte'),
  },
  pages: {
    title: 'time',
    columns: ['time', 'user_name', 'action', 'changed_object_type', 'changed_object', 'message'],
  },
  rules: [isNamed],
  indexes: [['related_object_type', 'related_object_id'], ['request_id'], ['user']],
});
