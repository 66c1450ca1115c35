import type { Cell } from '@cadastre/model';
import { selectList } from '../../db/select.ts';
import { loadRelated } from '../../serialize/related/related.ts';
import { MARKS } from '../../serialize/rowTextCache.ts';
import { cachedRowTexts } from '../cachedRowTexts.ts';
import type { AskedList } from './asked.ts';
import { pageRows } from './rows.ts';

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
 * A page of which all objects are remembered: the database tells only which they are, and in which state; where that
 * is remembered too, nothing. Undefined for any other.
 */
export async function cachedPage(asked: AskedList): Promise<Page | undefined> {
  const { plan, invalidated } = asked;
  const texts = textsOf(asked);
  const name = texts && plan.pageName();
  const most = mostOf(asked);
  if (!texts || name === undefined || !texts.probablyHas(name, most)) return undefined;
  // What is remembered before the poll is probably still right after it, so the poll is all that is waited for.
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
