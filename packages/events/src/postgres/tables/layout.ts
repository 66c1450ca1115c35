import type pg from 'pg';
import { NewerSchema } from '../../failures/newer-schema.ts';

/**
 * The version of the log's tables, incremented with each change of `schema.ts`. `OLDEST` is the earliest layout whose
 * program can go on beside this one: it stays behind `LAYOUT` as long as earlier programs can work with what was added,
 * and becomes `LAYOUT` when they cannot.
 */
const LAYOUT = 1;
const OLDEST = 1;

/**
 * Refuses tables that a later program has made unusable for this one. To be called with the schema's lock held, in the
 * same transaction, before anything is created.
 * @throws NewerSchema
 */
export async function refuseNewerLayout(client: pg.ClientBase, known = LAYOUT): Promise<void> {
  const { rows: there } = await client.query<{ is: boolean }>(`select to_regclass('log.layout') is not null as is`);
  if (!there[0]?.is) return;
  const { rows } = await client.query<{ version: number; oldest: number; database: string }>(
    `select "version", "oldest", current_database() as database from "log"."layout"`,
  );
  const [layout] = rows;
  if (layout && layout.oldest > known)
    throw new NewerSchema(
      `the event log in the database ${layout.database}`,
      `layout ${layout.version}`,
      `layout ${known}`,
    );
}

/**
 * Records the layout of the program that has just opened the log; an earlier program that may go on changes nothing.
 */
export const layoutStatements = (version = LAYOUT, oldest = OLDEST): string[] => [
  `create table if not exists "log"."layout" ("one" boolean primary key default true check ("one"), "version" int not null, "oldest" int not null)`,
  `insert into "log"."layout" ("version", "oldest") values (${version}, ${oldest})
    on conflict ("one") do update set "version" = excluded."version", "oldest" = greatest("log"."layout"."oldest", excluded."oldest")
    where "log"."layout"."version" < excluded."version"`,
];
