import { isDict, type Json, type Model } from '@cadastre/model';
import { Refusal } from '../../core/errors.ts';
import type { Grants } from '../../core/requester.ts';
import { perModel } from '../../db/perModel.ts';
import { uploadsOf } from '../../media/files.ts';
import { Unreachable } from '../../peers/peers.ts';
import type { WriteAnswer } from '../record/answer.ts';
import type { WriteContext } from '../context/context.ts';
import type { WriteEngine } from '../context/engine.ts';
import { createInTransaction, RetryWithUniqueCheck } from './createInTransaction.ts';
import { UnattributableEffect } from '../effects/attribute.ts';
import { parseItems } from '../parse/items.ts';
import type { Cause } from '../context/change.ts';
import { collectOutboxSpan, reportOutboxSpan, type OutboxSpan as Span } from '../record/outboxSpan.ts';
import { GroupCommit } from './groupCommit.ts';

/** A request for one new object. */
interface Member {
  body: Json;
  cause: Cause;
}
type MemberResult = { written: WriteAnswer; span: Span | undefined };

/** With one group at a time, the process would be idle while PostgreSQL works. */
const OPTIONS = { concurrency: 2, splitMs: 1_000 };

const groups = new WeakMap<WriteEngine, GroupCommit<Member, MemberResult>>();

/**
 * Creates an object together with those that other requests of the same user ask for meanwhile, in one transaction. No
 * request gets messages about another's object: when an object is refused, or something follows from the objects that
 * cannot be attributed to a single request, nothing is stored, and each is created by itself.
 * @param alone creates the object by itself
 */
export async function createInGroup(
  engine: WriteEngine,
  model: Model,
  body: Json,
  context: WriteContext,
  alone: () => Promise<WriteAnswer>,
): Promise<WriteAnswer> {
  const { creates } = engine.settings;
  if (creates.maxSize < 2 || !isGroupable(model, context)) return alone();
  let all = groups.get(engine);
  if (!all) groups.set(engine, (all = new GroupCommit({ ...OPTIONS, ...creates })));
  const outcome = await all.join(
    groupKey(engine, model, body, context),
    { body, cause: context.cause },
    async (members) =>
      members.length > 1 ? storeGroup(engine, model, members, context) : [{ written: await alone(), span: undefined }],
  );
  if (!outcome) return alone();
  reportOutboxSpan(outcome.span);
  return outcome.written;
}

/**
 * Work before the transaction, or with files, belongs to one request; a tree is locked for each; and the consequences
 * of writing secrets and rights are recorded with their request.
 */
const isGroupable = (model: Model, { importing, files }: WriteContext): boolean =>
  !importing && !files && !model.ahead && !model.tree && !model.confirms && !uploadsOf(model).length;

/**
 * Requests with the same key could have been one: they differ only in what they create, and in their ids. They also ask
 * the same services, so that none waits for a service that it does not need.
 */
const groupKey = (
  { tables }: WriteEngine,
  model: Model,
  body: Json,
  { who, base, cause, pendingWrites = '' }: WriteContext,
): string =>
  [
    model.name,
    isDict(body)
      ? remoteReferences(tables, model).filter((name) => body[name] !== undefined && body[name] !== null)
      : '',
    who.userId,
    who.username,
    grantsKey(who.grants),
    who.sessionId,
    who.provenUntil,
    cause.method,
    cause.path,
    base,
    pendingWrites,
  ].join('\n');

/** Fields by which a new object may refer to something that another service owns. */
const remoteReferences = perModel((tables, model) =>
  Object.entries(model.fields).flatMap(([name, { relation, generic, special }]) =>
    generic ? [generic.idField] : special || (relation && !tables.owns(relation.to)) ? [name] : [],
  ),
);

const numbers = new WeakMap<Grants, number>();
let lastNumber = 0;

/** Superusers have all rights; the grants of others stay the same object as long as nothing is changed about them. */
function grantsKey(grants: Grants): string {
  if (grants.superuser) return 'all';
  let number = numbers.get(grants);
  if (!number) numbers.set(grants, (number = ++lastNumber));
  return String(number);
}

async function storeGroup(
  engine: WriteEngine,
  model: Model,
  members: readonly Member[],
  context: WriteContext,
): Promise<MemberResult[] | undefined> {
  await engine.ready();
  try {
    const [all, span] = await collectOutboxSpan(() => transactGroup(engine, model, members, context));
    return all.map((written) => ({ written, span }));
  } catch (error) {
    if (splitsGroup(error)) return undefined;
    throw error;
  }
}

function transactGroup(
  engine: WriteEngine,
  model: Model,
  members: readonly Member[],
  asked: WriteContext,
): Promise<WriteAnswer[]> {
  // Left out, as it is unknown which of the requests it would concern.
  const { origin: _, ...who } = asked.who;
  const bodies = members.map(({ body }) => body);
  const how = { single: false, optimistic: true, causes: members.map(({ cause }) => cause) };
  return engine.transact(async (client) => {
    const items = await parseItems(engine, model, bodies, 'create');
    return createInTransaction(engine, model, items, how, { ...asked, who }, client);
  });
}

const SPLITS = [RetryWithUniqueCheck, UnattributableEffect, Refusal, Unreachable];

/**
 * Whether nothing has been stored, so that the group is split and each request writes for itself: the write was refused
 * (by this service, by the owner of what is referred to, or by PostgreSQL), or something follows that cannot be
 * attributed to one request.
 */
function splitsGroup(error: unknown): boolean {
  if (SPLITS.some((kind) => error instanceof kind)) return true;
  const { code } = error as { code?: unknown };
  // Where the connection is lost (08) or the server shuts down (57P), it is unknown whether the commit took place.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}
