import { randomUUID } from 'node:crypto';
import {
  type Cell,
  columnName,
  type EffectContext,
  type Errors,
  type Json,
  type Model,
  quote,
  type Stored,
  type Values,
} from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { WriteEngine } from '../context/engine.ts';
import { invalid } from '../../core/errors.ts';
import { ANYBODY, type Requester } from '../../core/requester.ts';
import { wholeIndex } from '../../db/select.ts';
import { rowsOf } from '../../db/sql.ts';
import { refusingForbidden, RuleReads } from '../check/rules.ts';
import { checkUnique, draftsOf, addIfTaken } from '../check/unique.ts';
import { defaultOf, fieldsOf } from '../parse/parse.ts';
import type { Item } from '../context/item.ts';
import { treeMoves } from '../record/record.ts';
import type { Change } from '../context/change.ts';
import { askServices, askedAbout } from '../consequences/asking.ts';
import { idsOf, insertRows, lockRows, updateRows } from '../store/store.ts';
import { lockTree, updateTreePaths } from '../store/tree.ts';
import { valuesOf } from '../../db/values.ts';
import {
  duplicatesConflict,
  applyConsequences,
  dependentsConflict,
  consequencesOf,
  refuseDependents,
} from '../consequences/cascade.ts';
import { rulesAbout, renameClashing } from '../consequences/clashes.ts';
import type { Consequences } from '../consequences/consequences.ts';

/** Effects of effects of effects …: more rounds than this are a mistake of ours. */
const MAX_ROUNDS = 25;

/** How the request's own objects stand in it, for messages. */
export interface RequestPosition {
  single: boolean;
  length: number;
  indexOf: ReadonlyMap<Change, number>;
  given: ReadonlyMap<Change, Values>;
}

/** Carries out what follows from changes. Returns all changes of the transaction, one for each object. */
export async function runEffects(
  engine: WriteEngine,
  changes: Change[],
  who: Requester,
  client: PoolClient,
  position?: RequestPosition,
  importing = false,
): Promise<Change[]> {
  if (changes.length < 2 && !changes.some((c) => !c.derived && c.model.effects.length)) return changes;
  const unit = new UnitOfWork(engine, who, client, position, importing ? 'importing' : 'writing');
  unit.add(changes);
  return runUntilDone(unit);
}

/** The models of this service that something follows for from changes of a type. */
export const followersOf = ({ catalogue, tables }: WriteEngine, type: string): Model[] =>
  catalogue.ownedBy(tables.service).filter((model) => model.follows[type]);

/** Carries out what follows here from changes of another service's objects. */
export async function runFollowers(
  engine: WriteEngine,
  followers: readonly Model[],
  type: string,
  ids: number[],
  client: PoolClient,
): Promise<Change[]> {
  const unit = new UnitOfWork(engine, ANYBODY, client, undefined, 'following');
  for (const model of followers) await model.follows[type]!(ids, unit.context());
  return runUntilDone(unit);
}

async function runUntilDone(unit: UnitOfWork): Promise<Change[]> {
  for (let round = 0; unit.pending.length; round++) {
    if (round === MAX_ROUNDS)
      throw new Error(
        `effects do not come to an end: ${[...new Set(unit.pending.map((c) => c.model.name))].join(', ')}`,
      );
    for (const [model, group] of Map.groupBy(unit.take(), (change) => change.model)) {
      const stored = group.map((change) => unit.stored(change));
      for (const effect of model.effects) await refusingForbidden(() => effect(stored, unit.context()));
    }
  }
  return unit.changes();
}

const keyOf = (change: Change): string => `${change.model.name}:${(change.after ?? change.before)![0]}`;

/**
 * Merges two changes of one object in one transaction; an object that was created and deleted again was never there.
 */
export function mergeChanges(first: Change, next: Change): Change | undefined {
  if (first.action === 'created' && next.action === 'deleted') return undefined;
  const { derived: _, ...change }: Change = {
    ...next,
    action: next.action === 'deleted' ? 'deleted' : first.action,
    before: first.before ?? (first.action === 'created' ? null : next.before),
    message: first.message || next.message,
    cause: first.cause ?? next.cause,
  };
  return first.derived && next.derived ? { ...change, derived: true } : change;
}

/**
 * Why effects are carried out: what is followed has happened already, so it cannot be refused; an import brings the
 * objects as they are, and what became of others.
 */
type Occasion = 'writing' | 'following' | 'importing';

/** The changes of one transaction while their effects are carried out. */
class UnitOfWork {
  readonly #all = new Map<string, Change>();
  readonly #stored = new WeakMap<Stored, Change>();
  pending: Change[] = [];
  readonly #engine: WriteEngine;
  readonly #who: Requester;
  readonly #client: PoolClient;
  readonly #position: RequestPosition | undefined;
  readonly #on: Occasion;

