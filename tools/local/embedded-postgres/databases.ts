import pg from 'pg';

/** A server refused to create databases; `missing` are those that would have to exist. */
export class MayNotCreate extends Error {
  override readonly name = 'MayNotCreate';
  readonly role: string;
  readonly missing: readonly string[];
  constructor(role: string, missing: readonly string[]) {
    super(`the role ${role} may not create databases`);
    this.role = role;
    this.missing = missing;
  }
}

/**
 * Creates the databases that are missing on a server; `url` may name any of its databases, or none.
 * @throws MayNotCreate when one is missing and the role has no right to create it
 */
export async function ensureDatabases(url: string, names: readonly string[], connectMs = 10_000): Promise<void> {
  const client = await connectAnywhere(url, names, connectMs);
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    const present = new Set(rows.map((row) => row.datname));
    const missing = names.filter((one) => !present.has(one));
    for (const name of missing) {
      await client.query(`create database ${pg.escapeIdentifier(name)}`).catch((error: { code?: string }) => {
        throw error.code === notPermitted ? new MayNotCreate(client.user ?? '', missing) : error;
      });
    }
  } finally {
    await client.end();
  }
}

const notPermitted = '42501';
const noSuchDatabase = '3D000';

/**
 * Connects to the database that the URL names, else to the one that every server has, else to one of those that are
 * needed: a database may not exist, or not be open to this role.
 */
async function connectAnywhere(given: string, names: readonly string[], connectMs: number): Promise<pg.Client> {
  const named = decodeURIComponent(new URL(given).pathname.slice(1));
  let first: unknown;
  for (const database of new Set([...(named ? [named] : []), 'postgres', ...names])) {
    const url = new URL(given);
    url.pathname = `/${database}`;
    try {
      return await connect(url, connectMs);
    } catch (error) {
      if (![noSuchDatabase, notPermitted].includes((error as { code?: string }).code ?? '')) throw error;
      first ??= error;
    }
  }
  throw first;
}

async function connect(url: URL, connectMs: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.toString(), connectionTimeoutMillis: connectMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
