import type { Cell } from '@cadastre/model';
import type { AskedList } from './asked.ts';
import { totals } from './totals.ts';

/** From this offset on it is worth finding out first from which end of the list its page is nearer. */
const FAR = 1000;

/** The rows of a list's page: counted from whichever end is nearer, along the order, or as the database finds them. */
export async function pageRows(asked: AskedList, selected: string): Promise<Cell[][]> {
  const { plan, run, invalidated } = asked;
  const { page } = asked.query;
  if (page.mode === 'offset' && page.offset >= FAR && plan.fromEnd) {
    await invalidated;
    const total = totals(asked)?.known();
    if (total !== undefined && page.offset > total / 2) return (await run(plan.fromEnd(selected, total))).toReversed();
  }
  const along =
    page.mode === 'offset' && page.offset < FAR ? await pageAlongOrder(asked, selected, page.limit) : undefined;
  if (along) {
    await invalidated;
    return along;
  }
  return (await Promise.all([run(plan.page(selected)), invalidated]))[0];
}

/** Where fewer objects match than this, sorting them costs less than going along the order. */
const MANY = 1_000;
/** Among how many objects a page is looked for along the order, one after the other. */
const ALONG = [4_096, 16_384];

/**
 * A page of a list that many objects match, found along the order; undefined where it would not be, or was not, among
 * those that come first. That is remembered like the total by which it was tried.
 */
async function pageAlongOrder(asked: AskedList, selected: string, limit: number): Promise<Cell[][] | undefined> {
  const { engine, model, plan, run } = asked;
  if (!plan.along || (totals(asked)?.known() ?? 0) < MANY) return undefined;
  const region = engine.cache.region<{ most: number | undefined }>(
    `along ${model.name} ${plan.types.join()}`,
    plan.types,
  );
  const key = `${plan.countName()} ${limit}`;
  const known = region.get(key);
  const most = known ? known.most : ALONG[0];
  if (!most) return undefined;
  const rows = await run(plan.along(selected, most));
  if (rows.length === limit) return rows;
  await region.fill(async () => new Map([[key, { most: ALONG[ALONG.indexOf(most) + 1] }]]));
  return undefined;
}
