import { generic, integer, model, objectType, ref, typeIdOf } from '@cadastre/model';
import { ABOUT } from './aboutObject.ts';

/** A tag that an object of any service carries. Filled from the change events of all services. */
export const taggedItem = model('extras.taggeditem', {
  path: 'tagged-objects',
  label: 'tagged item',
  displayPath: false,
  pages: false,
  ordering: ['id'],
  search: ['tag.name', 'tag.slug', 'tag.description'],
  readOnly: true,
  fromEvents: true,
  brief: ['object_type', 'object_id', 'object', 'tag'],
  display: {
    columns: [],
    related: ['object', 'tag'],
    text: (_, [object, tag]) => `${object ?? ''} tagged with ${tag ?? ''}`,
  },
  about: ABOUT,
  fields: {
    object_type: objectType({ readOnly: true }),
    object_id: integer({ size: 'bigint', readOnly: true, min: 0 }),
    object: generic('object_type', 'object_id'),
    tag: ref('extras.tag', { readOnly: true, onDelete: 'cascade' }),
  },
  filters: {
    object_type_id: typeIdOf('object_type'),
  },
  unique: [{ fields: ['object_type', 'object_id', 'tag'] }],
});
