import type pg from 'pg';

/** A value for a column that must not be null, by its type. */
const FILLERS: Readonly<Record<string, unknown>> = {
  bool: false,
  date: '2026-01-31',
  int2: 0,
  int4: 0,
  int8: 0,
  jsonb: {},
  numeric: 0,
  text: '',
  timestamptz: '2026-01-31T08:00:00.123456Z',
  varchar: '',
};

/** Inserts a row; required columns that are not given get a value without meaning. @returns its id */
export async function insert(client: pg.Client, table: string, given: Record<string, unknown>): Promise<number> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and a.attnotnull and a.attidentity = '' and not a.atthasdef`,
    [`public.${table}`],
  );
  const filled = Object.fromEntries(columns.map(({ name, type }) => [name, FILLERS[type]]));
  const row = Object.entries({ ...filled, ...given });
  const names = row.map(([name]) => `"${name}"`).join(', ');
  const places = row.map((_, i) => `$${i + 1}`).join(', ');
  const values = row.map(([, value]) => value);
  const { rows } = await client.query(`insert into public.${table} (${names}) values (${places}) returning id`, values);
  return Number(rows[0].id);
}
