import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { type Cell, isDict, type Json, type Model } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { invalid, notFound, Refusal, refuse } from '../../core/errors.ts';
import { permissionSql } from '../../read/plan/plan.ts';
import type { Requester } from '../../core/requester.ts';
import { requireReauthenticationFor } from '../../core/reauthentication.ts';
import { Binder, rowsOf } from '../../db/sql.ts';
import { askServices, type IdsByType, askedAbout } from '../consequences/asking.ts';
import {
  duplicatesConflict,
  applyConsequences,
  dependentsConflict,
  consequencesOf,
  namesOf,
  refuseDependents,
} from '../consequences/cascade.ts';
import { runEffects } from '../effects/effects.ts';
import { previewEverywhere } from './preview.ts';
import type { DeletionPreview } from '../../peers/peers.ts';
import { type Lease, markForDeletion, release } from '../consequences/marks.ts';
import { MAX_MESSAGE } from '../parse/parse.ts';
import { record } from '../record/record.ts';
import type { Consequences } from '../consequences/consequences.ts';
import type { Change } from '../context/change.ts';
import type { WriteContext } from '../context/context.ts';
import { isUniqueViolation } from '../check/unique.ts';
import { refusingForbidden } from '../check/rules.ts';
import { readRows, rowColumns } from '../store/store.ts';
import { lockPermitted, refuseMissing, requireMatch } from '../store/permitted.ts';
import { indexOf, valuesOf } from '../../db/values.ts';

export interface Deletion {
  ids: number[];
  messages: ReadonlyMap<number, string>;
  ifMatch?: string | undefined;
  single: boolean;
}

/** The message that comes with a deletion; one that is too long is cut, as there is no field to refuse it at. */
export const messageOf = (body: Json | undefined): string => {
  const message = isDict(body) ? body['changelog_message'] : undefined;
  return typeof message === 'string' ? message.slice(0, MAX_MESSAGE) : '';
};

/** Ids and messages of a bulk deletion. @throws Refusal 400 when an item has no id */
export function parseDeletion(bodies: Json[]): Deletion {
  const messages = new Map<number, string>();
  const errors = bodies.map((body) => {
    const id = isDict(body) ? body['id'] : undefined;
    if (typeof id !== 'number' || !Number.isSafeInteger(id))
      return { id: [id === undefined ? 'This field is required.' : 'A valid integer is required.'] };
    messages.set(id, messageOf(body));
    return {};
  });
  if (errors.some((e) => 'id' in e)) throw invalid(errors);
  return { ids: [...messages.keys()], messages, single: false };
}

/**
 * What deleting objects would do. Users who may not delete them get the refusal that a deletion would get.
 * @throws Refusal 403, 404; 400 naming ids in bulk
 */
export async function previewDeletion(
  engine: WriteEngine,
  model: Model,
  deletion: Deletion,
  context: Pick<WriteContext, 'who'>,
): Promise<DeletionPreview> {
  await engine.ready();
  await requirePresent(engine, model, deletion, context);
  await checkGuard(engine, model, deletion.ids, context.who);
  return previewEverywhere(engine, model, deletion.ids, context.who);
}

/** How often a deletion is tried when more depends on the objects than the other services were asked about. */
const ATTEMPTS = 3;

/**
 * Deletes objects, all or none, with those deleted along. @throws Refusal 403, 404, 409, 412, 503; 400 naming ids in
 * bulk
 */
export async function remove(
  engine: WriteEngine,
  model: Model,
  deletion: Deletion,
  context: WriteContext,
): Promise<void> {
  if (!deletion.ids.length) return;
  await engine.ready();
  await requirePresent(engine, model, deletion, context);
  requireReauthenticationFor(model, context.who);
  await checkGuard(engine, model, deletion.ids, context.who);
  // Identifies the deletion, here and in other services: it may mark again whatever was marked for it.
  const by = randomUUID();
  const heard = new Set<string>();
  let done = false;
  try {
    for (let attempt = 1; !done; attempt++)
      done = await attemptRemoval(engine, model, deletion, context, by, heard, attempt === ATTEMPTS);
  } finally {
    if (!done) await releaseAt(engine, heard, by);
  }
}

/** Returns whether the objects are deleted; false when it has to be tried again. The last attempt throws instead. */
async function attemptRemoval(
  engine: WriteEngine,
  model: Model,
  deletion: Deletion,
  context: WriteContext,
  by: string,
  heard: Set<string>,
  last: boolean,
): Promise<boolean> {
  const asked = await deletionsToAsk(engine, model, deletion.ids);
  const lease = await markForDeletion(
    engine,
    [...asked].map(([type, ids]) => ({ type, ids })),
    by,
  );
  try {
    await askReferrers(engine, model, deletion.ids, asked, by, context.who, heard);
    await removeInTransaction(engine, model, deletion, asked, lease, context);
    return true;
  } catch (error) {
    if (!(error instanceof AnswersOutdated)) throw error;
    if (last) throw error.refusal;
    return false;
  } finally {
    await lease.end();
  }
}

/** The answers of the other services are out of date. */
class AnswersOutdated extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super();
    this.refusal = refusal;
  }
}

const newDependents = () =>
  refuse(409, 'Unable to delete object. Objects that belong to it are being added at the same time.');
const newDuplicates = () =>
  refuse(
    409,
    'Unable to delete object. Objects that refer to it would be the same as others that are being added at the same time.',
  );
const leaseExpired = () =>
  new Refusal(503, { detail: 'The deletion took too long. Nothing was changed.' }, { 'Retry-After': '1' });

