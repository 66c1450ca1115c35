import type { Cell, Model } from '@cadastre/model';
import { setImmediate as turn } from 'node:timers/promises';
import type { ReadEngine } from '../engine.ts';
import { notFound, refuse } from '../../core/errors.ts';
import { type ListPlan, planDetail, type Planner, planSelection, type Selection, writerFor } from '../plan/plan.ts';
import type { Action, Requester } from '../../core/requester.ts';
import { surroundingsOf } from '../../serialize/related/related.ts';
import { MARKS } from '../../serialize/rowTexts.ts';
import { selectList } from '../../db/select.ts';
import type { Statement } from '../../db/sql.ts';
import { type Query, pageLink } from '../query/query.ts';
import { withSavedFilters } from '../savedFilters.ts';
import { etagOf } from '../../serialize/etag.ts';
import { Parts } from '../../serialize/parts.ts';
import type { Writer } from '../../serialize/writer.ts';
import { type Run, runner, type Waiter } from '../../db/limiter/carefully.ts';

/** Where the client sent the request: scheme and host, and the path; and how long it waits. */
export interface Address extends Waiter {
  base: string;
  path: string;
}

/** JSON text of a page of objects. */
export const list = async (...asked: Parameters<typeof listParts>): Promise<string> =>
  String(await listParts(...asked));

/** The same in parts, as it is sent. */
export async function listParts(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  address: Address,
  strict = false,
  long = false,
): Promise<Parts> {
  const look = engine.look.wait();
  // The look must not go unheard when planning refuses first.
  look.catch(() => undefined);
  // Filter values are turned into ids that this process remembers, so they wait for the look; a plain page does not.
  if (query.filters.length || query.saved) await look;
  const plan = await planOf(engine, model, query, who, strict);
  const run = runner(engine, { regexes: plan.regexes, long }, who, address);
  const page = await pageOf(engine, model, plan, query, who, look, address.base, run);
  return pageText(query, page, await totalOf(engine, model, plan, run), address);
}

/** What a page shows. */
interface Page {
  /** JSON texts of its objects, with commas between. */
  text: string | Buffer;
  /** Id of the last one. */
  last: string | undefined;
  /** Whether there was one more than it may show. */
  more: boolean;
}

/**
 * The objects of a page. Where all of them are remembered, the database tells only which they are, and in which state;
 * where that is remembered too, nothing.
 */
async function pageOf(
  engine: ReadEngine,
  model: Model,
  plan: ListPlan,
  query: Query,
  who: Requester,
  look: Promise<void>,
  base: string,
  run: Run,
): Promise<Page> {
  const { writer } = plan;
  const most = query.page.mode === 'cursor' && query.page.limit ? query.page.limit : Infinity;
  const pageWith = (rows: Cell[][], text: string | Buffer): Page => ({
    text,
    last: rows[Math.min(rows.length, most) - 1]?.[0] ?? undefined,
    more: rows.length > most,
  });
  const remembered = isCommon(model, who) ? engine.texts.of(model, writer, base) : undefined;
  const name = remembered ? plan.pageName() : '';
  if (remembered?.foresees(name, most)) {
    // Known before the look, it is probably known after it.
    if (remembered.rows(name)) await look;
    const since = remembered.now(plan.pageTypes);
    const rows = remembered.rows(name) ?? (await pageRows(engine, model, plan, MARKS, query, look, run));
    const text = remembered.page(name, rows, most, since);
    if (text !== undefined) return pageWith(rows, text);
  }
  const keep = remembered?.begin();
  const since = remembered?.now(plan.pageTypes);
  const columns = selectList(engine.tables, model, writer.columns);
  const rows = await pageRows(engine, model, plan, remembered ? `${columns}, t.xmin` : columns, query, look, run);
  const source = await engine.source(engine.pool, who);
  const around = (await surroundingsOf(source, model, writer, rows))(base);
  const marks = since ? rows.map((cells) => [cells[0]!, cells[writer.columns.length]!]) : [];
  const shown = rows.slice(0, most).map((cells) => ({
    id: cells[0]!,
    mark: cells[writer.columns.length]!,
    text: writer.print(cells, around),
  }));
  if (since && !source.passing?.seen) keep?.(source.definitions, shown, { name, rows: marks, since });
  return pageWith(rows, shown.map(({ text }) => text).join(','));
}

