import type { Cell, Model } from '@cadastre/model';
import { notFound } from '../core/errors.ts';
import type { Action, Requester } from '../core/requester.ts';
import { selectList } from '../db/select.ts';
import type { Statement } from '../db/sql.ts';
import { etagOf } from '../serialize/etag.ts';
import { loadRelated } from '../serialize/related/related.ts';
import { MARKS, type RowTextRegion } from '../serialize/rowTextCache.ts';
import type { Writer } from '../serialize/writer.ts';
import type { ReadEngine } from './engine.ts';
import { planDetail, writerFor } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import { cachedRowTexts } from './cachedRowTexts.ts';

export interface Shown {
  text: string;
  etag: string | undefined;
}

/** An object that somebody asks for, as the stages of its answer know it. */
interface AskedObject {
  engine: ReadEngine;
  model: Model;
  id: string;
  who: Requester;
  action: Action;
  base: string;
  writer: Writer;
  texts: RowTextRegion | undefined;
  /** Resolves once what is remembered is up to date for this request. */
  invalidated: Promise<void>;
}

/**
 * JSON text of one object: GET of an object, stage by stage. @throws Refusal 404 when it is not there or the requester
 * may not do this to it
 */
export async function detail(
  engine: ReadEngine,
  model: Model,
  number: string,
  query: Query,
  who: Requester,
  base: string,
  action: Action = 'view',
): Promise<Shown> {
  const invalidated = engine.invalidations.begin();
  const id = number.replace(/^0+(?=\d)/, '');
  const writer = withEtag(model, writerFor(engine.tables, model, query));
  const texts = cachedRowTexts(engine, model, who, writer, base);
  const asked: AskedObject = { engine, model, id, who, action, base, writer, texts, invalidated };
  return (await cachedObject(asked)) ?? (await loadedObject(asked));
}

/**
 * An object that is remembered: the database is asked only for the state of its row, and for nothing where that is
 * remembered too.
 */
async function cachedObject(asked: AskedObject): Promise<Shown | undefined> {
  const { id, texts, invalidated } = asked;
  if (!texts?.has(id)) return undefined;
  const { statement, types } = planned(asked, MARKS);
  const name = JSON.stringify([id, statement]);
  // What is remembered before the poll is probably still valid after it, so only the poll is awaited.
  if (texts.row(name)) await invalidated;
  const since = texts.versionOf(types);
  const mark = texts.row(name) ?? (await rowOf(asked, statement));
  texts.keepRow(name, mark, since);
  const [found] = texts.find([mark]) ?? [];
  return found && { text: found.text, etag: found.etag };
}

/** An object that is read, with what it shows of others; it is remembered. */
async function loadedObject(asked: AskedObject): Promise<Shown> {
  const { engine, model, id, who, base, writer, texts } = asked;
  const keep = texts?.begin();
  const columns = selectList(engine.tables, model, writer.columns);
  const cells = await rowOf(asked, planned(asked, texts ? `${columns}, t.xmin` : columns).statement);
  const readContext = await engine.readContext(engine.pool, who);
  const related = (await loadRelated(readContext, model, writer, [cells]))(base);
  const shown = { text: writer.print(cells, related), etag: etagOf(model, writer.columns, cells) };
  if (!readContext.uncacheable?.seen)
    keep?.(readContext.definitions, [{ id, mark: cells[writer.columns.length]!, ...shown }]);
  return shown;
}

/** The statement that reads an object if the requester may, and the types of the objects that it looks at. */
function planned(
  { engine, model, who, action }: AskedObject,
  selected: string,
): { statement: Statement; types: string[] } {
  const types = new Set([model.name]);
  const statement = planDetail(engine.tables, model, selected, who, action, types);
  return { statement, types: [...types] };
}

async function rowOf({ engine, model, id, invalidated }: AskedObject, { text, values }: Statement): Promise<Cell[]> {
  const [found] = await Promise.all([engine.readBatcher.row(text, values, id), invalidated]);
  if (!found) throw notFound(model.className);
  return found;
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
