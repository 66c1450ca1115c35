import pg from 'pg';

/** Creates the databases that are missing on a server; `url` may name any of its databases, or none. */
export async function ensureDatabases(url: string, names: readonly string[]): Promise<void> {
  const any = new URL(url);
  if (any.pathname.length <= 1) any.pathname = '/postgres';
  const client = new pg.Client({ connectionString: any.toString(), connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    const present = new Set(rows.map((row) => row.datname));
    for (const name of names.filter((one) => !present.has(one))) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
