import type { Cell, Model } from '@cadastre/model';
import type { PoolClient } from 'pg';
import { Refusal } from '../../core/errors.ts';
import { sendLast } from '../../db/transaction.ts';
import { renderAnswers, type WriteAnswer } from '../record/answer.ts';
import { withFieldErrors } from '../check/fieldErrors.ts';
import { validate, type ValidateOptions } from '../check/validate.ts';
import type { WriteContext } from '../context/context.ts';
import type { Draft } from '../context/draft.ts';
import type { WriteEngine } from '../context/engine.ts';
import { applyEffects } from '../effects/applyEffects.ts';
import { refuseErrors } from '../parse/items.ts';
import { hasErrors, type Item } from '../context/item.ts';
import type { Cause } from '../context/change.ts';
import { insertIfUnique, insertRows } from '../store/store.ts';

/** How new objects are stored. */
export interface CreateOptions extends ValidateOptions {
  /** Completes the stored rows by what only they can tell: their ids. */
  linked?(stored: Cell[][]): Promise<Cell[][]>;
  /** The request of each object, where several write together; each gets an answer of its own. */
  causes?: readonly Cause[];
}

/**
 * Creates objects inside a transaction, in which more may follow once its last statement has been waited for. A tree
 * has been locked before. Returns the answer to the request, or to each of those that write together.
 * @throws RetryWithUniqueCheck where an optimistic attempt is to be made again
 */
export async function createInTransaction(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  options: CreateOptions,
  context: WriteContext,
  client: PoolClient,
): Promise<WriteAnswer[]> {
  const { single, optimistic = false, linked = async (stored) => stored, causes } = options;
  if (items.some((i) => 'non_field_errors' in i.errors)) refuseErrors(items, single);
  if (optimistic && items.some(hasErrors)) throw new RetryWithUniqueCheck();
  const drafts = items.map(
    (item, i): Draft => ({
      item,
      object: {},
      before: null,
      beforeCells: null,
      ...(causes ? { cause: causes[i]! } : {}),
    }),
  );
  const validated = validate(engine, model, drafts, context, client, options);
  const definitions = await (optimistic ? validated.catch(retryIfRefused) : validated);
  const stored = await insert(engine, model, drafts, { single, optimistic }, client);
  const finished = { drafts, stored: await linked(stored), action: 'add' as const, definitions, single };
  const { readContext, rows, write } = await applyEffects(engine, model, finished, context, client);
  const parts = causes ? rows.map((row) => [row]) : [rows];
  const answers = await renderAnswers(readContext, model, drafts, parts, context.base);
  sendLast(client, write());
  return answers;
}

async function insert(
  { tables }: WriteEngine,
  model: Model,
  drafts: Draft[],
  { single, optimistic }: { single: boolean; optimistic: boolean },
  client: PoolClient,
): Promise<Cell[][]> {
  const objects = drafts.map(({ object }) => object);
  const store = optimistic ? insertIfUnique : insertRows;
  const stored = await withFieldErrors(model, drafts, single, () => store(tables, model, objects, client));
  if (stored.length < objects.length) throw new RetryWithUniqueCheck();
  return stored;
}

/** A unique value may be taken, which was not checked: the attempt is made again with the check. */
export class RetryWithUniqueCheck extends Error {
  override readonly name = 'RetryWithUniqueCheck';
}

/** The message about a value that is taken belongs beside the other messages, or before them. */
function retryIfRefused(error: unknown): never {
  throw error instanceof Refusal ? new RetryWithUniqueCheck() : error;
}
