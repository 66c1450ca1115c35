import type { PoolClient } from 'pg';
import { typeId } from '@cadastre/model';
import { type ChangeEvent, isDerived } from '@cadastre/events';
import type { Engine } from '../engine.ts';
import { type Executor, rowsOf } from '../query/sql.ts';
import { followersOf, followUp } from '../write/effects.ts';
import type { ReplicaRow } from '../write/peers.ts';
import { record } from '../write/record.ts';
import { keepReplicas } from '../write/replicas.ts';
import { transaction } from '../write/transaction.ts';
import { keepAnyObjects } from './anyObject.ts';
import { CUSTOM_FIELD, inTurn } from './catchUp.ts';
import { followCustomField } from './customFields.ts';
import { forget } from './forget.ts';

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
  for (const run of inRuns(events)) {
    const event = run[0]!;
    if (event.action === 'deleted') {
      await flush();
      await engine.transact((client) => forget(engine, event.objectType, run.map(({ objectId }) => objectId), event.request, client));
    } else if (tables.replicas.has(event.objectType) && event.row) rows.push({ type: event.objectType, row: replicaRow(event) });
    if (event.objectType === CUSTOM_FIELD) { await flush(); for (const one of run) if (!isDerived(one)) await inTurn(engine, () => followCustomField(engine, one)); }
  }
  await flush();
  if (tables.keepsAnyObject) await transaction(engine.pool, (client) => keepAnyObjects(engine, events, client));
}

/** Whether changes of a type's objects can matter to this service: because it keeps them, refers to them, or derives something from them. */
export function concerns(engine: Engine, type: string): boolean {
  const { tables, catalogue } = engine;
  if (tables.keepsAnyObject || tables.replicas.has(type) || type === CUSTOM_FIELD) return true;
  return catalogue.incoming(type).some(({ model }) => tables.owns(model.name)) || followersOf(engine, type).length > 0;
}

const replicaRow = (event: ChangeEvent): ReplicaRow => ({ ...event.row, id: event.objectId, _version: event.version } as ReplicaRow);

/** How many deletions are followed in one transaction. */
const MAX_DELETIONS = 500;

/** Events in order; deletions of objects of one type that come after each other and belong to one request are together. */
function inRuns(events: readonly ChangeEvent[]): ChangeEvent[][] {
  const runs: ChangeEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1), first = last?.[0];
    const goesOn = event.action === 'deleted' && first?.action === 'deleted' && first.objectType === event.objectType && first.request?.id === event.request?.id;
    if (goesOn && last!.length < MAX_DELETIONS) last!.push(event); else runs.push([event]);
  }
  return runs;
}

/** Tells other processes that objects of a type may have changed. */
export async function touchType(type: string, executor: Executor): Promise<void> {
  await rowsOf(executor, { text: 'insert into touched (type, id) values ($1, 0)', values: [typeId(type)] });
}

