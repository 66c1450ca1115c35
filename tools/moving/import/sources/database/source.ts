import { Readable } from 'node:stream';
import type { Model } from '@cadastre/model';
import { accountsIn } from '../accounts/file.ts';
import { ACCOUNTS_QUERY, type Account } from '../accounts/query.ts';
import { mediaIn } from '../media.ts';
import type { Collection, Source } from '../source.ts';
import { layoutOf } from './layout.ts';
import { objectsOf } from './pages.ts';
import { type Plan, plansOf } from './plan.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

export interface DatabaseOptions {
  /** The types that are known here, by name. */
  models: ReadonlyMap<string, Model>;
  /** The folder of uploaded files (NetBox's MEDIA_ROOT); without it there are none. */
  media?: string | undefined;
  /** How many statements run in the database at the same time. */
  connections?: number;
  /** How many objects one statement fetches at most; fewer where they are large. */
  page?: number;
}

export interface DatabaseSource extends Source {
  /** Users with the hashes of their passwords, and tokens, in the same state as the objects. */
  accounts(): AsyncIterable<Account>;
  /** The fields of the objects of a path (`dcim/sites`) that its tables have. */
  fields(path: string): readonly string[];
}

/**
 * The tables of NetBox 4.6, read directly from PostgreSQL: one state of it, read-only. The role in the address needs
 * the right to read all tables, and no more.
 * @param url `postgres://…`
 * @throws Error when there is no such database, or it is not that of a NetBox
 */
export async function databaseSource(
  url: string,
  { models, media, connections = 4, page = 1000 }: DatabaseOptions,
): Promise<DatabaseSource> {
  const name = nameOf(url);
  const snapshot = await snapshotOf(url, name, connections);
  const plans = await layoutOf(snapshot.ask, name).then(
    (layout) => new Map(plansOf(models, layout).map((plan) => [plan.collection.path, plan])),
    async (error: unknown) => {
      await snapshot.close();
      throw error;
    },
  );
  return {
    name,
    accounts: () => accountsOf(snapshot.ask, name),
    collections: () => counted(snapshot.ask, [...plans.values()], models),
    read({ path }, after = 0) {
      const plan = plans.get(path);
      if (!plan) throw new Error(`${name} has no ${path}`);
      return objectsOf(snapshot.ask, plan, after, page);
    },
    fields: (path) => plans.get(path)?.fields ?? [],
    file: mediaIn(media),
    close: snapshot.close,
  };
}

/** Without the user and the password, and without options, among which may be a password, too. */
function nameOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** Types that are known here count as present although they have no objects; for others nothing is missing then. */
async function counted(
  ask: Snapshot['ask'],
  plans: readonly Plan[],
  models: ReadonlyMap<string, Model>,
): Promise<Collection[]> {
  const all = await Promise.all(
    plans.map(async ({ collection, table }) => {
      const [[count] = []] = await ask(`select count(*) from "${table}"`);
      return { ...collection, count: Number(count) };
    }),
  );
  return all.filter(({ type, count }) => count > 0 || models.has(type));
}

/** Reads accounts by the statement that operators run, and parses its output in the same way. */
async function* accountsOf(ask: Snapshot['ask'], name: string): AsyncGenerator<Account> {
  const lines = (await ask(ACCOUNTS_QUERY)).map(([line]) => line as string);
  yield* accountsIn(Readable.from(lines), name);
}
