import type { Cell } from '@cadastre/model';
import { selectList } from '../../db/select.ts';
import { loadRelated } from '../../serialize/related/related.ts';
import { MARKS } from '../../serialize/rowTextCache.ts';
import { cachedRowTexts } from '../cachedRowTexts.ts';
import type { AskedList } from './asked.ts';
import { totals } from './totals.ts';

/** What a page shows. */
export interface Page {
  /** JSON texts of its objects, with commas between. */
  text: string | Buffer;
  /** Id of the last one. */
  last: string | undefined;
  /** Whether there was one more than it may show. */
  more: boolean;
}

/**
 * A page of which all objects are remembered: the database is asked only which they are, and in which state, and for
 * nothing where that is remembered too. Undefined for any other page.
 */
export async function cachedPage(asked: AskedList): Promise<Page | undefined> {
  const { plan, invalidated } = asked;
  const texts = textsOf(asked);
  const name = texts && plan.pageName();
  const most = mostOf(asked);
  if (!texts || name === undefined || !texts.probablyHas(name, most)) return undefined;
  // What is remembered before the poll is probably still valid after it, so only the poll is awaited.
  if (texts.rows(name)) await invalidated;
  const since = texts.versionOf(plan.pageTypes);
  const rows = texts.rows(name) ?? (await pageRows(asked, MARKS));
  const text = texts.page(name, rows, most, since);
  return text === undefined ? undefined : pageOf(rows, most, text);
}

/** A page whose objects are read, with what they show of others; what is remembered of it then counts from now on. */
export async function loadedPage(asked: AskedList): Promise<Page> {
  const { engine, model, plan, who, base } = asked;
  const { writer } = plan;
  const texts = textsOf(asked);
  const keep = texts?.begin();
  const since = texts?.versionOf(plan.pageTypes);
  const columns = selectList(engine.tables, model, writer.columns);
  const rows = await pageRows(asked, texts ? `${columns}, t.xmin` : columns);
  const readContext = await engine.readContext(engine.pool, who);
  const related = (await loadRelated(readContext, model, writer, rows))(base);
  const most = mostOf(asked);
  const marks = since ? rows.map((cells) => [cells[0]!, cells[writer.columns.length]!]) : [];
  const shown = rows.slice(0, most).map((cells) => ({
    id: cells[0]!,
    mark: cells[writer.columns.length]!,
    text: writer.print(cells, related),
  }));
  if (since && !readContext.uncacheable?.seen)
    keep?.(readContext.definitions, shown, { name: plan.pageName(), rows: marks, since });
  return pageOf(rows, most, shown.map(({ text }) => text).join(','));
}

const textsOf = ({ engine, model, who, plan, base }: AskedList) =>
  cachedRowTexts(engine, model, who, plan.writer, base);

/** How many objects a page shows; in cursor mode one more is read, which tells whether there is a next page. */
const mostOf = ({ query: { page } }: AskedList): number =>
  page.mode === 'cursor' && page.limit ? page.limit : Infinity;

const pageOf = (rows: Cell[][], most: number, text: string | Buffer): Page => ({
  text,
  last: rows[Math.min(rows.length, most) - 1]?.[0] ?? undefined,
  more: rows.length > most,
});

/** From this offset on it is worth finding out first from which end of the list its page is nearer. */
const FAR = 1000;

/** The rows of a list's page: counted from whichever end is nearer, along the order, or as the database finds them. */
async function pageRows(asked: AskedList, selected: string): Promise<Cell[][]> {
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

/** If fewer objects match than this, sorting them costs less than going along the order. */
const MANY = 1_000;
/**
 * How many of the first objects in the order are searched for a page: first the smaller number, later the larger one.
 */
const ALONG = [4_096, 16_384];

/**
 * A page of a list that many objects match, found along the order; undefined where that is not worth trying, or where
 * too few of the first objects in the order match. The outcome is remembered as long as the total is.
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
