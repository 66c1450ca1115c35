import { type Json, type Model, invalidating, typeId } from '@cadastre/model';
import type { ChangeEvent } from '@cadastre/events';
import type { WriteEngine } from '../../write/context/engine.ts';
import { rowsOf } from '../../db/sql.ts';
import { fetchObjects } from '../../replicas/fetch.ts';
import { transaction } from '../../db/transaction.ts';

export const CUSTOM_FIELD = 'extras.customfield';

/** Rows that one statement rewrites; the next one goes on where it stopped, so an interrupted run is resumed. */
const BATCH = 2000;

/**
 * Rewrites objects after a change of a custom field: a new field gives its default to the objects of its types, a
 * deleted one is removed from them, a renamed one is renamed in them. Objects of types that a field no longer has lose
 * its value. Safe to repeat: a value that an object has under the new name stays.
 */
export async function followCustomField(
  engine: WriteEngine,
  event: Pick<ChangeEvent, 'action' | 'prechange' | 'postchange'>,
): Promise<void> {
  const before = event.prechange;
  const after = event.action === 'deleted' ? null : event.postchange;
  const typesBefore = typesOf(before);
  const typesAfter = typesOf(after);
  const oldName = before?.['name'] as string | undefined;
  const name = after?.['name'] as string | undefined;
  await pullDefault(engine, after);
  for (const model of engine.catalogue.ownedBy(engine.tables.service)) {
    if (!model.features.has('customFields')) continue;
    const had = typesBefore.has(model.name);
    const has = typesAfter.has(model.name);
    if (oldName && had && !has) await rewrite(engine, model, `custom_fields - $1`, `custom_fields ? $1`, [oldName]);
    else if (oldName && name && had && has && oldName !== name)
      await rewrite(
        engine,
        model,
        `(custom_fields - $1) || jsonb_build_object($2::text, custom_fields -> $1)`,
        `custom_fields ? $1 and not custom_fields ? $2`,
        [oldName, name],
      );
    else if (name && has && !had)
      await rewrite(
        engine,
        model,
        `custom_fields || jsonb_build_object($1::text, $2::jsonb)`,
        `not custom_fields ? $1`,
        [name, JSON.stringify((after?.['default'] ?? null) as Json)],
      );
  }
}

/** Objects that a default names are pointed at from now on. */
async function pullDefault(engine: WriteEngine, field: ChangeEvent['postchange']): Promise<void> {
  const type = field?.['related_object_type'];
  const ids = [field?.['default'] ?? []].flat().map(Number);
  if (typeof type === 'string' && engine.tables.partOf(type) && ids.length)
    await transaction(engine.pool, (client) => fetchObjects(engine, type, ids, client));
}

const typesOf = (snapshot: ChangeEvent['postchange']): Set<string> =>
  new Set((snapshot?.['object_types'] ?? []) as string[]);

async function rewrite(
  engine: WriteEngine,
  model: Model,
  value: string,
  condition: string,
  values: unknown[],
): Promise<void> {
  const table = engine.tables.nameOf(model.name);
  const typed = (sql: string) => sql.replaceAll('$1', '$1::text').replaceAll('$1::text::text', '$1::text');
  for (let changed = BATCH; changed === BATCH; ) {
    const rows = await rowsOf(engine.pool, {
      text: `with chosen as (select id from ${table} where ${typed(condition)} order by id limit ${BATCH} for update),
        changed as (update ${table} t set custom_fields = ${typed(value)} from chosen c where t.id = c.id returning t.id),
        told as (${invalidating(`select ${typeId(model.name)}, id from changed`)})
        select count(*) from changed`,
      values,
    });
    changed = Number(rows[0]![0]);
  }
}