  constructor(
    engine: WriteEngine,
    who: Requester,
    client: PoolClient,
    position: RequestPosition | undefined,
    on: Occasion,
  ) {
    this.#engine = engine;
    this.#who = who;
    this.#client = client;
    this.#position = position;
    this.#on = on;
  }

  add(changes: Change[]): void {
    for (const change of changes) {
      const key = keyOf(change);
      const known = this.#all.get(key);
      const whole = known ? mergeChanges(known, change) : change;
      if (whole) this.#all.set(key, whole);
      else this.#all.delete(key);
      if (!change.derived && change.model.effects.length) this.pending.push(change);
    }
  }

  take(): Change[] {
    const taken = this.pending;
    this.pending = [];
    return taken;
  }

  changes(): Change[] {
    return [...this.#all.values()];
  }

  stored(change: Change): Stored {
    const { model, before, after, action } = change;
    const index = wholeIndex(model);
    const values = (cells: Cell[] | null) => cells && valuesOf(model, index, cells);
    const stored: Stored = {
      action,
      before: values(before),
      after: values(after),
      given: this.#position?.given.get(change) ?? {},
    };
    this.#stored.set(stored, change);
    return stored;
  }

  context(): EffectContext {
    const engine = this.#engine;
    const client = this.#client;
    // What rules ask for is remembered; effects change it, so each gets its own.
    const { requester, related, found, displayOf, service } = new RuleReads(engine, client, this.#who).context(null);
    return {
      requester,
      related,
      found,
      displayOf,
      service,
      importing: this.#on === 'importing',
      find: (type, where) => this.#find(engine.catalogue.get(type), where),
      query: (text, values) => rowsOf(client, { text, values }),
      tableOf: (type) => engine.tables.nameOf(type),
      create: (type, objects) => this.#create(engine.catalogue.get(type), objects),
      update: (type, objects) =>
        this.#on === 'importing'
          ? this.#fill(engine.catalogue.get(type), objects)
          : this.#update(engine.catalogue.get(type), objects, 'changed'),
      derive: (type, objects) => this.#update(engine.catalogue.get(type), objects, 'derived'),
      remove: (type, ids) => this.#remove(engine.catalogue.get(type), ids),
      obstruct: (type, ids) => this.#obstruct(engine.catalogue.get(type), ids),
      refuse: (errors, object) => this.#refuse(errors, object),
    };
  }

  async #find(model: Model, where: Record<string, Json>): Promise<Values[]> {
    const values: unknown[] = [];
    const conditions: string[] = [];
    for (const [name, value] of Object.entries(where)) {
      const field = model.fields[name];
      const column = name === 'id' ? 'id' : columnName(name, field!);
      const type = name === 'id' ? 'bigint' : field!.column!.type.replace(/\(.*\)/, '');
      if (value === null) conditions.push(`t.${quote(column)} is null`);
      else
        conditions.push(`t.${quote(column)} = any($${values.push(Array.isArray(value) ? value : [value])}::${type}[])`);
    }
    const rows = await lockRows(this.#engine.tables, model, conditions.join(' and ') || 'true', values, this.#client);
    const index = wholeIndex(model);
    return rows.map((cells) => valuesOf(model, index, cells));
  }

  /**
   * Fills fields that no client writes, as an import does not bring them. It does bring `last_updated`, so that stays.
   */
  async #fill(model: Model, objects: Values[]): Promise<void> {
    const filled = objects.flatMap((object): Values[] => {
      const own = Object.entries(object).filter(([name]) => name !== 'id' && model.fields[name]!.readOnly);
      return own.length ? [{ ...Object.fromEntries(own), id: object['id']! }] : [];
    });
    await this.#update(model, filled, 'derived', false);
  }

  async #create(model: Model, objects: Values[]): Promise<Values[]> {
    // Objects with an address of their own come with the import itself.
    if (!objects.length || (this.#on === 'importing' && model.part !== 'hidden')) return [];
    await lockTree(model, this.#client);
    const defaults = await this.#defaults(model);
    const whole = objects.map((object) => ({ ...defaults(), ...object }));
    await this.#unique(model, whole);
    const stored = await this.#storing(model, whole, () => insertRows(this.#engine.tables, model, whole, this.#client));
    const rows = await this.#withTreePaths(model, stored);
    const index = wholeIndex(model);
    this.add(rows.map((after): Change => ({ action: 'created', model, before: null, after, message: '' })));
    return rows.map((cells) => valuesOf(model, index, cells));
  }

  /** Values of an object that sets none of its fields. */
  async #defaults(model: Model): Promise<() => Values> {
    const custom = model.features.has('customFields')
      ? (await this.#engine.definitions(this.#client)).of(model.name)
      : [];
    return () => {
      const values: Values = {};
      for (const [name, field] of fieldsOf(model)) if (field.column) values[name] = defaultOf(field);
      if (model.features.has('customFields'))
        values['custom_fields'] = Object.fromEntries(custom.map((field) => [field.name, field.default]));
      return values;
    };
  }

  async #update(
    model: Model,
    objects: Values[],
    kind: 'changed' | 'derived',
    untold = kind === 'derived',
  ): Promise<void> {
    if (!objects.length) return;
    await lockTree(model, this.#client);
    const { tables } = this.#engine;
    const index = wholeIndex(model);
    const rows = await lockRows(tables, model, 't.id = any($1::bigint[])', [objects.map((o) => o['id'])], this.#client);
    const given = new Map(objects.map((o) => [Number(o['id']), o]));
    const whole = rows.map((cells) => {
      const before = valuesOf(model, index, cells);
      return { ...before, ...given.get(before['id'] as number) };
    });
    const renamed =
      this.#on === 'following'
        ? await renameClashing(
            tables,
            model,
            rulesAbout(model, [...new Set(objects.flatMap((o) => Object.keys(o)))]),
            whole,
            this.#client,
          )
        : undefined;
    if (kind === 'changed') await this.#unique(model, whole);
    const stored = await this.#storing(model, whole, () => updateRows(tables, model, whole, this.#client, kind));
    const after = await this.#withTreePaths(model, stored);
    this.add(
      rows.map(
        (before, i): Change => ({
          action: 'updated',
          model,
          before,
          after: after[i]!,
          message: '',
          ...(untold && !renamed?.has(whole[i]!) ? { derived: true } : {}),
        }),
      ),
    );
  }

  /** In a tree, rows get their place, and so does what hangs below them. */
  async #withTreePaths(model: Model, rows: Cell[][]): Promise<Cell[][]> {
    const { rows: placed, moved } = await updateTreePaths(this.#engine.tables, model, rows, this.#client);
    this.add(treeMoves(model, moved));
    return placed;
  }

  async #remove(model: Model, ids: number[]): Promise<void> {
    if (!ids.length || (this.#on === 'importing' && model.part !== 'hidden')) return;
    const { tables } = this.#engine;
    const rows = await lockRows(tables, model, 't.id = any($1::bigint[])', [ids], this.#client, 'delete');
    if (!rows.length) return;
    const consequences = await consequencesOf(this.#engine, model, rows, this.#client);
    await refuseDependents(() => this.#engine.readContext(this.#client, this.#who), consequences);
    await this.#askOthers(consequences);
    this.add(await applyConsequences(tables, consequences, this.#client));
  }

  /** The rows are locked, so nobody gets an answer about them until they are deleted: no marks are needed here. */
  async #askOthers({ deleted }: Consequences): Promise<void> {
    const asked = askedAbout(this.#engine, deleted);
    const {
      count,
      names,
      clashing = [],
    } = asked.size
      ? await askServices(this.#engine, asked, randomUUID(), this.#who, new Set())
      : { count: 0, names: [] };
    if (count) throw dependentsConflict(count, names);
    if (clashing.length) throw duplicatesConflict(clashing);
  }

  async #unique(model: Model, objects: Values[]): Promise<void> {
    const drafts = draftsOf(objects);
    (await checkUnique(this.#engine.tables, model, drafts, this.#client))();
    this.#say(drafts);
  }

  async #storing<T>(model: Model, objects: Values[], store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      const drafts = draftsOf(objects);
      if (addIfTaken(model, error, drafts)) this.#say(drafts);
      throw error;
    }
  }

  async #obstruct(model: Model, ids: readonly number[]): Promise<void> {
    const there = ids.length
      ? await idsOf(this.#engine.tables, model, 't.id = any($1::bigint[])', [[...ids]], this.#client)
      : [];
    await refuseDependents(() => this.#engine.readContext(this.#client, this.#who), {
      dependents: there.map((id) => ({ model, id })),
      clashing: [],
    });
  }

  #say(drafts: { item: Item }[]): void {
    const wrong = drafts.find(({ item }) => Object.keys(item.errors).length);
    if (wrong) this.#refuse(wrong.item.errors);
  }

  #refuse(errors: Errors, object?: Stored): never {
    const change = object && this.#stored.get(object);
    const at = change && this.#position?.indexOf.get(change);
    if (at === undefined || this.#position!.single) throw invalid(errors);
    throw invalid(Array.from({ length: this.#position!.length }, (_, i) => (i === at ? errors : {})));
  }
}
