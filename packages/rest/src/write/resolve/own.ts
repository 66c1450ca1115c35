import { type Cell, type Column, type Model, quote, type Reference, typeId } from '@cadastre/model';
import { Binder, type Executor, idsIn, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import type { Requester } from '../../core/requester.ts';
import { storedValue } from '../../db/values.ts';
import { ambiguous, type ByAttributes, byAttributes, GROUP, lookUp, matching, notFoundText } from './attributes.ts';
import type { ReplicaRow, Resolution, Resolved } from '../../peers/peers.ts';

/**
 * What references to objects of this service mean. Rows that are found stay locked against deletion until the
 * transaction ends.
 */
export async function resolveOwn(
  tables: Tables,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
): Promise<Resolved[]> {
  return (await find(tables, type, references, who, executor, { columns: ['id'], lasting: true })).results;
}

/** The same for another service, with the rows that it keeps. What protects them is the lock that it holds itself. */
export async function resolveFor(
  tables: Tables,
  type: string,
  references: Reference[],
  columns: Column[],
  who: Requester,
  executor: Executor,
): Promise<Resolution> {
  const names = columns.map(({ name }) => name);
  const { results, found } = await find(tables, type, references, who, executor, { columns: names, lasting: false });
  const rows = found.map(
    (cells) => Object.fromEntries(columns.map((c, i) => [c.name, storedValue(c.type, cells[i] ?? null)])) as ReplicaRow,
  );
  return { results, rows };
}

/** What is asked of the rows that references mean. */
interface Asked {
  /** The id is one of them. */
  columns: readonly string[];
  /**
   * Whether the rows stay locked until the transaction ends. Otherwise the statement is a transaction of its own, and
   * waits for a deletion that is being carried out, to see its outcome.
   */
  lasting: boolean;
}

interface Found {
  results: Resolved[];
  /** Cells by column, each row once. */
  found: Cell[][];
}

/** Turns references into ids, and asks which of them are there. One statement, unless there are ids and attributes. */
async function find(
  tables: Tables,
  type: string,
  references: Reference[],
  who: Requester,
  executor: Executor,
  asked: Asked,
): Promise<Found> {
  const model = tables.catalogue.get(type);
  const results: (Resolved | undefined)[] = [];
  const wanted = byAttributes(references);
  let found: Cell[][];
  if (wanted.length === references.length && wanted.length <= GROUP)
    found = await findByAttributes(tables, model, wanted, who, executor, asked, results);
  else {
    await lookUp(tables, model, references, who, executor, results);
    for (const [i, reference] of references.entries()) if ('id' in reference) results[i] = { id: reference.id };
    const ids = [...new Set(results.flatMap((result) => (result && 'id' in result ? [result.id] : [])))];
    found = ids.length ? await findByIds(tables, model, ids, executor, asked) : [];
  }
  const at = asked.columns.indexOf('id');
  const there = new Set(found.map((cells) => Number(cells[at])));
  return {
    results: references.map((reference, i) => {
      const result = results[i];
      return result && ('error' in result || there.has(result.id)) ? result : { error: notFoundText(reference) };
    }),
    found,
  };
}

async function findByIds(
  tables: Tables,
  model: Model,
  ids: readonly number[],
  executor: Executor,
  { columns, lasting }: Asked,
): Promise<Cell[][]> {
  return rowsOf(executor, {
    text: `select ${cellsOf(columns)} from ${tables.nameOf(model.name)} t where ${lasting ? '' : UNSYNCED}t.id = ${idsIn('$1')} and ${present('$2')} order by t.id for key share`,
    values: [ids, typeId(model.name)],
  });
}

/** Puts into `results` what the attributes mean, of what is there. */
async function findByAttributes(
  tables: Tables,
  model: Model,
  wanted: readonly ByAttributes[],
  who: Requester,
  executor: Executor,
  { columns, lasting }: Asked,
  results: (Resolved | undefined)[],
): Promise<Cell[][]> {
  const binder = new Binder();
  const matches = matching(tables, model, wanted, who, binder, results);
  if (!matches) return [];
  const rows = await rowsOf(executor, {
    text: `with matching as materialized (${matches}) select m.place, m.matches, ${cellsOf(columns)} from (select place, id, count(*) over (partition by place) as matches from matching) m join ${tables.nameOf(model.name)} t on t.id = m.id where ${lasting ? '' : UNSYNCED}${present(binder.bind(typeId(model.name)))} order by t.id for key share of t`,
    values: binder.values,
  });
  const attributesAt = new Map(wanted.map(({ i, attributes }) => [i, attributes]));
  const at = 2 + columns.indexOf('id');
  const found = new Map<string, Cell[]>();
  for (const cells of rows) {
    const i = Number(cells[0]);
    results[i] = Number(cells[1]) > 1 ? ambiguous(attributesAt.get(i)!) : { id: Number(cells[at]) };
    if ('id' in results[i]) found.set(cells[at]!, cells.slice(2));
  }
  return [...found.values()];
}

const cellsOf = (columns: readonly string[]): string => columns.map((name) => `t.${quote(name)}`).join(', ');

/** That a row is not about to be deleted. */
const present = (type: string): string =>
  `not exists (select 1 from deletion_mark d where d.type = ${type} and d.id = t.id and d.until > now())`;

/**
 * A row lock is written to the table, and a commit would wait until that is on the disk. These locks need not be
 * durable.
 */
const UNSYNCED = `(select set_config('synchronous_commit', 'off', true)) is not null and `;
