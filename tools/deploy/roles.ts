import pg from 'pg';

/** Where a service's database shall be, and whose. */
export interface Owner {
  role: string;
  password: string;
  database: string;
}

/** Any number: of several processes that prepare one server, one goes on. */
const LOCK = 4_621_900_730_413;

/** What the URL of a service's database says about it. @throws Error when it names no role or no database */
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
 */
export async function prepareDatabases(admin: pg.Client, owners: readonly Owner[]): Promise<string[]> {
  await admin.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    const made: string[] = [];
    for (const owner of owners) if (await prepare(admin, owner)) made.push(owner.database);
    return made;
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

async function prepare(admin: pg.Client, { role, password, database }: Owner): Promise<boolean> {
  const [roleName, databaseName] = [pg.escapeIdentifier(role), pg.escapeIdentifier(database)];
  const exists = async (sql: string, name: string) => (await admin.query(sql, [name])).rowCount === 1;
  const verb = (await exists('select 1 from pg_roles where rolname = $1', role)) ? 'alter' : 'create';
  await admin.query(`${verb} role ${roleName} login password ${pg.escapeLiteral(password)}`);
  if (await exists('select 1 from pg_database where datname = $1', database)) return false;
  // An administrator who is no superuser may give a database only to a role that it is a member of.
  const {
    rows: [me],
  } = await admin.query<{ super: boolean }>('select rolsuper as super from pg_roles where rolname = current_user');
  if (!me?.super) await admin.query(`grant ${roleName} to current_user`);
  await admin.query(`create database ${databaseName} owner ${roleName} template template0 encoding 'UTF8'`);
  await admin.query(`revoke all on database ${databaseName} from public`);
  return true;
}
