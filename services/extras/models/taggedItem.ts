import { generic, integer, method, model, objectType, ref, typeIdOf } from '@cadastre/model';

/** That an object, of any service, carries a tag. Filled from the change events of all services. */
export const taggedItem = model('extras.taggeditem', {
  path: 'tagged-objects', label: 'tagged item', displayPath: false, ordering: ['id'], readOnly: true, fromEvents: true, brief: ['object_type', 'object_id', 'object', 'tag'],
  display: { columns: [], related: ['object', 'tag'], text: (_, [object, tag]) => `${object ?? ''} tagged with ${tag ?? ''}` },
  fields: {
    object_type: objectType({ readOnly: true }),
    object_id: integer({ size: 'bigint', readOnly: true, min: 0 }),
    object: generic('object_type', 'object_id'),
    tag: ref('extras.tag', { readOnly: true, onDelete: 'cascade' }),
  },
  filters: {
    object_type_id: typeIdOf('object_type'),
    q: method('text', ({ table, bind, tableOf }, [words]) => {
      const text = bind(words);
      return `${table}.tag_id in (select g.id from ${tableOf('extras.tag')} g where position(lower(${text}::text) in lower(g.name)) > 0 or position(lower(${text}::text) in g.slug) > 0)`;
    }),
  },
  unique: [{ fields: ['object_type', 'object_id', 'tag'] }],
});
