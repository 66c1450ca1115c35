import type { Catalogue } from '@cadastre/model';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { extensions } from './extensions.ts';
import { entitiesFor, REPLICA } from './entities.ts';
import { NATURAL } from '@cadastre/model';

/** Tables are distinguished by their names: those of models begin with an app, and all others are created by hand. */
const byHand = (apps: readonly string[]): RegExp =>
  new RegExp(`^(?!(public\\.)?(${apps.join('|')})_|${REPLICA}\\.|any_object$)`);

/**
 * The statements that bring a migrated database to what the declarations say; none when it is there.
 * @param url of the database with all migrations applied
 * @param scratch url of an empty database, in which the declared tables are made for comparison
 */
export async function differences(
  catalogue: Catalogue,
  service: string,
  url: string,
  scratch: string,
): Promise<string[]> {
  const apps = [...new Set([...catalogue.models.values()].map((model) => model.app))];
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: entitiesFor(catalogue, service),
    discovery: { warnWhenNoEntities: false },
    metadataCache: { enabled: false },
    colors: false,
    schemaGenerator: { skipTables: [byHand(apps)] },
  } as Options);
  try {
    const missing = statementsOf(await orm.schema.getUpdateSchemaSQL({ wrap: false }));
    const declaration = await orm.schema.getCreateSchemaSQL({ wrap: false });
    const declared = await connected(scratch, async (client) => {
      await client.query(
        `${extensions.map((name) => `create extension if not exists ${name};`).join(' ')} create collation if not exists "${NATURAL}" (provider = icu, locale = 'und-u-kn-true'); ${declaration}`,
      );
      return indexes(client);
    });
    return [...missing, ...changedIndexes(await connected(url, indexes), declared)];
  } finally {
    await orm.close(true);
  }
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Triggers are not declared: migrations create them by hand, and the generator would drop them. */
const ofTriggers = /^drop (trigger|function) if exists /;

/** The generator ends each statement with a semicolon and a line feed. */
const statementsOf = (sql: string): string[] =>
  sql
    .split(/;\s*\n/)
    .map((statement) => statement.trim().replace(/;$/, ''))
    .filter((statement) => statement !== '' && !ofTriggers.test(statement));

interface Definition {
  schema: string;
  name: string;
  definition: string;
}

async function indexes(client: Client): Promise<Map<string, Definition>> {
  const { rows } = await client.query<Definition>(
    `select schemaname as schema, indexname as name, indexdef as definition from pg_indexes where schemaname in ('public', $1)`,
    [REPLICA],
  );
  return new Map(rows.map((row) => [`${row.schema}.${row.name}`, row]));
}

/** Indexes with the same name but another definition: the generator compares expression indexes by name only. */
function changedIndexes(present: Map<string, Definition>, declared: Map<string, Definition>): string[] {
  return [...declared].flatMap(([key, wanted]) => {
    const found = present.get(key);
    return found && found.definition !== wanted.definition
      ? [`drop index "${wanted.schema}"."${wanted.name}"`, wanted.definition]
      : [];
  });
}
