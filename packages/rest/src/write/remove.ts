import type { PoolClient } from 'pg';
import { type Cell, type Json, type Model, typeId } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { invalid, notFound, refuse } from '../errors.ts';
import { permissionSql } from '../plan/plan.ts';
import { Binder, rowsOf } from '../query/sql.ts';
import { MAX_MESSAGE } from './parse.ts';
import { carryOut, conflict, consequencesOf, refuseDependents } from './cascade.ts';
import { settle } from './effects.ts';
import { record } from './record.ts';
import type { WriteContext } from './save.ts';
import { lockPermitted, refuseMissing, requireMatch } from './update.ts';

/** How long an object stays marked when the process that marked it dies, in seconds. */
const LEASE_SECONDS = 30;

export interface Deletion { ids: number[]; messages: ReadonlyMap<number, string>; ifMatch?: string | undefined; single: boolean }

/** The message that comes with a deletion; one that is too long is cut, as there is no field to refuse it at. */
export const messageOf = (body: Json | undefined): string => {
  const message = body !== null && typeof body === 'object' && !Array.isArray(body) ? body['changelog_message'] : undefined;
  return typeof message === 'string' ? message.slice(0, MAX_MESSAGE) : '';
};

/** Ids and messages of a bulk deletion. @throws Refusal 400 when an item has no id */
export function parseDeletion(bodies: Json[]): Deletion {
  const messages = new Map<number, string>();
  const errors = bodies.map((body) => {
    const id = body !== null && typeof body === 'object' && !Array.isArray(body) ? body['id'] : undefined;
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) return { id: [id === undefined ? 'This field is required.' : 'A valid integer is required.'] };
    messages.set(id, messageOf(body));
    return {};
  });
  if (errors.some((e) => 'id' in e)) throw invalid(errors);
  return { ids: [...messages.keys()], messages, single: false };
}

/** Deletes objects, all or none, with what goes with them. @throws Refusal 403, 404, 409, 412, 503; 400 naming ids in bulk */
export async function remove(engine: Engine, model: Model, deletion: Deletion, context: WriteContext): Promise<void> {
  const { ids } = deletion;
  if (!ids.length) return;
  await engine.look.wait();
  await requirePresent(engine, model, deletion, context);
  const referrers = foreignReferrers(engine, model);
  if (!referrers.length) return removeHere(engine, model, deletion, context);
  await mark(engine, model, ids);
  try {
    await askReferrers(engine, model, ids, referrers);
    await removeHere(engine, model, deletion, context);
  } finally { await unmark(engine, model, ids); }
}

/**
 * Services other than this one that must be asked first: those that declare a reference to objects of the model, whatever becomes of it
 * on deletion, and generic fields that protect. What other generic fields point at is cleared when the event of the deletion arrives.
 */
function foreignReferrers(engine: Engine, model: Model): string[] {
  const { catalogue, tables } = engine;
  const services = catalogue.incoming(model.name).filter((i) => !i.generic || i.onDelete === 'protect').map((i) => catalogue.serviceOf(i.model.name)!);
  return [...new Set(services)].filter((s) => s !== tables.service);
}

async function requirePresent(engine: Engine, model: Model, deletion: Deletion, { who }: WriteContext): Promise<void> {
  const binder = new Binder(), list = binder.bind(deletion.ids), permission = permissionSql(engine.tables, model, 'delete', who, binder);
  const rows = await rowsOf(engine.pool, { text: `select t.id from ${engine.tables.nameOf(model.name)} t where t.id = any(${list}::bigint[])${permission ? ` and ${permission}` : ''}`, values: binder.values });
  requireAll(model, deletion, rows);
}

function requireAll(model: Model, { ids, single }: Deletion, rows: Cell[][]): void {
  const found = new Map(rows.map((cells) => [Number(cells[0]), true]));
  if (single && !found.size) throw notFound(model.className);
  refuseMissing(model, ids, found);
}

/** From here on nobody gets a new reference to these objects: their owner's `Resolve` refuses them. */
async function mark(engine: Engine, model: Model, ids: number[]): Promise<void> {
  const rows = await rowsOf(engine.pool, {
    text: `insert into being_deleted as d (type, id, until) select $1, id, now() + make_interval(secs => ${LEASE_SECONDS}) from unnest($2::bigint[]) id order by id
      on conflict (type, id) do update set until = excluded.until where d.until < now() returning id`,
    values: [typeId(model.name), ids],
  });
  if (rows.length === ids.length) return;
  await unmark(engine, model, rows.map(([id]) => Number(id)));
  throw refuse(409, 'Unable to delete object. It is being deleted by another request.');
}

async function unmark(engine: Engine, model: Model, ids: number[]): Promise<void> {
  await rowsOf(engine.pool, { text: 'delete from being_deleted where type = $1 and id = any($2::bigint[])', values: [typeId(model.name), ids] });
}

async function askReferrers(engine: Engine, model: Model, ids: number[], services: string[]): Promise<void> {
  const answers = await Promise.all(services.map((service) => engine.peers.countReferences(service, model.name, ids)));
  const count = answers.reduce((sum, a) => sum + a.count, 0);
  if (count) throw conflict(count, answers.flatMap((a) => a.names));
}

function removeHere(engine: Engine, model: Model, deletion: Deletion, context: WriteContext): Promise<void> {
  return engine.transact(async (client: PoolClient) => {
    const rows = await lockPermitted(engine, model, deletion.ids, 'delete', context.who, client);
    requireAll(model, deletion, rows);
    if (deletion.ifMatch !== undefined) requireMatch(model, rows[0]!, deletion.ifMatch);
    const consequences = await consequencesOf(engine.tables, model, rows, client);
    refuseDependents(consequences);
    const changes = await carryOut(engine.tables, consequences, '', client);
    for (const change of changes) if (change.model === model) change.message = deletion.messages.get(Number(change.before?.[0])) ?? '';
    await record(await engine.source(client), await settle(engine, changes, context.who, client), context.cause, client);
  });
}
