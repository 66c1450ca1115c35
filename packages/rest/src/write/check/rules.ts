import {
  type Cell,
  type CheckContext,
  columnName,
  type EffectContext,
  type Errors,
  Forbidden,
  type Json,
  type Model,
  quote,
  type Rule,
  type RuleContext,
  typeLabel,
  type Values,
} from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { refuse } from '../../core/errors.ts';
import { ANYBODY, allowed, type Requester } from '../../core/requester.ts';
import { displaysAt } from '../../serialize/related/displays.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import { hasErrors, type Item } from '../context/item.ts';
import { resolve } from '../resolve/references.ts';
import { indexOf, valuesOf } from '../../db/values.ts';
import { BatchLoader } from './batchLoader.ts';

/** What rules may know of a request besides the object as it was. */
interface Around {
  given?: Values;
  among?: readonly Values[];
  ahead?: Values | undefined;
}

/** Objects that rules asked for, kept for the request. */
export class RuleReads {
  readonly #engine: WriteEngine;
  readonly #executor: Executor;
  readonly #who: Requester;
  readonly #importing: boolean;
  readonly #related = new Map<string, BatchLoader<Values | null>>();
  readonly #held = new Map<string, BatchLoader<Values | null>>();
  readonly #current = new Map<string, BatchLoader<Values | null>>();
  readonly #found = new Map<string, BatchLoader<readonly Values[]>>();
  readonly #texts = new Map<string, BatchLoader<string>>();
  readonly #below = new Map<string, BatchLoader<boolean>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: WriteEngine, executor: Executor, who: Requester, importing = false) {
    this.#engine = engine;
    this.#executor = executor;
    this.#who = who;
    this.#importing = importing;
  }

  context(
    before: Values | null,
    { given = {}, among = [], ahead }: Around = {},
  ): RuleContext & Pick<EffectContext, 'requester'> {
    const { catalogue } = this.#engine;
    const { userId, username, grants, origin } = this.#who;
    return {
      before,
      given,
      among,
      ahead,
      importing: this.#importing,
      requester: {
        userId,
        username,
        ...(origin ? { origin } : {}),
        superuser: grants.superuser,
        granted: (action, type) => allowed(grants, action, type),
      },
      featuresOf: (type) => (catalogue.has(type) ? catalogue.get(type).features : undefined),
      labelOf: (type) => (catalogue.has(type) ? typeLabel(catalogue.get(type)) : undefined),
      related: (type, id) => this.related(type, id),
      held: (type, id) => this.#heldOf(type, id),
      current: (type, id) => this.#currentOf(type, id),
      found: (type, field, value) => this.#foundBy(type, field, value),
      isBelow: async (type, id, ancestor) =>
        id === ancestor ||
        loaderOf(this.#below, type, () => new BatchLoader((pairs) => this.#areBelow(type, pairs), false)).load(
          `${id} ${ancestor}`,
        ),
      displayOf: (type, id) =>
        loaderOf(this.#texts, type, () => new BatchLoader((ids) => this.#textsOf(type, ids), '')).load(String(id)),
      service: (name) => facilityOf(this.#engine, name),
    };
  }

  #has(type: string): boolean {
    return this.#engine.catalogue.has(type) && this.#engine.tables.has(type);
  }

  checkContext(): CheckContext {
    const { requester, related, displayOf, service } = this.context(null);
    return {
      importing: this.#importing,
      requester,
      related,
      displayOf,
      service,
      tableOf: (type) => this.#engine.tables.nameOf(type),
      query: (text, values) => this.#rows(text, values),
    };
  }

  related(type: string, id: Json | undefined): Promise<Values | null> {
    return this.#byId(this.#related, type, id);
  }

  /**
   * Several may hold a row at the same time; a writer that changes it waits for them, and they wait for such a writer.
   */
  #heldOf(type: string, id: Json | undefined): Promise<Values | null> {
    return this.#has(type) && this.#engine.tables.owns(type)
      ? this.#byId(this.#held, type, id, ' for share')
      : this.related(type, id);
  }

  #byId(
    all: Map<string, BatchLoader<Values | null>>,
    type: string,
    id: Json | undefined,
    lock?: string,
  ): Promise<Values | null> {
    if (typeof id !== 'number' || !this.#has(type)) return Promise.resolve(null);
    const read = async (ids: string[]) =>
      new Map((await this.#read(type, 'id', ids, lock)).map((values) => [String(values['id']), values]));
    return loaderOf(all, type, () => new BatchLoader(read, null)).load(String(id));
  }

  /** Asking the owner for an object brings its row into the replica. */
  #currentOf(type: string, id: Json | undefined): Promise<Values | null> {
    if (typeof id !== 'number' || !this.#has(type) || this.#engine.tables.owns(type)) return this.related(type, id);
    return loaderOf(
      this.#current,
      type,
      () =>
        new BatchLoader(async (ids) => {
          await this.#inTurn(() =>
            resolve(
              this.#engine,
              type,
              ids.map((one) => ({ id: Number(one) })),
              ANYBODY,
              this.#executor,
            ),
          );
          return new Map((await this.#read(type, 'id', ids)).map((values) => [String(values['id']), values]));
        }, null),
    ).load(String(id));
  }

  #foundBy(type: string, field: string, value: Json | undefined): Promise<readonly Values[]> {
    if (value === null || value === undefined || !this.#has(type)) return Promise.resolve([]);
    return loaderOf(
      this.#found,
      `${type} ${field}`,
      () =>
        new BatchLoader<readonly Values[]>(
          async (keys) => Map.groupBy(await this.#read(type, field, keys), (values) => String(values[field])),
          [],
        ),
    ).load(String(value));
  }

  /** Objects whose field has one of the values, own or of the replica. */
  async #read(type: string, field: string, keys: string[], lock = ''): Promise<Values[]> {
    const { tables } = this.#engine;
    const model = tables.catalogue.get(type);
    const kept = tables.columnsOf(model);
    const columns = [...kept.keys()];
    const column = field === 'id' ? 'id' : columnName(field, model.fields[field]!);
    const rows = await this.#rows(
      `select ${columns.map(quote).join(', ')} from ${tables.nameOf(type)} where ${quote(column)} = any($1::${kept.get(column)!.type.replace(/\(.*\)/, '')}[]) order by id${lock}`,
      [keys],
    );
    const index = indexOf(columns);
    return rows.map((cells) => valuesOf(model, index, cells));
  }

  async #areBelow(type: string, pairs: string[]): Promise<ReadonlyMap<string, boolean>> {
    const split = pairs.map((pair) => pair.split(' '));
    const rows = await this.#rows(
      `select p.id, p.above from unnest($1::bigint[], $2::bigint[]) as p(id, above) join ${this.#engine.tables.nameOf(type)} t on t.id = p.id and t."_path" @> array[p.above]`,
      [split.map(([id]) => id), split.map(([, above]) => above)],
    );
    return new Map(rows.map(([id, above]) => [`${id} ${above}`, true]));
  }

  async #textsOf(type: string, ids: string[]): Promise<ReadonlyMap<string, string>> {
    const texts = this.#last.then(async () =>
      displaysAt(await this.#engine.readContext(this.#executor), type, '', ids),
    );
    this.#last = texts.catch(() => undefined);
    return texts;
  }

  /** A transaction has one connection, which does one thing at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #rows(text: string, values: unknown[]): Promise<Cell[][]> {
    return this.#inTurn(() => rowsOf(this.#executor, { text, values }));
  }
}

/** A facility of the service, by name. */
export function facilityOf<T>({ facilities, tables }: WriteEngine, name: string): T {
  const facility = facilities[name];
  if (facility === undefined) throw new Error(`no facility ${name} in service ${tables.service}`);
  return facility as T;
}

