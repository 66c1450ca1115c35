import { type Dict, isDict } from '@cadastre/model';
import { SNAPSHOTS, TIMES, TREE_COLUMNS } from './differences.ts';
import type { Layout } from './layout.ts';
import { tableOf } from './places.ts';

/**
 * Removes from the snapshots in objects of a type what NetBox's API does not show either: internal members
 * (`_abs_length`), and, for types with such columns, the times of changes and the order of trees. A missing snapshot
 * becomes an empty one.
 */
export function snapshotsIn(type: string, { tables }: Pick<Layout, 'tables'>): (row: Dict) => Dict {
  const held = SNAPSHOTS[type];
  if (!held) return (row) => row;
  const dropped = new Map<string, ReadonlySet<string>>();
  const droppedOf = (of: string): ReadonlySet<string> => {
    let known = dropped.get(of);
    if (!known) dropped.set(of, (known = sayingNothing(tables.get(tableOf(of)))));
    return known;
  };
  return (row) => {
    const names = droppedOf(String(row[held.type]));
    for (const field of held.fields) row[field] = without(row[field], names);
    return row;
  };
}

const sayingNothing = (columns: ReadonlyMap<string, string> | undefined): ReadonlySet<string> =>
  new Set([TIMES, TREE_COLUMNS].filter((all) => all.every((name) => columns?.has(name))).flat());

const without = (data: Dict[string] | undefined, names: ReadonlySet<string>): Dict =>
  isDict(data)
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !name.startsWith('_') && !names.has(name)))
    : {};
