import { choice, datetime, model, ref, typeIdOf } from '@cadastre/model';
import { eventTypes } from '../../webhooks/models/eventRuleChoices.ts';
import { aboutObject, needsFeature, textOfObject } from './aboutObject.ts';

/** What happened to an object, for one user to see: the latest of it. */
export const notification = model('extras.notification', {
  path: 'notifications', label: 'notification', displayPath: false, ordering: ['-created'], brief: ['object_type', 'object_id', 'user', 'read', 'event_type'], display: textOfObject,
  fields: {
    ...aboutObject('object'),
    user: ref('users.user', { onDelete: 'cascade' }),
    created: datetime({ readOnly: true, default: 'now' }),
    read: datetime({ optional: true }),
    event_type: choice(eventTypes, { plain: true }),
  },
  filters: { object_type_id: typeIdOf('object_type') },
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],
  rules: [needsFeature('notifications', (type) => `Objects of this type (${type}) do not support notifications.`)],
});
