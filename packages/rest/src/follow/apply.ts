import type { PoolClient } from 'pg';
import { typeId } from '@cadastre/model';
import { type ChangeEvent, isDerived } from '@cadastre/events';
import type { Engine } from '../engine.ts';
import { type Executor, rowsOf } from '../query/sql.ts';
import { ANYBODY } from '../plan/permissions.ts';
import { carryOut, clear, consequencesOf, refersTo } from '../write/cascade.ts';
import { followersOf, followUp, settle } from '../write/effects.ts';
import type { ReplicaRow } from '../write/peers.ts';
import { type Change, record } from '../write/record.ts';
import { lockKeys } from '../write/references.ts';
import { dropReplicas, keepReplicas } from '../write/replicas.ts';
import { lockRows } from '../write/store.ts';
import { transaction } from '../write/transaction.ts';
import { keepAnyObjects } from './anyObject.ts';
import { followCustomField } from './customFields.ts';

/**
 * Brings this service up to date with what happened elsewhere: replicas, references to objects that are gone, custom fields.
 * Safe to repeat, as row versions decide.
 */
export async function applyEvents(engine: Engine, events: readonly ChangeEvent[]): Promise<void> {
  const { tables } = engine;
  let rows: { type: string; row: ReplicaRow }[] = [];
  const flush = async () => {
    if (!rows.length) return;
    const pending = rows;
    rows = [];
    const groups = [...Map.groupBy(pending, (r) => r.type)].map(([type, group]) => ({ type, rows: group.map((g) => g.row), followers: followersOf(engine, type) }));
    const work = async (client: PoolClient) => {
      for (const { type, rows: kept } of groups) await keepReplicas(tables, type, kept, client);
      for (const { type, rows: kept, followers } of groups) {
        if (followers.length) await record(await engine.source(client), await followUp(engine, followers, type, kept.map(({ id }) => Number(id)), client), null, client);
      }
    };
    // Where nothing of this service changes, the relay has nothing to publish and is not woken.
    await (groups.some(({ followers }) => followers.length) ? engine.transact(work) : transaction(engine.pool, work));
  };
  for (const event of events) {
    if (event.action === 'deleted') {
      await flush();
      await engine.transact((client) => followDeletion(engine, event, client));
    } else if (tables.replicas.has(event.objectType) && event.row) rows.push({ type: event.objectType, row: replicaRow(event) });
    if (event.objectType === 'extras.customfield' && !isDerived(event)) { await flush(); await followCustomField(engine, event); }
  }
  await flush();
  if (tables.keepsAnyObject) await transaction(engine.pool, (client) => keepAnyObjects(engine, events, client));
}

const replicaRow = (event: ChangeEvent): ReplicaRow => ({ ...event.row, id: event.objectId, _version: event.version } as ReplicaRow);

/** `cascade` and `setNull` references of this service's objects follow the deletion, under the request that caused it. */
async function followDeletion(engine: Engine, event: ChangeEvent, client: PoolClient): Promise<void> {
  const { tables, catalogue } = engine, { objectType: type, objectId: id } = event;
  if (!catalogue.has(type) || tables.owns(type)) return;
  const changes: Change[] = [], following = catalogue.incoming(type).filter(({ model, onDelete }) => tables.owns(model.name) && onDelete !== 'protect');
  // The owner asked nobody about generic fields, so a writer may be about to commit one that points at the object; it holds the lock shared.
  if (following.some(({ generic }) => generic)) await rowsOf(client, { text: 'select pg_advisory_xact_lock(k) from unnest($1::bigint[]) k', values: [lockKeys(type, [id])] });
  for (const { model, field, onDelete } of following) {
    const found = await lockRows(tables, model, refersTo(model, field, type), [[id]], client, onDelete === 'cascade' ? 'delete' : 'change');
    if (onDelete === 'setNull') changes.push(...await clear(tables, model, found.map((cells) => ({ cells, fields: new Map([[field, [id]]]) })), client));
    else if (found.length) changes.push(...await carryOut(tables, await consequencesOf(tables, model, found, client), '', client));
  }
  if (changes.length) {
    const settled = await settle(engine, changes, { ...ANYBODY, userId: event.request?.userId ?? null }, client);
    await record(await engine.source(client), settled, event.request, client);
  }
  if (tables.replicas.has(type)) await dropReplicas(tables, type, [id], client);
  const followers = followersOf(engine, type);
  if (followers.length) await record(await engine.source(client), await followUp(engine, followers, type, [id], client), event.request, client);
}

/** Tells other processes that objects of a type may have changed. */
export async function touchType(type: string, executor: Executor): Promise<void> {
  await rowsOf(executor, { text: 'insert into touched (type, id) values ($1, 0)', values: [typeId(type)] });
}

