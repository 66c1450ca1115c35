import { none, quote, invalidating, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';
import { BRIEF } from '../peers/peers.ts';
import { recordType } from '../db/values.ts';
import { noteFetched } from '../peers/fetched.ts';
import { hasNoTombstone } from './tombstones.ts';
import { mattersSql } from './part.ts';

/** Where objects of a type are kept, as SQL. Rows come as the JSON that their owner sends, by column name. */
export interface ReplicaTable {
  table: string;
  /** A condition on `t` that selects the objects of the type, where others are kept in the same table. */
  only: string;
  type: number;
  /** How the JSON is read, as `r`: SQL types by column name. */
  record: { [name: string]: string };
  /** What is stored in each column, from `r`; the first is the id, and `version` names the row version. */
  columns: { name: string; from: string }[];
  version: string;
  key: string;
  /** Rows that can be stored. */
  fit: string;
  /**
   * A condition that selects, of consecutive rows, those that are kept here, as some types are kept in part. `$2` and
   * `$3` are the ends of the range.
   */
  part: string;
  /** What must be the same as at the owner, from `g` (given) and `t` (kept), by the name that reports use. */
  same: { name: string; given: string; kept: string }[];
}

/** An object that is not kept as its owner has it. A version of null: the object is not there. */
export interface Difference {
  id: number;
  owner: number | null;
  kept: number | null;
  columns: string[];
}

/** Ids above `$2` and up to `$3` (null: without end). */
const IN_RANGE = 't.id > $2 and t.id <= coalesce($3, 9223372036854775807)';

/** The replica table of a type. */
export function replicaTableOf(tables: Tables, type: string): ReplicaTable {
  const kept = [...tables.columnsOf(tables.catalogue.get(type)).values()];
  const columns = [...kept.filter((c) => c.name === 'id'), ...kept.filter((c) => c.name !== 'id')];
  const table = tables.nameOf(type);
  const part = tables.partOf(type);
  return {
    table,
    only: 'true',
    type: typeId(type),
    version: '_version',
    key: 'id',
    fit: 'true',
    part: part ? `(${mattersSql(part, 'r')} or r.id in (select t.id from ${table} t where ${IN_RANGE}))` : 'true',
    record: Object.fromEntries(columns.map((c) => [c.name, recordType(c)])),
    columns: columns.map((c) => ({ name: c.name, from: `r.${quote(c.name)}` })),
    same: columns
      .filter((c) => c.name !== 'id')
      .map((c) => ({ name: c.name, given: `g.${quote(c.name)}`, kept: `t.${quote(c.name)}` })),
  };
}

/** The brief forms of a type's objects, among those of all types. */
export function anyObjectTable(tables: Tables, type: string): ReplicaTable {
  const model = tables.catalogue.get(type);
  const number = typeId(type);
  // A brief form may show other objects as they were when its own object last changed; so may a display text that is
  // made of theirs.
  const plain = model.brief.filter((name) => model.fields[name]?.column && !model.fields[name]!.relation);
  const shown = [...(model.display.related?.length ? [] : ['display']), ...plain];
  return {
    table: 'replica.any_object',
    only: `t.type = ${number}`,
    type: number,
    version: 'version',
    key: 'type, id',
    fit: `r.${quote(BRIEF)} is not null`,
    part: 'true',
    record: { id: 'bigint', _version: 'integer', tags: 'bigint[]', [BRIEF]: 'jsonb' },
    columns: [
      { name: 'id', from: 'r.id' },
      { name: 'type', from: String(number) },
      { name: 'version', from: 'r._version' },
      { name: 'display', from: `coalesce(r.${quote(BRIEF)} ->> 'display', '')` },
      { name: 'brief', from: `r.${quote(BRIEF)}` },
      { name: 'tags', from: `coalesce(r.tags, '{}')` },
    ],
    same: [
      ...shown.map((name) => ({ name, given: `g.brief -> '${name}'`, kept: `t.brief -> '${name}'` })),
      { name: 'tags', given: 'g.tags', kept: 't.tags' },
    ],
  };
}

const recordset = (record: ReplicaTable['record']): string =>
  `jsonb_to_recordset($1::jsonb) as r(${Object.entries(record)
    .map(([name, type]) => `${quote(name)} ${type}`)
    .join(', ')})`;

/**
 * The rows to be stored in a place, taken from `from`, each id once; of consecutive rows only those that are kept here.
 */
const given = (
  { columns, fit, version, part }: ReplicaTable,
  from: string,
  consecutive: boolean,
): string => `materialized (
  select distinct on (1) ${columns.map(({ name, from: value }) => `${value} as ${quote(name)}`).join(', ')} from ${from} where ${fit}${consecutive ? ` and ${part}` : ''} order by 1, ${columns.findIndex(({ name }) => name === version) + 1} desc
)`;

/**
 * Which row wins when one is there already: the newer one; of two of the same version, the given one; or the given one
 * in any case.
 */
export type Precedence = 'newer' | 'same' | 'given';

/** The objects of a place in that range, read in one go: a thousand single lookups cost as much as storing the rows. */
const inRange = ({ table, only }: ReplicaTable): string =>
  `materialized (select t.* from ${table} t where ${only} and ${IN_RANGE})`;

/**
 * `givenN`, `keptN`: stores in one place, numbered as others may be stored to in the same statement. For consecutive
 * rows also `thereN`, what was there.
 */
function upsertSql(place: ReplicaTable, n: number, precedence: Precedence, consecutive: boolean): string {
  const { table, columns, version, key, type, only } = place;
  const list = columns.map((c) => quote(c.name));
  const row = (alias: string) =>
    `row(${columns
      .filter((c) => c.name !== 'type')
      .map((c) => `${alias}.${quote(c.name)}`)
      .join(', ')})`;
  const stays = {
    newer: `o.${version} >= g.${version}`,
    same: `(o.${version} > g.${version} or (o.${version} = g.${version} and ${row('o')} is not distinct from ${row('g')}))`,
    given: `${row('o')} is not distinct from ${row('g')}`,
  }[precedence];
  const wins = {
    newer: ` where t.${version} < excluded.${version}`,
    same: ` where t.${version} <= excluded.${version}`,
    given: '',
  }[precedence];
  // Rows that stay as they are must not even be locked: many may refer to them.
  const there = consecutive
    ? `not exists (select from there${n} o where o.id = g.id and ${stays})`
    : none(`${table} o where ${only.replace('t.', 'o.')} and o.id = g.id and ${stays}`);
  return `given${n} as ${given(place, 'raw r', consecutive)}, ${consecutive ? `there${n} as ${inRange(place)}, ` : ''}kept${n} as (
    insert into ${table} as t (${list.join(', ')}) select ${list.map((c) => `g.${c}`).join(', ')} from given${n} g
    where ${hasNoTombstone(type, 'g.id')} and ${there} order by g.id
    on conflict (${key}) do update set ${list
      .filter((c) => c !== '"id"' && c !== '"type"')
      .map((c) => `${c} = excluded.${c}`)
      .join(', ')}${wins}
    returning t.id
  )`;
}

/** Statements, by all that goes into them: services of one process keep different parts of the same objects. */
const texts = new Map<string, string>();

/**
 * The statement that stores in all places where objects of a type are kept. Reading the JSON is a good part of the
 * cost, so it is read once.
 */
function upsertText(places: readonly ReplicaTable[], precedence: Precedence, consecutive = false): string {
  const name = `${places.map(({ table, type, record, part }) => `${table} ${type} ${Object.keys(record)} ${part}`).join()} ${precedence} ${consecutive}`;
  const known = texts.get(name);
  if (known) return known;
  const record = Object.assign({}, ...places.map((place) => place.record)) as ReplicaTable['record'];
  const text = `with raw as materialized (select * from ${recordset(record)}), ${places.map((place, n) => upsertSql(place, n, precedence, consecutive)).join(', ')}, told as (${invalidating(places.map(({ type }, n) => `select ${type}, id from kept${n}`).join(' union all '))})`;
  texts.set(name, text);
  return text;
}

/**
 * Stores rows, given as the JSON text of an array, except those that were seen deleted. One statement; returns how many
 * it changed.
 */
export async function upsertRows(
  place: ReplicaTable,
  rows: string,
  executor: Executor,
  precedence: Precedence,
): Promise<number> {
  noteFetched(executor);
  const [counted] = await rowsOf(executor, {
    text: `${upsertText([place], precedence)} select count(*) from kept0`,
    values: [rows],
  });
  return Number(counted![0]);
}

/** What became of a chunk in one place: how many rows were changed, and what is doubtful. */
export interface Upserted {
  place: ReplicaTable;
  written: number;
  doubts: Difference[];
}

/**
 * Stores consecutive rows in all places where they are kept, and returns what is doubtful then: objects in the range
 * that were not given, that are newer here, or that were seen deleted. One statement.
 */
export async function upsertChunk(
  places: readonly ReplicaTable[],
  rows: string,
  { after, to }: { after: number; to: number | null },
  executor: Executor,
): Promise<Upserted[]> {
  noteFetched(executor);
  const results = places.map(
    ({ version, type }, n) => `select ${n}, null, count(*), null from kept${n} union all
    select ${n}, coalesce(g.id, t.id), g.${version}, t.${version} from given${n} g full join there${n} t on t.id = g.id
    where g.id is null or t.${version} > g.${version} or not ${hasNoTombstone(type, 'g.id')}`,
  );
  const found = await rowsOf(executor, {
    text: `${upsertText(places, 'same', true)} ${results.join(' union all ')}`,
    values: [rows, after, to],
  });
  const put = places.map((place): Upserted => ({ place, written: 0, doubts: [] }));
  for (const [n, id, owner, kept] of found) {
    const one = put[Number(n)]!;
    if (id === null) one.written = Number(owner);
    else one.doubts.push({ id: Number(id), owner: number(owner), kept: number(kept), columns: [] });
  }
  return put;
}

/** Which objects are meant: those with ids above the first and up to the second (null: without end), or these. */
export type IdRange = { after: number; to: number | null } | { ids: readonly number[] };

/** What differs between rows of the owner and what is kept. `owner` and `kept` are versions. One statement. */
export async function compare(
  place: ReplicaTable,
  rows: string,
  among: IdRange,
  executor: Executor,
): Promise<Difference[]> {
  const { table, only, version, same } = place;
  const ids = 'ids' in among;
  const text = `with given as ${given(place, recordset(place.record), !ids)} select coalesce(g.id, t.id), g.${version}, t.${version}, concat_ws(',', ${same.map((s) => `case when ${s.given} is distinct from ${s.kept} then '${s.name}' end`).join(', ')})
    from given g full join (select * from ${table} t where ${only} and ${ids ? 't.id = any($2::bigint[])' : IN_RANGE}) t on t.id = g.id
    where g.id is null or t.id is null or t.${version} > g.${version}${same.map((s) => ` or ${s.given} is distinct from ${s.kept}`).join('')} order by 1`;
  const found = await rowsOf(executor, { text, values: ids ? [rows, among.ids] : [rows, among.after, among.to] });
  return found.map(([id, owner, kept, columns]) => ({
    id: Number(id),
    owner: number(owner),
    kept: number(kept),
    columns: owner && kept && columns ? columns.split(',') : [],
  }));
}

const number = (cell: string | null | undefined): number | null =>
  cell === null || cell === undefined ? null : Number(cell);

/** How many objects are kept. */
export async function countOf({ table, only }: ReplicaTable, executor: Executor): Promise<number> {
  const [counted] = await rowsOf(executor, { text: `select count(*) from ${table} t where ${only}`, values: [] });
  return Number(counted![0]);
}