/** What others must be asked about: the objects themselves, and those that go with them. */
async function deletionsToAsk(engine: WriteEngine, model: Model, ids: number[]): Promise<IdsByType> {
  const { deletions } = engine.catalogue;
  const types = deletions.goesWith(model.name);
  if (![...types].some((type) => deletions.askedAbout(type).length)) return new Map();
  const takesItsLike = engine.catalogue.incoming(model.name).some((i) => i.model === model && i.onDelete === 'cascade');
  if (types.size === 1 && !takesItsLike) return new Map([[model.name, [...ids].sort((a, b) => a - b)]]);
  const { deleted } = await consequencesOf(
    engine,
    model,
    await readRows(engine.tables, model, ids, engine.pool),
    engine.pool,
  );
  return askedAbout(engine, deleted);
}

/** @throws Refusal 409 that names what stands in the way, here and elsewhere */
async function askReferrers(
  engine: WriteEngine,
  model: Model,
  ids: number[],
  asked: IdsByType,
  by: string,
  who: Requester,
  heard: Set<string>,
): Promise<void> {
  const { count, names, clashing } = await askServices(engine, asked, by, who, heard);
  if (!count && clashing) throw duplicatesConflict(clashing);
  if (!count) return;
  const { dependents } = await consequencesOf(
    engine,
    model,
    await readRows(engine.tables, model, ids, engine.pool),
    engine.pool,
  );
  throw dependentsConflict(dependents.length + count, [
    ...(await namesOf(await engine.readContext(engine.pool, who), dependents)),
    ...names,
  ]);
}

/**
 * Tells the services that were asked that the deletion does not take place. A service that is not reached drops its marks when
 * their lease expires.
 */
async function releaseAt(
  { tables, peers, pool }: WriteEngine,
  services: ReadonlySet<string>,
  by: string,
): Promise<void> {
  await Promise.all(
    [...services].map((service) =>
      (service === tables.service ? release(by, pool) : peers.releaseMarks(service, by)).catch(() => undefined),
    ),
  );
}

async function requirePresent(
  engine: WriteEngine,
  model: Model,
  deletion: Deletion,
  { who }: Pick<WriteContext, 'who'>,
): Promise<void> {
  const binder = new Binder();
  const list = binder.bind(deletion.ids);
  const permission = permissionSql(engine.tables, model, 'delete', who, binder);
  const rows = await rowsOf(engine.pool, {
    text: `select t.id from ${engine.tables.nameOf(model.name)} t where t.id = any(${list}::bigint[])${permission ? ` and ${permission}` : ''}`,
    values: binder.values,
  });
  requireAll(model, deletion, rows);
}

/** @throws Refusal 403 where the model keeps these objects from the requester */
async function checkGuard(
  { tables, pool }: WriteEngine,
  model: Model,
  ids: number[],
  { userId, grants: { superuser } }: Requester,
): Promise<void> {
  if (!model.guard) return;
  const index = indexOf(rowColumns(model));
  const objects = (await readRows(tables, model, ids, pool)).map((cells) => valuesOf(model, index, cells));
  await refusingForbidden(() => model.guard!(objects, { userId, superuser }));
}

function requireAll(model: Model, { ids, single }: Deletion, rows: Cell[][]): void {
  const found = new Map(rows.map((cells) => [Number(cells[0]), true]));
  if (single && !found.size) throw notFound(model.className);
  refuseMissing(model, ids, found);
}

function removeInTransaction(
  engine: WriteEngine,
  model: Model,
  deletion: Deletion,
  asked: IdsByType,
  lease: Lease,
  context: WriteContext,
): Promise<void> {
  return engine.transact(async (client: PoolClient) => {
    const rows = await lockPermitted(engine, model, deletion.ids, 'delete', context.who, client);
    requireAll(model, deletion, rows);
    if (deletion.ifMatch !== undefined) requireMatch(model, rows[0]!, deletion.ifMatch);
    const consequences = await consequencesOf(engine, model, rows, client);
    await refuseDependents(() => engine.readContext(client, context.who), consequences);
    requireAsked(engine, asked, consequences);
    if (!(await lease.holds(client))) throw new AnswersOutdated(leaseExpired());
    const changes = await applyDeletion(engine, model, consequences, deletion, context, client);
    const all = await runEffects(engine, changes, context.who, client, undefined, context.cause.imported);
    await record(await engine.readContext(client), all, context.cause, client);
  });
}

/** @throws AnswersOutdated where more would go than the other services were asked about */
function requireAsked(engine: WriteEngine, asked: IdsByType, { deleted }: Consequences): void {
  const known = new Map([...asked].map(([type, ids]) => [type, new Set(ids)]));
  for (const [type, ids] of askedAbout(engine, deleted))
    if (ids.some((id) => !known.get(type)?.has(id))) throw new AnswersOutdated(newDependents());
}

/** Deletes the rows, with all that follows from it in this service. Returns the changes, with the messages sent for them. */
async function applyDeletion(
  { tables }: WriteEngine,
  model: Model,
  consequences: Consequences,
  { messages }: Deletion,
  { cause }: WriteContext,
  client: PoolClient,
): Promise<Change[]> {
  const changes = await applyConsequences(tables, consequences, client, cause.imported ? 'kept' : 'now').catch(
    (error: unknown) => {
      throw isUniqueViolation(error) ? new AnswersOutdated(newDuplicates()) : error;
    },
  );
  for (const change of changes)
    if (change.model === model) change.message = messages.get(Number(change.before?.[0])) ?? '';
  return changes;
}
