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

/** With one group at a time, the process waits while PostgreSQL works. */
const OPTIONS = { concurrency: 2, splitMs: 1_000 };

const groups = new WeakMap<WriteEngine, GroupCommit<Member, MemberResult>>();

/**
 * Creates an object along with those for which other requests of the same user ask meanwhile: one transaction for all
 * of them. Nobody hears what is wrong with the object of another: when something is, or something follows from their
 * objects that is not of one request alone, nothing is stored, and each is created by itself.
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
 * What has to be done before the transaction, or with files, is of one request; a tree is locked for each; and whatever
 * comes of secrets and rights says by which request.
 */
const isGroupable = (model: Model, { importing, files }: WriteContext): boolean =>
  !importing && !files && !model.ahead && !model.tree && !model.confirms && !uploadsOf(model).length;

/**
 * Requests of one kind could have been one: they differ in nothing but what they create, and their number. And they ask
 * the same others, so that nobody waits for a service that they need nothing from.
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

/** Superusers have all rights; those of others are the same for as long as nothing is changed about them. */
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
  // It is unknown which of the requests it concerns.
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
 * Whether nothing has been stored, so that the group is split and each writes for itself: somebody said no (one of us,
 * who owns what is referred to, or PostgreSQL), or something follows that nobody can say of whose request it is.
 */
function splitsGroup(error: unknown): boolean {
  if (SPLITS.some((kind) => error instanceof kind)) return true;
  const { code } = error as { code?: unknown };
  // Where the connection is lost (08) or the server goes down (57P), nobody knows what became of a commit.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}