/** Whether objects look the same to everybody who may see them. */
const isCommon = ({ about }: Model, { grants }: Requester): boolean => !about || grants.superuser;

/** From this offset on it is worth finding out first from which end of the list its page is nearer. */
const FAR = 1000;

async function pageRows(
  engine: ReadEngine,
  model: Model,
  plan: ListPlan,
  selected: string,
  { page }: Query,
  look: Promise<void>,
  run: Run,
): Promise<Cell[][]> {
  if (page.mode === 'offset' && page.offset >= FAR && plan.fromEnd) {
    await look;
    const total = totals(engine, model, plan, run)?.known();
    if (total !== undefined && page.offset > total / 2) return (await run(plan.fromEnd(selected, total))).toReversed();
  }
  const along =
    page.mode === 'offset' && page.offset < FAR ? await goneAlong(engine, model, plan, selected, page, run) : undefined;
  if (along) {
    await look;
    return along;
  }
  return (await Promise.all([run(plan.page(selected)), look]))[0];
}

/** Where fewer objects match than this, sorting them costs less than going along the order. */
const MANY = 1_000;
/** Among how many objects a page is looked for along the order, one after the other. */
const ALONG = [4_096, 16_384];

/**
 * A page of a list that many objects match, found along the order; undefined where it would not be, or was not, among
 * those that come first. That is remembered like the total by which it was tried.
 */
async function goneAlong(
  engine: ReadEngine,
  model: Model,
  plan: ListPlan,
  selected: string,
  { limit }: { limit: number },
  run: Run,
): Promise<Cell[][] | undefined> {
  if (!plan.along || (totals(engine, model, plan, run)?.known() ?? 0) < MANY) return undefined;
  const shelf = engine.cache.shelf<{ most: number | undefined }>(
    `along ${model.name} ${plan.types.join()}`,
    plan.types,
  );
  const key = `${plan.countName()} ${limit}`;
  const known = shelf.get(key);
  const most = known ? known.most : ALONG[0];
  if (!most) return undefined;
  const rows = await run(plan.along(selected, most));
  if (rows.length === limit) return rows;
  await shelf.fill(async () => new Map([[key, { most: ALONG[ALONG.indexOf(most) + 1] }]]));
  return undefined;
}

async function planOf(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  strict: boolean,
): Promise<ListPlan> {
  return engine.plans.of(await plannerOf(engine), model, await withSavedFilters(engine, query, who), who, strict);
}

const plannerOf = async (engine: ReadEngine): Promise<Planner> => ({
  tables: engine.tables,
  cache: engine.cache,
  find: engine.find(),
  definitions: await engine.definitions(),
  maxRegexLength: engine.settings.maxRegexLength,
  maxRegexSize: engine.settings.regex.maxSize,
});

/**
 * What a request's filters select among the objects to which the requester may do something: the condition on the
 * table's rows (as `t`), and its values, to which a statement may add its own. With regular expressions among them it
 * is to be run by `guarded`.
 * @throws Refusal 403 without permission, 400 for wrong filter values
 */
export async function selection(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  action: Action,
): Promise<Selection> {
  await engine.look.wait();
  return planSelection(await plannerOf(engine), model, await withSavedFilters(engine, query, who), who, action);
}

/** How many objects of an export are printed at a stretch. */
const AT_ONCE = 200;

/**
 * JSON texts of all objects of a list, whatever its pages. @throws Refusal 400 when there are more than one answer may
 * hold
 */
export async function listAll(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  { base, gone }: Pick<Address, 'base' | 'gone'>,
  strict: boolean,
): Promise<string[]> {
  await engine.look.wait();
  const most = engine.settings.maxExportRows;
  const plan = await planOf(
    engine,
    model,
    { ...query, page: { mode: 'offset', limit: most + 1, offset: 0 } },
    who,
    strict,
  );
  const run = runner(engine, { regexes: plan.regexes, long: true }, who, { ...(gone && { gone }) });
  const rows = await run(plan.page(selectList(engine.tables, model, plan.writer.columns)));
  if (rows.length > most) throw refuse(400, `An export may hold at most ${most} objects; use filters to export fewer.`);
  const around = (await surroundingsOf(await engine.source(engine.pool, who), model, plan.writer, rows))(base);
  const texts: string[] = [];
  for (const [i, cells] of rows.entries()) {
    // Others have their turn in between.
    if (i % AT_ONCE === AT_ONCE - 1) await turn();
    texts.push(plan.writer.print(cells, around));
  }
  return texts;
}

