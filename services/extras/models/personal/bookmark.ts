import { datetime, imported, model, ref, typeIdOf } from '@cadastre/model';
import { ABOUT, aboutObject, needsFeature, textOfObject } from '../aboutObject.ts';

/** An object that a user wants to find again. */
export const bookmark = model('extras.bookmark', {
  path: 'bookmarks',
  exempt: 'byName',
  label: 'bookmark',
  displayPath: false,
  pages: false,
  ordering: ['created'],
  brief: ['object_id', 'object_type'],
  display: textOfObject,
  about: ABOUT,
  fields: {
    ...aboutObject('object'),
    user: ref('users.user', { onDelete: 'cascade' }),
    created: imported(datetime({ readOnly: true, default: 'now' })),
  },
  filters: { object_type_id: typeIdOf('object_type', { ordered: true }) },
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],
  rules: [needsFeature('bookmarks', (type) => `Bookmarks cannot be assigned to this object type (${type}).`)],
});
