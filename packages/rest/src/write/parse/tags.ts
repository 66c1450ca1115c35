import { arrayItems, isDict, type Json, type Model, type Values } from '@cadastre/model';
import { type Executor, idsIn, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { replacesAndChangesTags } from './parse.ts';
import type { Item } from '../context/item.ts';

/** How many tags a message names. */
const MAX_NAMED = 20;

/** Puts `add_tags` on an object and takes `remove_tags` off. Messages go into the item. */
export function mergeTags(item: Item, object: Values): void {
  if (replacesAndChangesTags(item)) {
    item.errors['tags'] ??= ['Cannot specify "tags" together with "add_tags" or "remove_tags".'];
    return;
  }
  const ids = (refs: Item['addTags']) => refs.flatMap((r) => ('id' in r ? [r.id] : []));
  const add = ids(item.addTags);
  const remove = ids(item.removeTags);
  const removed = new Set(remove);
  const both = add.filter((id) => removed.has(id));
  if (both.length) {
    item.errors['remove_tags'] = [
      `Tags may not be present in both "add_tags" and "remove_tags": ${both
        .slice(0, MAX_NAMED)
        .map((id) => tagNamed(item, id))
        .join(', ')}`,
    ];
    return;
  }
  const now = (object['tags'] ?? []) as number[];
  if (add.length || remove.length) object['tags'] = [...new Set([...now.filter((id) => !removed.has(id)), ...add])];
}

/** The tag as the client named it. */
function tagNamed(item: Item, id: number): string {
  const given = (item.given['add_tags'] as Json[])[item.addTags.findIndex((r) => 'id' in r && r.id === id)];
  const named = isDict(given) ? (given['name'] ?? given['slug']) : undefined;
  return String(named ?? id);
}

/**
 * Some tags are for some types of objects only. Looks at those that are new on their object; messages go into the
 * items.
 */
export async function checkTags(
  tables: Tables,
  model: Model,
  drafts: { item: Item; object: Values; before: Values | null }[],
  executor: Executor,
): Promise<void> {
  const added = drafts.map(({ object, before }) => {
    const known = new Set((before?.['tags'] ?? []) as number[]);
    return ((object['tags'] ?? []) as number[]).filter((id) => !known.has(id));
  });
  const ids = [...new Set(added.flat())];
  if (!ids.length || !tables.has('extras.tag')) return;
  const rows = await rowsOf(executor, {
    text: `select id, name, object_types from ${tables.nameOf('extras.tag')} where id = ${idsIn('$1')} and cardinality(object_types) > 0`,
    values: [ids],
  });
  const unfit = new Map(
    rows.filter(([, , types]) => !arrayItems(types!).includes(model.name)).map(([id, name]) => [Number(id), name!]),
  );
  if (!unfit.size) return;
  for (const [i, { item }] of drafts.entries()) {
    const names = added[i]!.flatMap((id) => unfit.get(id) ?? []);
    if (names.length)
      item.errors[item.addTags.length ? 'add_tags' : 'tags'] = names
        .slice(0, MAX_NAMED)
        .map((name) => `Tag ${name} cannot be assigned to ${model.label} objects.`);
  }
}
