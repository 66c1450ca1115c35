import {
  type Cell,
  type Dict,
  type DocumentPart,
  type Documents,
  type Errors,
  isDict,
  type Json,
  type Model,
} from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { WriteEngine } from '../../write/context/engine.ts';
import { notPermitted, Refusal, refuse } from '../../core/errors.ts';
import { allowed } from '../../core/requester.ts';
import { requireReauthenticationFor } from '../../core/reauthentication.ts';
import type { WriteAnswer } from '../../write/record/answer.ts';
import { createInTransaction } from '../../write/create/createInTransaction.ts';
import type { Draft } from '../../write/context/draft.ts';
import { validate } from '../../write/check/validate.ts';
import { parseItems } from '../../write/parse/items.ts';
import { withFieldErrors } from '../../write/check/fieldErrors.ts';
import type { WriteContext } from '../../write/context/context.ts';
import { rowColumns, updateRows } from '../../write/store/store.ts';
import { lastStatementDone } from '../../db/transaction.ts';
import { lockTree } from '../../write/store/tree.ts';
import { indexOf, valuesOf } from '../../db/values.ts';
import { circlesIn } from './circles.ts';
import { Messages } from './messages.ts';
import { Names, namesOfOwnList, namesReplaced } from './names.ts';
import { type Part, type Read, readDocument } from './read.ts';
import { withoutRepeated } from './repeated.ts';

/** How documents were given, and whether this is a dry run. */
export interface DocumentOptions {
  single: boolean;
  dry: boolean;
}

/** Thrown to roll back a dry run in which nothing was wrong. */
class DryRunOver extends Error {
  override readonly name = 'DryRunOver';
}

/**
 * Makes objects with the parts that documents hold, all or none, in one transaction: a constant number of statements
 * for each list. Returns what the objects themselves look like, nothing of a dry run.
 * @throws Refusal 400 in the form of the documents, with all that was found wrong; 403; 413 for too many parts
 */
export async function createDocuments(
  engine: WriteEngine,
  model: Model,
  bodies: Json[],
  { single, dry }: DocumentOptions,
  context: WriteContext,
): Promise<WriteAnswer | undefined> {
  requireMay(model, context);
  const messages = new Messages(bodies.length);
  const count = bodies
    .map((body, at) => readDocument(documentsOf(model), body, at, messages))
    .reduce((sum, { parts }) => sum + 1 + [...parts.values()].reduce((all, some) => all + sizeOf(some), 0), 0);
  const { maxBulkItems } = engine.settings;
  if (count > maxBulkItems)
    throw refuse(413, `Documents may hold at most ${maxBulkItems} objects at a time, with their parts.`);
  if (!bodies.length) return undefined;
  await engine.ready();
  try {
    return await engine.transact((client) =>
      new DocumentWriter(engine, model, bodies, { single, dry }, context, client).all(),
    );
  } catch (error) {
    if (error instanceof DryRunOver) return undefined;
    throw error;
  }
}

function documentsOf({ name, documents }: Model): Documents {
  if (!documents) throw new Error(`${name}: its objects are no documents`);
  return documents;
}

/** How many objects the parts are, counting their rows. */
const sizeOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { rows }) => sum + 1 + Object.values(rows).reduce((all, some) => all + some.length, 0), 0);

function requireMay(model: Model, { who }: WriteContext): void {
  if (allowed(who.grants, 'add', model.name) === false) throw notPermitted(who);
  requireReauthenticationFor(model, who);
}

/** Documents that are written in a transaction. */
class DocumentWriter {
  readonly #engine: WriteEngine;
  readonly #model: Model;
  readonly #kinds: Documents;
  readonly #asked: DocumentOptions;
  readonly #context: WriteContext;
  readonly #client: PoolClient;
  readonly #messages: Messages;
  readonly #names = new Names();
  readonly #documents: Read[];

  constructor(
    engine: WriteEngine,
    model: Model,
    bodies: Json[],
    asked: DocumentOptions,
    context: WriteContext,
    client: PoolClient,
  ) {
    this.#engine = engine;
    this.#model = model;
    this.#kinds = documentsOf(model);
    this.#asked = asked;
    this.#context = context;
    this.#client = client;
    this.#messages = new Messages(bodies.length);
    this.#documents = bodies.map((body, at) => readDocument(this.#kinds, body, at, this.#messages));
  }

