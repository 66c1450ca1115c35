import { choice, datetime, type Effect, imported, model, ref, text, typeIdOf } from '@cadastre/model';
import { eventTypes } from '../../../webhooks/models/eventRuleChoices.ts';
import { ABOUT, aboutObject, needsFeature } from '../aboutObject.ts';

/** A notification outlives its object, so it keeps the name of that. */
const remembersName: Effect = async (changes, { derive, displayOf }) => {
  const made = changes.flatMap(({ action, after }) => (action === 'created' && after ? [after] : []));
  const named = await Promise.all(
    made.map(async ({ id, object_type: type, object_id: object }) => ({
      id: id!,
      object_repr: (await displayOf(String(type), Number(object))).slice(0, 200),
    })),
  );
  await derive('extras.notification', named);
};

/**
 * Nobody subscribes to these types: their notifications come as notices of other services, which say more than a name.
 */
const NOTICES: ReadonlySet<string> = new Set(['users.user', 'users.token']);

/** The latest change of an object, as a notification for one user. */
export const notification = model('extras.notification', {
  path: 'notifications',
  exempt: 'byName',
  label: 'notification',
  displayPath: false,
  pages: false,
  ordering: ['-created'],
  brief: ['object_type', 'object_id', 'user', 'read', 'event_type'],
  display: {
    columns: ['object_repr', 'object_type'],
    related: ['object'],
    text: ([said, type], [object]) => (NOTICES.has(type ?? '') && said ? said : (object ?? said ?? '')),
  },
  about: ABOUT,
  fields: {
    ...aboutObject('object', { outlives: true }),
    user: ref('users.user', { onDelete: 'cascade' }),
    created: imported(datetime({ readOnly: true, default: 'now' })),
    read: datetime({ optional: true }),
    event_type: choice(eventTypes, { plain: true }),
    object_repr: text({ max: 200, hidden: true, filter: false }),
  },
  filters: { object_type_id: typeIdOf('object_type') },
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],
  rules: [needsFeature('notifications', (type) => `Objects of this type (${type}) do not support notifications.`)],
  effects: [remembersName],
});
