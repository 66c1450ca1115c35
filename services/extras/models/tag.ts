import {
  administrative,
  color,
  count,
  description,
  type Effect,
  integer,
  method,
  model,
  objectTypes,
  path,
  ref,
  slug,
  text,
  timestamps,
  typeId,
  typeIdOf,
  invalidating,
} from '@cadastre/model';
import { typesWith } from './typesWith.ts';

/** The list of tagged objects loses a deleted tag here; each service takes it off its own objects. */
const forgetItems: Effect = async (changes, { query, tableOf }) => {
  const gone = changes.flatMap(({ action, before }) => (action === 'deleted' ? [before!['id']!] : []));
  if (!gone.length) return;
  await query(
    `with gone as (delete from ${tableOf('extras.taggeditem')} where tag_id = any($1::bigint[]) returning id)
    ${invalidating(`select ${typeId('extras.taggeditem')}, id from gone`)}`,
    [gone],
  );
};

/** A word that people stick on objects. */
export const tag = model('extras.tag', {
  path: 'tags',
  pages: { columns: ['slug', 'color', 'tagged_items', 'description'] },
  imports: { called: 'slug', passed: ['owner'] },
  label: 'tag',
  ordering: ['weight', 'name'],
  features: administrative,
  brief: ['name', 'slug', 'color', 'description'],
  nested: ['name', 'slug', 'color'],
  search: ['name', 'slug', 'description'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    slug: slug({ unique: true }),
    color: color({ default: '9e9e9e' }),
    ...description(),
    weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 1000 }),
    object_types: objectTypes({ optional: true, filter: false }),
    // Objects of every type, of all services.
    tagged_items: count('*', 'tags'),
    ...timestamps(),
    owner: ref('users.owner', { optional: true, hidden: true }),
  },
  rules: [typesWith('tags')],
  effects: [forgetItems],
  filters: {
    object_types: typeIdOf('object_types'),
    owner_id: path('owner'),
    owner: path('owner', 'name'),
    content_type: method('text', ({ table, bind, typeId }, types) => isOn(table, bind(types.map(typeId))), true),
    content_type_id: method('number', ({ table, bind }, ids) => isOn(table, bind(ids)), true),
    // Tags that may be put on objects of a type: those for that type, and those for any.
    for_object_type_id: method(
      'number',
      ({ table, bind, typeById }, ids) => {
        const names = ids.flatMap((id) => typeById(Number(id)) ?? []);
        return `(${table}.object_types && ${bind(names)}::varchar[] or cardinality(${table}.object_types) = 0)`;
      },
      true,
    ),
  },
});

/** Whether an object of these types carries the tag. */
const isOn = (table: string, types: string): string =>
  `exists (select 1 from replica.any_object o where o.tags @> array[${table}.id] and o.type = any(${types}::bigint[]))`;
