import { columnName, type Model, quote } from '@cadastre/model';
import type { WriteEngine } from '../../write/context/engine.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import { briefTexts } from '../../serialize/related/related.ts';
import { BRIEF } from '../../peers/peers.ts';

/** What is asked for of a type: columns of its table, and perhaps the brief form. */
export interface Wanted {
  type: string;
  columns: readonly string[];
}

/**
 * Consecutive rows of a type, in order of id. It holds all that there are with ids above `after` and up to `to`; the
 * last has no end.
 */
export interface Chunk {
  type: string;
  rows: string;
  count: number;
  after: number;
  to: number;
  last: boolean;
}

/** Rows and characters of one chunk, at most; a row that is longer comes alone. */
const ROWS = 1000;
const CHARACTERS = 512 * 1024;

/**
 * All objects of some types that this service owns, as they are while it reads them: each chunk is a statement of its
 * own, so that a slow reader holds nothing up. Row versions tell which of two states is the later one.
 */
export async function* snapshotOf(
  engine: WriteEngine,
  wanted: readonly Wanted[],
  limits = { rows: ROWS, characters: CHARACTERS },
): AsyncGenerator<Chunk> {
  for (const one of wanted) {
    for (let after = 0, last = false; !last; ) {
      const rows = await rowsAfter(engine, one, after, limits.rows);
      last = rows.length < limits.rows;
      let group: string[] = [];
      let characters = 0;
      let from = after;
      for (const [i, { id, text }] of rows.entries()) {
        group.push(text);
        characters += text.length;
        if (characters < limits.characters || i === rows.length - 1) continue;
        yield { type: one.type, rows: `[${group.join()}]`, count: group.length, after: from, to: id, last: false };
        from = id;
        group = [];
        characters = 0;
      }
      after = rows.at(-1)?.id ?? after;
      yield { type: one.type, rows: `[${group.join()}]`, count: group.length, after: from, to: after, last };
    }
  }
}

interface Row {
  id: number;
  text: string;
}

const rowsAfter = (engine: WriteEngine, wanted: Wanted, after: number, limit: number): Promise<Row[]> =>
  read(engine, wanted, 'where t.id > $1 order by t.id limit $2', [after, limit]);

/** Some objects of a type as they are; those that are not there are left out. The JSON text of an array. */
export async function rowsAt(engine: WriteEngine, wanted: Wanted, ids: readonly number[]): Promise<string> {
  return `[${(await read(engine, wanted, 'where t.id = any($1::bigint[]) order by t.id', [ids])).map(({ text }) => text).join()}]`;
}

async function read(engine: WriteEngine, { type, columns }: Wanted, rest: string, values: unknown[]): Promise<Row[]> {
  const { tables, pool } = engine;
  const list = toldColumns(engine, type, columns)
    .map((name) => `t.${quote(name)}`)
    .join(', ');
  // PostgreSQL writes the rows as JSON, and PostgreSQL of the service that asked reads them; nothing in between parses
  // them.
  const found = await rowsOf(pool as Executor, {
    text: `select x.id, row_to_json(x)::text from (select ${list} from ${tables.nameOf(type)} t ${rest}) x`,
    values,
  });
  const rows = found.map(([id, text]) => ({ id: Number(id), text: text! }));
  return columns.includes(BRIEF) ? withBriefs(engine, type, rows) : rows;
}

/**
 * The columns that others may know.
 * @throws Error when a requested column does not exist or is secret, as may happen while services of two versions run
 */
function toldColumns({ tables }: WriteEngine, type: string, columns: readonly string[]): string[] {
  if (!tables.catalogue.has(type) || !tables.owns(type)) throw new Error(`${tables.service} does not own ${type}`);
  const model = tables.catalogue.get(type);
  const known = tables.columnsOf(model);
  const secret = secretsOf(model);
  const asked = [...new Set(['id', '_version', ...columns.filter((name) => name !== BRIEF)])];
  for (const name of asked)
    if (!known.has(name) || secret.has(name)) throw new Error(`${type} has no column ${name} to tell others`);
  return asked;
}

/** The columns that only the owner knows. */
export const secretsOf = (model: Model): Set<string> =>
  new Set(
    Object.entries(model.fields)
      .filter(([, f]) => f.secret || f.writeOnly)
      .map(([name, f]) => columnName(name, f)),
  );

/** Adds the brief forms. They are not cached, as reading everything would evict what requests need again. */
async function withBriefs(engine: WriteEngine, type: string, rows: Row[]): Promise<Row[]> {
  if (!rows.length) return rows;
  await engine.invalidations.wait();
  const briefs = await briefTexts(
    { ...(await engine.readContext()), keep: false },
    type,
    rows.map(({ id }) => String(id)),
  );
  return rows.map(({ id, text }) => ({
    id,
    text: `${text.slice(0, -1)},"${BRIEF}":${briefs.get(String(id)) ?? 'null'}}`,
  }));
}
