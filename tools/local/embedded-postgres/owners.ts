import { extensions } from '@cadastre/service/extensions';
import pg from 'pg';
import { type Owner, prepareDatabases } from '../../deploy/roles.ts';
import type { Passwords } from './passwords.ts';

/**
 * Gives each database of the embedded server a role that owns it and may connect to no other; missing databases are
 * created, and those that an older release left to the superuser get their new owners.
 * @param serverUrl of any database, as superuser
 */
export async function ownDatabases(serverUrl: string, passwords: Passwords): Promise<void> {
  const databases = [...passwords.keys()];
  const owners = [...passwords].map(([name, password]): Owner => ({ role: name, password, database: name }));
  await withClient(serverUrl, async (admin) => {
    // Nobody guesses passwords of this many random bytes, so slowing down each attempt gains nothing.
    await admin.query('set scram_iterations = 1');
    await prepareDatabases(admin, owners, () => makeTemplate(serverUrl));
    // Otherwise every role could connect to it and read what it contains.
    await admin.query('revoke connect on database postgres from public');
    const { rows } = await admin.query<{ name: string }>(
      'select datname as name from pg_database where datname = any($1) and pg_get_userbyid(datdba) <> datname',
      [databases],
    );
    for (const { name } of rows) await handOver(admin, serverUrl, name);
  });
}

/**
 * Adds to the template of new databases what all of them need, so that it is not made again for each.
 * @returns its name
 */
async function makeTemplate(serverUrl: string): Promise<string> {
  const template = 'template1';
  const url = new URL(serverUrl);
  url.pathname = `/${template}`;
  await withClient(url.toString(), (client) =>
    client.query(extensions.map((name) => `create extension if not exists ${name};`).join('')),
  );
  return template;
}

/**
 * The objects that the superuser owns in a database, except those that belong to another object (the sequence of a
 * column) or to an extension.
 */
const LEFT_BEHIND = `
  select kind, name from (
    select case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end as kind,
      oid::regclass::text as name, 'pg_class'::regclass as catalog, oid, relnamespace as schema, relowner as owner
    from pg_class where relkind in ('r', 'p', 'S', 'v', 'm', 'f')
    union all select 'routine', oid::regprocedure::text, 'pg_proc'::regclass, oid, pronamespace, proowner from pg_proc
    union all select case typtype when 'd' then 'domain' else 'type' end, oid::regtype::text, 'pg_type'::regclass, oid, typnamespace, typowner from pg_type where typtype in ('e', 'd', 'r')
    union all select 'schema', quote_ident(nspname), 'pg_namespace'::regclass, oid, oid, nspowner from pg_namespace
  ) made
  where owner = current_user::regrole and schema not in (select oid from pg_namespace where nspname ~ '^(pg_|information_schema$)')
    and not exists (select from pg_depend d where d.classid = catalog and d.objid = oid and (d.deptype = 'e' or kind = 'sequence' and d.deptype in ('a', 'i')))`;

/** The database itself comes last: an interrupted change of owners is started again. */
async function handOver(admin: pg.Client, serverUrl: string, database: string): Promise<void> {
  const name = pg.escapeIdentifier(database);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  await withClient(url.toString(), async (client) => {
    const { rows } = await client.query<{ kind: string; name: string }>(LEFT_BEHIND);
    for (const made of rows) await client.query(`alter ${made.kind} ${made.name} owner to ${name}`);
  });
  await admin.query(`revoke all on database ${name} from public`);
  await admin.query(`alter database ${name} owner to ${name}`);
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
