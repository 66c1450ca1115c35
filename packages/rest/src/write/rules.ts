import { Forbidden, type Json, type Model, type RuleContext, type Values } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { refuse } from '../errors.ts';
import { allowed, type Requester } from '../plan/permissions.ts';
import { type Executor, rowsOf } from '../query/sql.ts';
import type { Item } from './parse.ts';
import { readRows, rowColumns } from './store.ts';
import { indexOf, valuesOf } from './values.ts';

/** Objects that rules asked for, kept for the request. */
export class RuleReads {
  readonly #engine: Engine;
  readonly #executor: Executor;
  readonly #who: Requester;
  readonly #related = new Map<string, Promise<Values | null>>();

  constructor(engine: Engine, executor: Executor, who: Requester) {
    this.#engine = engine;
    this.#executor = executor;
    this.#who = who;
  }

  context(before: Values | null): RuleContext {
    return {
      before,
      requester: { userId: this.#who.userId, may: (action, type) => allowed(this.#who.grants, action, type) !== false },
      related: (type, id) => this.related(type, id),
      isBelow: (type, id, ancestor) => this.#isBelow(type, id, ancestor),
      displayOf: async (type, id) => this.#display(type, await this.related(type, id)),
      featuresOf: (type) => (this.#engine.catalogue.has(type) ? this.#engine.catalogue.get(type).features : undefined),
      service: <T>(name: string): T => {
        const facility = this.#engine.facilities[name];
        if (facility === undefined) throw new Error(`no facility ${name} in service ${this.#engine.tables.service}`);
        return facility as T;
      },
    };
  }

  related(type: string, id: Json | undefined): Promise<Values | null> {
    const { tables } = this.#engine;
    if (typeof id !== 'number' || !tables.catalogue.has(type) || !tables.has(type)) return Promise.resolve(null);
    const key = `${type} ${id}`;
    let found = this.#related.get(key);
    if (!found) this.#related.set(key, (found = this.#load(tables.catalogue.get(type), id)));
    return found;
  }

  async #load(model: Model, id: number): Promise<Values | null> {
    const { tables } = this.#engine, kept = tables.columnsOf(model);
    if (tables.owns(model.name)) {
      const [cells] = await readRows(tables, model, [id], this.#executor);
      return cells ? valuesOf(model, indexOf(rowColumns(model)), cells) : null;
    }
    const columns = [...kept.keys()];
    const [cells] = await rowsOf(this.#executor, { text: `select ${columns.map((c) => `"${c}"`).join(', ')} from ${tables.nameOf(model.name)} where id = $1`, values: [id] });
    return cells ? valuesOf(model, indexOf(columns), cells) : null;
  }

  async #isBelow(type: string, id: number, ancestor: number): Promise<boolean> {
    if (id === ancestor) return true;
    const { tables } = this.#engine;
    const rows = await rowsOf(this.#executor, { text: `select 1 from ${tables.nameOf(type)} where id = $1 and "_path" @> array[$2::bigint]`, values: [id, ancestor] });
    return rows.length > 0;
  }

  #display(type: string, object: Values | null): string {
    if (!object) return '';
    const model = this.#engine.catalogue.get(type);
    return model.display.text(model.display.columns.map((c) => { const v = object[c] ?? object[c.replace(/_id$/, '')] ?? null; return v === null ? null : String(v); }));
  }
}

/** Runs a model's rules over an object that is to be stored; messages go into the item. */
export async function runRules(model: Model, item: Item, object: Values, context: RuleContext): Promise<void> {
  for (const rule of model.rules) {
    const errors = await permitting(() => rule(object, context));
    for (const [key, messages] of Object.entries(errors ?? {})) {
      const list = Array.isArray(messages) ? messages : [messages];
      item.errors[key] = Array.isArray(item.errors[key]) ? [...item.errors[key] as unknown[], ...list] : Array.isArray(messages) ? list : messages;
    }
  }
}

async function permitting<T>(rule: () => T): Promise<Awaited<T>> {
  try { return await rule(); } catch (error) {
    if (error instanceof Forbidden) throw refuse(403, error.message);
    throw error;
  }
}
