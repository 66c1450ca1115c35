import { readdirSync } from 'node:fs';
import { NewerSchema } from '@cadastre/events/newer-schema';
import type { Client } from 'pg';

/** The migrations of a folder, by name, in their order. */
const known = (folder: string): string[] =>
  readdirSync(folder)
    .flatMap((file) => /^(.+?)(?<!\.d)\.(?:js|ts|cjs)$/.exec(file)?.[1] ?? [])
    .sort();

/**
 * Whether a folder has migrations that this database has not run yet.
 * @throws NewerSchema when the database has run migrations that the folder does not have and that do not say that an
 * earlier program may go on (`EARLIER_MAY_GO_ON`)
 */
export async function isPending(client: Client, folder: string): Promise<boolean> {
  const here = known(folder);
  const {
    rows: [table],
  } = await client.query<{ is: boolean; database: string }>(
    `select to_regclass('mikro_orm_migrations') is not null as is, current_database() as database`,
  );
  if (!table?.is) return here.length > 0;
  // The column exists since the first migration that needed it.
  const { rows } = await client.query<{ name: string; fine: boolean | null }>(
    `select name, (to_jsonb(m) ->> '${EARLIER_MAY_GO_ON}')::boolean as fine from mikro_orm_migrations m order by id`,
  );
  const newer = rows.filter(({ name, fine }) => !fine && !here.includes(name));
  if (newer.length > 0)
    throw new NewerSchema(`the tables of the database ${table.database}`, newer.at(-1)!.name, here.at(-1) ?? 'none');
  const had = new Set(rows.map(({ name }) => name));
  return here.some((name) => !had.has(name));
}

/** The column of `mikro_orm_migrations` that says that programs without that migration may go on with the tables. */
export const EARLIER_MAY_GO_ON = 'earlier_may_go_on';
