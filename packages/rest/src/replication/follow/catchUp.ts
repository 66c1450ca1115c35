import type { ChangeEvent, JsonObject } from '@cadastre/events';
import type { PoolClient } from 'pg';
import type { WriteEngine } from '../../write/context/engine.ts';
import { rowsOf } from '../../db/sql.ts';
import { tombstonesAmong, addTombstones } from '../../replicas/tombstones.ts';
import type { ReplicaRow } from '../../peers/peers.ts';
import { dropReplicas, keepReplicas } from '../../replicas/replicas.ts';
import { transaction } from '../../db/transaction.ts';
import { CUSTOM_FIELD, followCustomField } from './customFields.ts';

/**
 * Applies what a change of a definition means for objects here. Events may come late, or again, and those of two fields
 * in any order, so it compares with the definition kept here: an event older than that has been handled already, and
 * one that is newer by several steps does what all of them do.
 * @param keep stores the definition as it is now, or removes it
 */
export const followDefinition = (engine: WriteEngine, event: ChangeEvent, keep: () => Promise<void>): Promise<void> =>
  withDefinitionLock(engine, async (client) => {
    const { objectId, action, version, prechange, postchange } = event;
    const isOwner = engine.tables.owns(CUSTOM_FIELD);
    if (action === 'deleted') {
      const again = (await tombstonesAmong(CUSTOM_FIELD, [objectId], client)).length > 0;
      await keep();
      if (again) return;
      const others = await othersNamed(engine, objectId, prechange, client);
      if (others.size && !isOwner) return;
      await followCustomField(engine, event);
      for (const { definition } of others.values())
        await followCustomField(engine, { action: 'created', prechange: null, postchange: definition });
      return;
    }
    const known = isOwner
      ? undefined
      : (await definitions(engine, 'id = any($1::bigint[])', [[objectId]], client)).get(objectId);
    if (!isOwner) await catchUpDefinitions(engine, await othersNamed(engine, objectId, postchange, client), client);
    await keep();
    if (!known || known.version === version) await followCustomField(engine, event);
    else if (known.version < version)
      await followCustomField(engine, { action, prechange: known.definition, postchange });
    else if (action === 'created') await followCustomField(engine, { action, prechange, postchange: known.definition });
  });

/**
 * Other fields that have this name here. At the owner names are unique, so the field that had the name before has lost
 * it.
 */
const othersNamed = (
  engine: WriteEngine,
  id: number,
  definition: ChangeEvent['postchange'],
  client: PoolClient,
): Promise<Map<number, Known>> =>
  definitions(engine, 'name = $1 and id <> $2', [definition?.['name'] ?? null, id], client);

/**
 * Asks the owner what has become of fields, and applies what their events will say: until then their values would be
 * taken for another field's.
 */
async function catchUpDefinitions(
  engine: WriteEngine,
  others: ReadonlyMap<number, Known>,
  client: PoolClient,
): Promise<void> {
  if (!others.size) return;
  const { tables, catalogue, peers } = engine;
  const columns = [...tables.columnsOf(catalogue.get(CUSTOM_FIELD)).keys()];
  const rows = new Map(
    (await peers.rows(catalogue.serviceOf(CUSTOM_FIELD)!, CUSTOM_FIELD, columns, [...others.keys()])).map((row) => [
      row.id,
      row,
    ]),
  );
  for (const [id, { definition }] of others) {
    const row = rows.get(id);
    await followCustomField(engine, {
      action: row ? 'updated' : 'deleted',
      prechange: definition,
      postchange: row ? definitionOf(row) : null,
    });
    if (row) {
      await keepReplicas(tables, CUSTOM_FIELD, [JSON.stringify(row)], client);
      continue;
    }
    await addTombstones([{ type: CUSTOM_FIELD, ids: [id] }], client);
    await dropReplicas(tables, CUSTOM_FIELD, [id], client);
  }
}

/** Only one transaction at a time rewrites objects after a change of custom field definitions. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('custom fields', 0))`;

/** Runs work while nobody else follows definitions of custom fields in this service. */
const withDefinitionLock = <T>(engine: WriteEngine, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  transaction(engine.pool, async (client) => {
    await rowsOf(client, { text: LOCK, values: [] });
    return work(client);
  });

interface Known {
  version: number;
  definition: JsonObject;
}

/**
 * Applies the owner's definitions as their events would have done, had they arrived: what changed since the definitions
 * kept here. Objects are rewritten before the definitions are stored, so that an interrupted run is repeated.
 */
export async function catchUpCustomFields<T>(
  engine: WriteEngine,
  rows: readonly ReplicaRow[],
  keep: () => Promise<T>,
): Promise<T> {
  return withDefinitionLock(engine, async (client) => {
    const known = await replicated(
      engine,
      rows.map(({ id }) => id),
      client,
    );
    for (const row of rows) {
      const before = known.get(row.id);
      if (!before || before.version < row._version)
        await followCustomField(engine, {
          action: before ? 'updated' : 'created',
          prechange: before?.definition ?? null,
          postchange: definitionOf(row),
        });
    }
    return keep();
  });
}

/** The same for definitions that the owner does not have any more. */
export async function removeCustomFields(engine: WriteEngine, ids: readonly number[]): Promise<void> {
  await withDefinitionLock(engine, async (client) => {
    for (const { definition } of (await replicated(engine, ids, client)).values())
      await followCustomField(engine, { action: 'deleted', prechange: definition, postchange: null });
  });
}

const definitionOf = (row: ReplicaRow): JsonObject => ({
  name: row['name']!,
  object_types: row['object_types']!,
  related_object_type: row['related_object_type'] ?? null,
  default: row['default'] ?? null,
});

/**
 * The definitions as they were last received; a service that owns them itself has nothing to compare with, and only
 * follows their events.
 */
const replicated = async (
  engine: WriteEngine,
  ids: readonly number[],
  client: PoolClient,
): Promise<Map<number, Known>> =>
  engine.tables.replicas.has(CUSTOM_FIELD) ? definitions(engine, 'id = any($1::bigint[])', [ids], client) : new Map();

async function definitions(
  { tables }: WriteEngine,
  condition: string,
  values: unknown[],
  client: PoolClient,
): Promise<Map<number, Known>> {
  if (!tables.has(CUSTOM_FIELD)) return new Map();
  const rows = await rowsOf(client, {
    text: `select id, _version, json_build_object('name', name, 'object_types', object_types, 'related_object_type', related_object_type, 'default', "default")::text from ${tables.nameOf(CUSTOM_FIELD)} where ${condition}`,
    values,
  });
  return new Map(
    rows.map(([id, version, definition]) => [
      Number(id),
      { version: Number(version), definition: JSON.parse(definition!) as JsonObject },
    ]),
  );
}
