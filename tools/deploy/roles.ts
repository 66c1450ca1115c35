import pg from 'pg';

/** The database and the role of a service. */
export interface Owner {
  role: string;
  password: string;
  database: string;
}

/** An arbitrary lock number: of several processes that prepare one server, one continues at a time. */
const LOCK = 4_621_900_730_413;

/** What the URL of a service's database contains. @throws Error when it names no role or no database */
export function ownerOf(url: string): Owner {
  const { username, password, pathname } = new URL(url);
  const owner = {
    role: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  };
  if (owner.role === '' || owner.database === '')
    throw new Error("the URL of a service's database must name a role and a database");
  return owner;
}

/**
 * Creates the roles and databases that are missing on a server and gives every role the password of its URL. Each role
 * owns its database and may connect to no other of them.
 * @param template called for the database that new ones are copies of, if there are new ones
 */
export async function prepareDatabases(
  admin: pg.Client,
  owners: readonly Owner[],
  template = async () => 'template0',
): Promise<string[]> {
  await admin.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    await prepareRoles(admin, owners);
    const present = await named(admin, 'select datname as name from pg_database');
    const missing = [...new Map(owners.map((owner) => [owner.database, owner])).values()].filter(
      ({ database }) => !present.has(database),
    );
    if (missing.length > 0) await create(admin, missing, await template());
    return missing.map(({ database }) => database);
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

const named = async (admin: pg.Client, sql: string): Promise<Set<string>> =>
  new Set((await admin.query<{ name: string }>(sql)).rows.map(({ name }) => name));

async function prepareRoles(admin: pg.Client, owners: readonly Owner[]): Promise<void> {
  const present = await named(admin, 'select rolname as name from pg_roles');
  const wanted = new Map(owners.map(({ role, password }) => [role, password]));
  const statements = [...wanted].map(
    ([role, password]) =>
      `${present.has(role) ? 'alter' : 'create'} role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(password)};`,
  );
  if (statements.length > 0) await admin.query(statements.join('\n'));
}

async function create(admin: pg.Client, missing: readonly Owner[], template: string): Promise<void> {
  // An administrator that is not a superuser may give a database only to a role of which it is a member.
  const {
    rows: [me],
  } = await admin.query<{ super: boolean }>('select rolsuper as super from pg_roles where rolname = current_user');
  for (const { role, database } of missing) {
    const [roleName, databaseName] = [pg.escapeIdentifier(role), pg.escapeIdentifier(database)];
    if (!me?.super) await admin.query(`grant ${roleName} to current_user`);
    await admin.query(
      `create database ${databaseName} owner ${roleName} template ${pg.escapeIdentifier(template)} encoding 'UTF8'`,
    );
    await admin.query(`revoke all on database ${databaseName} from public`);
  }
}
