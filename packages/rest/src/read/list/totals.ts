import type { AskedList } from './asked.ts';

/** How many objects match: remembered until an object changes whose type the conditions look at. */
export async function totalOf(asked: AskedList): Promise<number | null> {
  const total = totals(asked);
  return total ? (total.known() ?? total.load()) : null;
}

/** The total of a list, remembered (`known`) or counted (`load`). Undefined where the page needs no total. */
export function totals({
  engine,
  model,
  plan,
  run,
}: AskedList): { known(): number | undefined; load(): Promise<number> } | undefined {
  const { count, countName, types } = plan;
  if (!count) return undefined;
  const region = engine.cache.region<{ total: number }>(`totals ${model.name} ${types.join()}`, types);
  const key = countName();
  return {
    known: () => region.get(key)?.total,
    load: async () =>
      (await region.fill(async () => new Map([[key, { total: Number((await run(count))[0]![0]) }]]))).get(key)!.total,
  };
}
