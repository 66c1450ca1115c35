import { columnName } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { wholeIndex } from '../../db/select.ts';
import type { Executor } from '../../db/sql.ts';
import type { TypedIds } from '../../core/typedIds.ts';
import { findRows, lockRows } from '../store/store.ts';
import { type Consequences, lossesOf, type Purpose } from './consequences.ts';

/**
 * An object changes when a part of it is deleted along with something else: a cable then leads nowhere at one end, a
 * port leads to no other. A request that deletes the parts themselves already writes the object.
 */
export async function followWholes(
  { tables, catalogue }: WriteEngine,
  out: Consequences,
  start: readonly TypedIds[],
  purpose: Purpose,
  executor: Executor,
): Promise<void> {
  const find = purpose === 'preview' ? findRows : lockRows;
  for (const { model: part, rows } of out.deleted) {
    if (start.some(({ type }) => type === part.name)) continue;
    for (const { model, field } of catalogue.wholesOf(part.name)) {
      const at = wholeIndex(part).get(columnName(field, part.fields[field]!))!;
      const going = out.deleted.find((d) => d.model === model)?.rows;
      const ids = [...new Set([...rows.values()].map((cells) => Number(cells[at])))].filter((id) => !going?.has(id));
      const found = ids.length ? await find(tables, model, 't.id = any($1::bigint[])', [ids], executor) : [];
      if (found.length) lossesOf(out, model, found);
    }
  }
}