  async all(): Promise<WriteAnswer> {
    const { single, dry } = this.#asked;
    const made = await this.#objects();
    if (made) for (const [list, kind] of Object.entries(this.#kinds.parts)) await this.#list(list, kind, made.ids);
    if (this.#messages.some || !made) throw this.#messages.refusal(single);
    if (dry) throw new DryRunOver();
    return made;
  }

  /** Creates the objects themselves. Undefined when something is wrong with them: then nothing could have parts. */
  async #objects(): Promise<WriteAnswer | undefined> {
    try {
      return await this.#create(
        this.#model,
        this.#documents.map(({ own }) => own),
      );
    } catch (error) {
      for (const [at, errors] of errorsOf(error).entries()) this.#messages.own(at, errors);
      return undefined;
    }
  }

  async #list(list: string, kind: DocumentPart, ids: readonly number[]): Promise<void> {
    const parts = this.#documents.flatMap(({ parts: all }) => all.get(list) ?? []);
    if (!parts.length) return;
    const model = this.#engine.catalogue.get(kind.type);
    requireMay(model, this.#context);
    const bodies = parts.map((part) => ({
      ...namesReplaced(part, kind, this.#kinds, this.#names, this.#messages),
      [kind.by]: ids[part.at]!,
    }));
    withoutRepeated(model, parts, bodies, this.#messages);
    try {
      await this.#create(model, bodies, (stored) => this.#link(model, kind, parts, stored));
    } catch (error) {
      for (const [i, errors] of errorsOf(error).entries()) this.#say(parts[i]!, errors);
      this.#names.failed(list);
    }
  }

  async #create(model: Model, bodies: Dict[], linked?: (stored: Cell[][]) => Promise<Cell[][]>): Promise<WriteAnswer> {
    await lastStatementDone(this.#client);
    await lockTree(model, this.#client);
    const items = await parseItems(this.#engine, model, bodies, 'create', this.#context.files);
    const how = { single: false, ...(linked ? { linked } : {}) };
    const [written] = await createInTransaction(this.#engine, model, items, how, this.#context, this.#client);
    await lastStatementDone(this.#client);
    return written!;
  }

  /**
   * References within a list are written once all of the list is stored, so its parts may name each other in any order.
   */
  async #link(model: Model, kind: DocumentPart, parts: readonly Part[], stored: Cell[][]): Promise<Cell[][]> {
    const ids = stored.map((cells) => Number(cells[0]));
    for (const [i, part] of parts.entries()) this.#names.made(part, ids[i]!);
    const bodies = parts.map((part) => namesOfOwnList(part, kind, this.#names, this.#messages));
    const places = new Map(ids.map((id, i) => [id, i]));
    if (model.tree)
      for (const i of circlesIn(ids, (id) => bodies[places.get(id)!]?.['parent'] as number | undefined)) {
        bodies[i] = undefined;
        this.#say(parts[i]!, { parent: ['It would lie in itself.'] });
      }
    return linkedRows(this.#engine, model, bodies, stored, this.#context, this.#client);
  }

  /** Reports the API's errors about a part where the document holds what they are about. */
  #say(part: Part, errors: Errors): void {
    const own = { ...errors };
    for (const [list, origins] of Object.entries(part.rows)) {
      const said = own[list];
      if (!Array.isArray(said) || origins.every(([of]) => of === part.list)) continue;
      delete own[list];
      for (const [i, one] of said.entries()) {
        const to = origins[i] ?? origins[0]!;
        if (isDict(one as Json)) this.#messages.part(part.at, to, one as Errors);
        else this.#messages.part(part.at, origins[0]!, { non_field_errors: [one] });
      }
    }
    if (Object.keys(own).length) this.#messages.part(part.at, [part.list, part.nth], own);
  }
}

/** Stored rows, updated with their references to each other. @throws Refusal 400 with one entry for each of them */
async function linkedRows(
  engine: WriteEngine,
  model: Model,
  bodies: readonly (Dict | undefined)[],
  stored: Cell[][],
  context: WriteContext,
  client: PoolClient,
): Promise<Cell[][]> {
  const linking = [...bodies.keys()].filter((i) => bodies[i]);
  if (!linking.length) return stored;
  const index = indexOf(rowColumns(model));
  const items = await parseItems(
    engine,
    model,
    linking.map((i) => bodies[i]!),
    'patch',
  );
  const drafts = items.map((item, nth): Draft => {
    const cells = stored[linking[nth]!]!;
    const before = valuesOf(model, index, cells);
    item.id = before['id'] as number;
    return { item, object: { ...before }, before, beforeCells: cells };
  });
  try {
    await validate(engine, model, drafts, context, client, { single: false });
    const objects = drafts.map(({ object }) => object);
    const rows = await withFieldErrors(model, drafts, false, () => updateRows(engine.tables, model, objects, client));
    const changed = new Map(linking.map((i, nth) => [i, rows[nth]!]));
    return stored.map((cells, i) => changed.get(i) ?? cells);
  } catch (error) {
    const errors = new Map(errorsOf(error).map((one, nth) => [linking[nth]!, one]));
    throw new Refusal(
      400,
      stored.map((_, i) => errors.get(i) ?? {}),
    );
  }
}

/** The errors of each of several objects. @throws any error that is not a refusal 400 */
function errorsOf(error: unknown): Errors[] {
  const { status, body } = error instanceof Refusal ? error : { status: 0, body: undefined };
  // Errors about several objects together are reported with the first of them.
  if (status === 400) return (Array.isArray(body) ? body : [body]) as Errors[];
  throw error;
}
