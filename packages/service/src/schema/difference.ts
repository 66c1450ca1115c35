import type { Catalogue } from '@cadastre/model';
import { type EntitySchema, MikroORM, type Options, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { entitiesFor, REPLICA } from './entities.ts';
import { NATURAL } from './indexes.ts';

/** A connection for comparing, with no more than that needs. */
async function open(url: string, entities: EntitySchema[], apps: readonly string[]): Promise<{ orm: MikroORM; pool: Pool }> {
  const orm = await MikroORM.init({
    clientUrl: url, entities, discovery: { warnWhenNoEntities: false }, metadataCache: { enabled: false }, colors: false,
    // Tables are told by their names: those of models begin with an app, and all others are made by hand.
    schemaGenerator: { skipTables: [new RegExp(`^(?!(public\\.)?(${apps.join('|')})_|${REPLICA}\\.|any_object$)`)] },
  } as Options);
  return { orm, pool: await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient() };
}

/**
 * The statements that bring a migrated database to what the declarations say; none when it is there.
 * @param url of the database with all migrations applied
 * @param scratch url of an empty database, in which the declared tables are made for comparison
 */
export async function differences(catalogue: Catalogue, service: string, url: string, scratch: string): Promise<string[]> {
  const entities = () => entitiesFor(catalogue, service);
  const apps = [...new Set([...catalogue.models.values()].map((model) => model.app))];
  const [migrated, declared] = [await open(url, entities(), apps), await open(scratch, entities(), apps)];
  try {
    const tables = await migrated.orm.schema.getUpdateSchemaSQL({ wrap: false });
    await declared.pool.query(`create collation if not exists "${NATURAL}" (provider = icu, locale = 'und-u-kn-true'); create schema if not exists "${REPLICA}"`);
    await declared.orm.schema.create();
    return [...statementsOf(tables), ...changedIndexes(await indexes(migrated.pool), await indexes(declared.pool))];
  } finally {
    await migrated.orm.close(true);
    await declared.orm.close(true);
  }
}

/** The generator ends each statement with a semicolon and a line feed. */
const statementsOf = (sql: string): string[] => sql.split(/;\s*\n/).map((statement) => statement.trim().replace(/;$/, '')).filter((statement) => statement !== '');

interface Definition { schema: string; name: string; definition: string }

async function indexes(pool: Pool): Promise<Map<string, Definition>> {
  const { rows } = await pool.query<Definition>(`select schemaname as schema, indexname as name, indexdef as definition from pg_indexes where schemaname in ('public', $1)`, [REPLICA]);
  return new Map(rows.map((row) => [`${row.schema}.${row.name}`, row]));
}

/** Indexes that are called the same and are not: the generator compares indexes of expressions by their names alone. */
function changedIndexes(present: Map<string, Definition>, declared: Map<string, Definition>): string[] {
  return [...declared].flatMap(([key, wanted]) => {
    const found = present.get(key);
    return found && found.definition !== wanted.definition ? [`drop index "${wanted.schema}"."${wanted.name}"`, wanted.definition] : [];
  });
}
