import type { PoolClient } from 'pg';
import type { Engine } from '../engine.ts';
import { ANYBODY } from '../plan/permissions.ts';
import { noteGone } from '../replicas/gone.ts';
import { lockOut } from '../write/asking.ts';
import { carryOut, consequencesElsewhere } from '../write/cascade.ts';
import { followersOf, followUp, settle } from '../write/effects.ts';
import { unmark } from '../write/marks.ts';
import { type Cause, record } from '../write/record.ts';
import { dropReplicas } from '../write/replicas.ts';
import { dropAnyObjects } from './anyObject.ts';

/** Objects of another service are gone: `cascade` and `setNull` references of this service's follow, under the request that caused it, and nothing brings them back. */
export async function forget(engine: Engine, type: string, ids: number[], request: Cause | null, client: PoolClient): Promise<void> {
  const { tables, catalogue } = engine, cause: Cause | null = request && { ...request, elsewhere: true };
  if (!catalogue.has(type)) return;
  if (tables.owns(type)) { if (tables.keepsAnyObject) await dropAnyObjects([{ type, ids }], client); return; }
  // The owner may have asked nobody, so a writer may be about to commit a pointer at an object; it holds the lock shared.
  await lockOut(type, ids, client);
  const consequences = await consequencesElsewhere(engine, type, ids, 'follow', client), changes = await carryOut(tables, consequences, '', client);
  await unmark(consequences.doomed.filter(({ model }) => catalogue.deletions.isGuarded(model.name)).map(({ model, rows }) => ({ type: model.name, ids: [...rows.keys()] })), client);
  if (changes.length) await record(await engine.source(client), await settle(engine, changes, { ...ANYBODY, userId: cause?.userId ?? null }, client), cause, client);
  if (tables.replicas.has(type) || tables.keepsAnyObject) await noteGone(type, ids, client);
  if (tables.replicas.has(type)) await dropReplicas(tables, type, ids, client);
  if (tables.keepsAnyObject) await dropAnyObjects([{ type, ids }], client);
  const followers = followersOf(engine, type);
  if (followers.length) await record(await engine.source(client), await followUp(engine, followers, type, ids, client), cause, client);
}