/** How many objects match: remembered until an object of a type changes that the conditions look at. */
async function totalOf(engine: ReadEngine, model: Model, plan: ListPlan, run: Run): Promise<number | null> {
  const total = totals(engine, model, plan, run);
  return total ? (total.known() ?? total.load()) : null;
}

/** The total of a plan's list: as it is remembered, and counted. None where nobody asks for it. */
function totals(
  engine: ReadEngine,
  model: Model,
  { count, countName, types }: ListPlan,
  run: Run,
): { known(): number | undefined; load(): Promise<number> } | undefined {
  if (!count) return undefined;
  const shelf = engine.cache.shelf<{ total: number }>(`totals ${model.name} ${types.join()}`, types);
  const key = countName();
  return {
    known: () => shelf.get(key)?.total,
    load: async () =>
      (await shelf.fill(async () => new Map([[key, { total: Number((await run(count))[0]![0]) }]]))).get(key)!.total,
  };
}

function pageText(query: Query, shown: Page, total: number | null, address: Address): Parts {
  const { page } = query;
  const here = address.base + address.path;
  let next: string | null = null;
  let previous: string | null = null;
  if (page.mode === 'cursor') {
    if (shown.more)
      next = pageLink(here, query.all, { limit: String(page.limit), start: String(Number(shown.last) + 1) });
  } else if (page.limit) {
    const { limit, offset } = page;
    if (offset + limit < total!)
      next = pageLink(here, query.all, { limit: String(limit), offset: String(offset + limit) });
    if (offset > 0)
      previous = pageLink(here, query.all, {
        limit: String(limit),
        offset: offset > limit ? String(offset - limit) : null,
      });
  }
  return new Parts(
    `{"count":${total},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":[`,
    shown.text,
    ']}',
  );
}

export interface Shown {
  text: string;
  etag: string | undefined;
}

/** JSON text of one object. @throws Refusal 404 when it is not there or the requester may not do this to it */
export async function detail(
  engine: ReadEngine,
  model: Model,
  asked: string,
  query: Query,
  who: Requester,
  base: string,
  action: Action = 'view',
): Promise<Shown> {
  const id = asked.replace(/^0+(?=\d)/, '');
  const look = engine.look.wait();
  look.catch(() => undefined);
  const writer = withEtag(model, writerFor(engine.tables, model, query));
  const remembered = isCommon(model, who) ? engine.texts.of(model, writer, base) : undefined;
  const types = new Set([model.name]);
  const planned = (selected: string) => planDetail(engine.tables, model, selected, who, action, types);
  const row = async ({ text, values }: Statement) => {
    const [found] = await Promise.all([engine.reads.row(text, values, id), look]);
    return found ?? thrown(notFound(model.className));
  };
  if (remembered?.has(id)) {
    const marks = planned(MARKS);
    const name = JSON.stringify([id, marks]);
    // Known before the look, it is probably known after it.
    if (remembered.row(name)) await look;
    const since = remembered.now([...types]);
    const mark = remembered.row(name) ?? (await row(marks));
    remembered.keepRow(name, mark, since);
    const found = remembered.find([mark]);
    if (found) return { text: found[0]!.text, etag: found[0]!.etag };
  }
  const keep = remembered?.begin();
  const cells = await row(
    planned(`${selectList(engine.tables, model, writer.columns)}${remembered ? ', t.xmin' : ''}`),
  );
  const source = await engine.source(engine.pool, who);
  const around = (await surroundingsOf(source, model, writer, [cells]))(base);
  const shown = { text: writer.print(cells, around), etag: etagOf(model, writer.columns, cells) };
  if (!source.passing?.seen) keep?.(source.definitions, [{ id, mark: cells[writer.columns.length]!, ...shown }]);
  return shown;
}

function thrown(error: Error): never {
  throw error;
}

const widened = new WeakMap<Writer, Writer>();

/** The same writer with the columns that an ETag is made of. */
function withEtag(model: Model, writer: Writer): Writer {
  let wide = widened.get(writer);
  if (!wide) {
    const extra = ['last_updated', 'created'].filter((c) => c in model.fields && !writer.columns.includes(c));
    widened.set(writer, (wide = { ...writer, columns: [...writer.columns, ...extra] }));
  }
  return wide;
}
