import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { type Cell, type Json, type Model, typeId } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { invalid, notFound, refuse } from '../errors.ts';
import { permissionSql } from '../plan/plan.ts';
import { Binder, type Executor, rowsOf } from '../query/sql.ts';
import { MAX_MESSAGE } from './parse.ts';
import { carryOut, conflict, consequencesOf, type Doomed, refuseDependents } from './cascade.ts';
import { settle } from './effects.ts';
import { record } from './record.ts';
import type { WriteContext } from './save.ts';
import { readRows } from './store.ts';
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

/** How often a deletion starts again because more hangs on the objects than when the other services were asked. */
const ATTEMPTS = 3;

/** Deletes objects, all or none, with what goes with them. @throws Refusal 403, 404, 409, 412, 503; 400 naming ids in bulk */
export async function remove(engine: Engine, model: Model, deletion: Deletion, context: WriteContext): Promise<void> {
  if (!deletion.ids.length) return;
  await engine.look.wait();
  await requirePresent(engine, model, deletion, context);
  for (let attempt = 1; ; attempt++) {
    const asked = await doomedElsewhere(engine, model, deletion.ids), lease = await mark(engine, asked);
    try {
      await askReferrers(engine, asked);
      return await removeHere(engine, model, deletion, asked, lease, context);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (attempt === ATTEMPTS) throw refuse(409, 'Unable to delete object. Objects that belong to it are being added at the same time.');
    } finally { await lease.end(); }
  }
}

/** Objects that would go, by type, of types that other services have a say in. */
type Asked = Map<string, number[]>;

/** What the other services said holds no longer: more has come to depend on the objects since, or the time for asking is over. */
class Overtaken extends Error {}

/**
 * Services other than this one that must be asked before objects of a type go: those that declare a reference to them, whatever becomes
 * of it on deletion, and generic fields that protect. What other generic fields point at is cleared when the event of the deletion arrives.
 */
function foreignReferrers({ catalogue, tables }: Engine, type: string): string[] {
  const services = catalogue.incoming(type).filter((i) => !i.generic || i.onDelete === 'protect').map((i) => catalogue.serviceOf(i.model.name)!);
  return [...new Set(services)].filter((s) => s !== tables.service);
}

/** What others must be asked about: the objects themselves, and those that go with them. */
async function doomedElsewhere(engine: Engine, model: Model, ids: number[]): Promise<Asked> {
  const { tables } = engine, types = goesWith(engine, model.name);
  if (![...types].some((type) => foreignReferrers(engine, type).length)) return new Map();
  const takesItsLike = engine.catalogue.incoming(model.name).some((i) => i.model === model && i.onDelete === 'cascade');
  if (types.size === 1 && !takesItsLike) return new Map([[model.name, [...ids].sort((a, b) => a - b)]]);
  const { doomed } = await consequencesOf(tables, model, await readRows(tables, model, ids, engine.pool), engine.pool);
  return askable(engine, doomed);
}

/** The types of this service of which objects may go when one of a type goes, itself among them. */
function goesWith(engine: Engine, type: string, found = new Set<string>()): Set<string> {
  const { catalogue, tables } = engine;
  if (found.has(type)) return found;
  found.add(type);
  for (const { model, onDelete } of catalogue.incoming(type)) if (onDelete === 'cascade' && tables.owns(model.name)) goesWith(engine, model.name, found);
  return found;
}

const askable = (engine: Engine, doomed: Doomed[]): Asked =>
  new Map(doomed.filter(({ model, rows }) => rows.size && foreignReferrers(engine, model.name).length).map(({ model, rows }) => [model.name, [...rows.keys()].sort((a, b) => a - b)]));

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

/** The marks of one deletion. Another deletion may take them over when their time is over. */
interface Lease {
  /** Whether every object still bears this deletion's mark; asked where their rows are locked, so that nobody can be told otherwise meanwhile. */
  holds(executor: Executor): Promise<boolean>;
  end(): Promise<void>;
}

/** From here on nobody gets a new reference to these objects: their owner's `Resolve` refuses them. @throws Refusal 409 when another deletion has them */
async function mark({ pool }: Engine, asked: Asked): Promise<Lease> {
  const pairs = [...asked].flatMap(([type, ids]) => ids.map((id) => [typeId(type), id] as const)), by = randomUUID();
  if (!pairs.length) return { holds: () => Promise.resolve(true), end: () => Promise.resolve() };
  const lease: Lease = {
    holds: async (executor) => Number((await rowsOf(executor, { text: 'select count(*) from being_deleted where by = $1 and until > clock_timestamp()', values: [by] }))[0]![0]) === pairs.length,
    end: async () => { await rowsOf(pool, { text: 'delete from being_deleted where by = $1', values: [by] }); },
  };
  const rows = await rowsOf(pool, {
    text: `insert into being_deleted as d (type, id, until, by) select type, id, now() + make_interval(secs => ${LEASE_SECONDS}), $3 from unnest($1::int[], $2::bigint[]) as g(type, id) order by type, id
      on conflict (type, id) do update set until = excluded.until, by = excluded.by where d.until < now() returning id`,
    values: [pairs.map(([type]) => type), pairs.map(([, id]) => id), by],
  });
  if (rows.length === pairs.length) return lease;
  await lease.end();
  throw refuse(409, 'Unable to delete object. It is being deleted by another request.');
}

async function askReferrers(engine: Engine, asked: Asked): Promise<void> {
  const answers = await Promise.all([...asked].flatMap(([type, ids]) => foreignReferrers(engine, type).map((service) => engine.peers.countReferences(service, type, ids))));
  const count = answers.reduce((sum, a) => sum + a.count, 0);
  if (count) throw conflict(count, answers.flatMap((a) => a.names));
}

function removeHere(engine: Engine, model: Model, deletion: Deletion, asked: Asked, lease: Lease, context: WriteContext): Promise<void> {
  return engine.transact(async (client: PoolClient) => {
    const rows = await lockPermitted(engine, model, deletion.ids, 'delete', context.who, client);
    requireAll(model, deletion, rows);
    if (deletion.ifMatch !== undefined) requireMatch(model, rows[0]!, deletion.ifMatch);
    const consequences = await consequencesOf(engine.tables, model, rows, client);
    await refuseDependents(() => engine.source(client), consequences);
    const known = new Map([...asked].map(([type, ids]) => [type, new Set(ids)]));
    for (const [type, ids] of askable(engine, consequences.doomed)) if (ids.some((id) => !known.get(type)?.has(id))) throw new Overtaken();
    if (!await lease.holds(client)) throw new Overtaken();
    const changes = await carryOut(engine.tables, consequences, '', client);
    for (const change of changes) if (change.model === model) change.message = deletion.messages.get(Number(change.before?.[0])) ?? '';
    await record(await engine.source(client), await settle(engine, changes, context.who, client), context.cause, client);
  });
}
