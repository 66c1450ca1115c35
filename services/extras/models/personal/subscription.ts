import { datetime, imported, model, ref, typeIdOf } from '@cadastre/model';
import { ABOUT, aboutObject, needsFeature, textOfObject } from '../aboutObject.ts';

/** A user who is notified when an object changes. */
export const subscription = model('extras.subscription', {
  path: 'subscriptions',
  exempt: 'byName',
  label: 'subscription',
  displayPath: false,
  pages: false,
  ordering: ['-created', 'user'],
  brief: ['object_type', 'object_id', 'user'],
  display: textOfObject,
  about: ABOUT,
  fields: {
    ...aboutObject('object'),
    user: ref('users.user', { onDelete: 'cascade' }),
    created: imported(datetime({ readOnly: true, default: 'now' })),
  },
  filters: { object_type_id: typeIdOf('object_type') },
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],
  rules: [needsFeature('notifications', (type) => `Objects of this type (${type}) do not support notifications.`)],
});
