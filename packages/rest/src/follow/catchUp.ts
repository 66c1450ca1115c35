import type { PoolClient } from 'pg';
import type { Engine } from '../engine.ts';
import { rowsOf } from '../query/sql.ts';
import type { ReplicaRow } from '../write/peers.ts';
import { transaction } from '../write/transaction.ts';
import { followCustomField } from './customFields.ts';

export const CUSTOM_FIELD = 'extras.customfield';

/** Whoever rewrites objects after definitions of custom fields does so alone. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('custom fields', 0))`;

/** Runs work while nobody else follows definitions of custom fields in this service. */
export const inTurn = <T>(engine: Engine, work: (client: PoolClient) => Promise<T>): Promise<T> => transaction(engine.pool, async (client) => {
  await rowsOf(client, { text: LOCK, values: [] });
  return work(client);
});

interface Known { version: number; name: string; types: string[] }

/**
 * Makes of the owner's definitions what their events would have made of them, had they been heard: what changed since those that are
 * here. Objects come first and the definitions after them, so that what is interrupted is found undone.
 */
export async function catchUpCustomFields<T>(engine: Engine, rows: readonly ReplicaRow[], keep: () => Promise<T>): Promise<T> {
  return inTurn(engine, async (client) => {
    const known = await definitions(engine, rows.map(({ id }) => id), client);
    for (const row of rows) {
      const before = known.get(row.id), after = { name: row['name']!, object_types: row['object_types']!, related_object_type: row['related_object_type'] ?? null, default: row['default'] ?? null };
      if (!before || before.version < row._version) await followCustomField(engine, { action: before ? 'updated' : 'created', prechange: before ? { name: before.name, object_types: before.types } : null, postchange: after });
    }
    return keep();
  });
}

/** The same for definitions that the owner has no longer. */
export async function removeCustomFields(engine: Engine, ids: readonly number[]): Promise<void> {
  await inTurn(engine, async (client) => {
    for (const { name, types } of (await definitions(engine, ids, client)).values()) await followCustomField(engine, { action: 'deleted', prechange: { name, object_types: types }, postchange: null });
  });
}

/** The definitions as they are here; a service that owns them itself has nothing to compare with, and follows their events alone. */
async function definitions({ tables }: Engine, ids: readonly number[], client: PoolClient): Promise<Map<number, Known>> {
  if (!tables.replicas.has(CUSTOM_FIELD)) return new Map();
  const rows = await rowsOf(client, { text: `select id, _version, name, to_json(object_types)::text from ${tables.nameOf(CUSTOM_FIELD)} where id = any($1::bigint[])`, values: [ids] });
  return new Map(rows.map(([id, version, name, types]) => [Number(id), { version: Number(version), name: name!, types: JSON.parse(types ?? '[]') as string[] }]));
}