function loaderOf<V>(all: Map<string, BatchLoader<V>>, key: string, make: () => BatchLoader<V>): BatchLoader<V> {
  let known = all.get(key);
  if (!known) all.set(key, (known = make()));
  return known;
}

/** Runs rules over an object that is to be stored; messages go into the item. */
export async function runRules(
  rules: readonly Rule[],
  item: Item,
  object: Values,
  context: RuleContext,
): Promise<void> {
  for (const rule of rules) addMessages(item, await refusingForbidden(() => rule(object, context)));
}

function addMessages(item: Item, errors: Errors | undefined): void {
  for (const [key, messages] of Object.entries(errors ?? {})) {
    const list = Array.isArray(messages) ? messages : [messages];
    item.errors[key] = Array.isArray(item.errors[key])
      ? [...(item.errors[key] as unknown[]), ...list]
      : Array.isArray(messages)
        ? list
        : messages;
  }
}

/** Runs a model's checks over all objects of a request; messages go into the items. */
export async function runChecks(
  model: Model,
  proposed: readonly { item: Item; object: Values; before: Values | null }[],
  context: CheckContext,
): Promise<void> {
  if (!proposed.length) return;
  for (const check of model.checks) {
    const found = await refusingForbidden(() => check(proposed, context));
    for (const [i, errors] of found.entries()) addMessages(proposed[i]!.item, errors);
  }
}

/** Runs what a model says; where that forbids the write, the request is refused. */
export async function refusingForbidden<T>(rule: () => T): Promise<Awaited<T>> {
  try {
    return await rule();
  } catch (error) {
    if (error instanceof Forbidden) throw refuse(403, error.message);
    throw error;
  }
}

/** The same for all objects of a request, side by side, so that what their rules ask for is asked together. */
export async function runAllRules(
  rules: readonly Rule[],
  drafts: readonly { item: Item; object: Values; before: Values | null }[],
  reads: RuleReads,
  ahead: readonly (Values | undefined)[] = [],
): Promise<void> {
  if (!rules.length) return;
  const among = drafts.map((draft) => draft.object);
  const done = await Promise.allSettled(
    drafts.map(({ item, object, before }) =>
      hasErrors(item)
        ? undefined
        : runRules(rules, item, object, reads.context(before, { given: item.values, among, ahead: ahead[item.index] })),
    ),
  );
  const failed = done.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
