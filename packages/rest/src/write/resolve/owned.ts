import { type Model, type Owned, viewOf } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import type { Requester } from '../../core/requester.ts';
import type { Executor } from '../../db/sql.ts';
import { resolveGenerics } from './generics.ts';
import { hasErrors, type Item } from '../context/item.ts';
import { type Prefetched, resolveReferences } from './references.ts';

/**
 * Resolves what the rows of lists refer to. The rows become values of their items, messages stand at the row that is
 * wrong.
 */
export async function resolveRows(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  who: Requester,
  executor: Executor,
  known?: Prefetched,
): Promise<void> {
  for (const [name, { owned }] of Object.entries(model.fields)) {
    const given = owned ? items.filter((item) => item.rows.has(name)) : [];
    if (!owned || !given.length) continue;
    const rows = given.flatMap((item) => item.rows.get(name)!);
    await resolveReferences(engine, viewOf(owned), rows, who, executor, known);
    await resolveGenerics(
      engine,
      viewOf(owned),
      rows.map((item) => ({ item, object: item.values })),
      who,
      executor,
      known,
    );
    for (const item of given) {
      const own = item.rows.get(name)!;
      if (own.some(hasErrors)) item.errors[name] = own.map((row) => onWire(owned, row));
      else item.values[name] = own.map((row) => row.values);
    }
  }
}

/** Messages of a row by the names of the wire. */
function onWire({ members }: Owned, { errors }: Item): Record<string, unknown> {
  const nameOf = new Map(Object.entries(members).map(([name, of]) => [of, name]));
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [nameOf.get(field) ?? field, messages]));
}
