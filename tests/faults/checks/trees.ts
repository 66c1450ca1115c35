import { isDeepStrictEqual } from 'node:util';
import { type Complaint, type Row, rowsOf, type World } from './world.ts';

/** The stored path from the root of every object of a tree is the one that its parents define. */
export function checkTrees(world: World): Complaint[] {
  const complaints: Complaint[] = [];
  for (const model of world.catalogue.models.values()) {
    if (!model.tree) continue;
    const rows = rowsOf(world, model.name);
    const label = 'name' in model.fields ? 'name' : 'id';
    for (const row of rows.values()) {
      const way = wayTo(rows, row);
      if (!way) {
        complaints.push(`${model.name} ${row.id} lies below itself`);
        continue;
      }
      const path = way.map(({ id }) => id);
      const names = way.map((one) => String(one[label]));
      if (!isDeepStrictEqual(row['_path'], path))
        complaints.push(
          `${model.name} ${row.id} has the path ${JSON.stringify(row['_path'])} instead of ${JSON.stringify(path)}`,
        );
      if (!isDeepStrictEqual(row['_sort'], names))
        complaints.push(
          `${model.name} ${row.id} is sorted as ${JSON.stringify(row['_sort'])} instead of ${JSON.stringify(names)}`,
        );
    }
  }
  return complaints;
}

/** The path from the root down to a row; undefined when the parents form a cycle. */
function wayTo(rows: ReadonlyMap<number, Row>, row: Row): Row[] | undefined {
  const way: Row[] = [];
  for (let at: Row | undefined = row; at; at = rows.get(Number(at['parent_id']))) {
    if (way.includes(at)) return undefined;
    way.unshift(at);
  }
  return way;
}
