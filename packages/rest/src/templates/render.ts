import { backwardsOf, type Json } from '@cadastre/model';
import type { TemplateEngine, Rendered } from './engine.ts';
import { refuse } from '../core/errors.ts';
import { objectSnapshots } from './objectSnapshots.ts';
import type { ObjectSnapshot } from '../serialize/objectSnapshot.ts';
import type { Requester } from '../core/requester.ts';
import type { Waiter } from '../db/limiter/guarded.ts';
import { clientLeft } from '@cadastre/body';
import { addType, type Known, listKey, objectKey, type Want } from './known.ts';
import { related } from './related.ts';

/** Variables of a template that are objects of a type, or lists of them. */
export type Roots = Known['roots'];

export interface Rendering {
  template: string;
  /** JSON text. */
  context: string;
  environment: unknown;
  roots: Roots;
  /** What a message calls it. */
  what: string;
}

/**
 * How many times a template may go on to objects that it reaches from those that it has just been given:
 * `site.region.parent.parent` takes three.
 */
const MOST_ROUNDS = 20;
/** Objects that a template may be given beside its own, by default. */
const USUAL_RELATED = 10_000;

/**
 * Renders a template that may go on from the objects in its context to what they refer to, and what refers to them, as
 * far as the requester may view it. What a run asks for and was not given is loaded for all objects at once, and the
 * template is run again: the statements grow with the steps that it takes, not with the objects that it takes them
 * from. @throws Refusal 400 that says what is wrong with the template
 */
export async function rendered(
  engine: TemplateEngine,
  { template, context, environment, roots, what }: Rendering,
  who: Requester,
  { gone }: Waiter = {},
): Promise<string> {
  const most = engine.settings.maxRelatedObjects ?? USUAL_RELATED;
  const fail = (reason: string): never => {
    throw refuse(400, `The ${what} could not be rendered: ${reason}`);
  };
  const signal = gone?.();
  const loader = new Loader(engine, who, most, fail);
  const known: Known = { roots, types: {}, objects: {}, lists: {}, maxWants: most + 100 };
  for (const { type } of Object.values(roots)) addType(engine.catalogue, known.types, type);
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    const outcome: Rendered = await engine
      .render(template, context, environment, JSON.stringify(known), signal)
      .catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
    if (signal?.aborted) throw clientLeft();
    if ('text' in outcome) return outcome.text;
    await loader.load(outcome.wants, known);
  }
  return fail(`it goes on from object to object more than ${MOST_ROUNDS} times.`);
}

class Loader {
  readonly #engine: TemplateEngine;
  readonly #who: Requester;
  readonly #most: number;
  readonly #fail: (reason: string) => never;
  #left: number;

  constructor(engine: TemplateEngine, who: Requester, most: number, fail: (reason: string) => never) {
    this.#engine = engine;
    this.#who = who;
    this.#most = most;
    this.#fail = fail;
    this.#left = most;
  }

  /** Loads what is wanted into what is known: one request for each type, and for each relation of one. */
  async load(wants: readonly Want[], known: Known): Promise<void> {
    const objects = new Map<string, Set<number>>();
    const lists = new Map<string, { type: string; name: string; ids: number[] }>();
    for (const want of wants) {
      if (want[0] !== 'type' && !Number.isSafeInteger(want[2])) continue;
      if (want[0] === 'object') objects.set(want[1], (objects.get(want[1]) ?? new Set()).add(want[2]));
      else if (want[0] === 'list') {
        const key = `${want[1]} ${want[3]}`;
        const list = lists.get(key) ?? { type: want[1], name: want[3], ids: [] };
        list.ids.push(want[2]);
        lists.set(key, list);
      }
      addType(this.#engine.catalogue, known.types, want[1]);
    }
    for (const [type, ids] of objects) await this.#objects(type, [...ids], known);
    for (const { type, name, ids } of lists.values()) await this.#list(type, name, ids, known);
  }

  async #objects(type: string, ids: number[], known: Known): Promise<void> {
    const { catalogue, tables, neighbours } = this.#engine;
    const owner = catalogue.has(type) ? catalogue.serviceOf(type)! : undefined;
    this.#take(ids.length);
    const found = !owner
      ? []
      : tables.owns(type)
        ? await objectSnapshots(this.#engine, catalogue.get(type), ids, this.#who)
        : ((await neighbours?.show(owner, type, ids, this.#who)) ?? []);
    for (const id of ids) known.objects[objectKey(type, id)] = null;
    this.#keep(type, found, known);
  }

  async #list(type: string, name: string, ids: readonly number[], known: Known): Promise<void> {
    const { catalogue, tables, neighbours } = this.#engine;
    const back = backwardsOf(catalogue, type).get(name);
    if (!back) return;
    const from = back.model.name;
    const asked = { type: from, field: back.field, to: type, ids, limit: this.#left };
    const { pairs, objects } = tables.owns(from)
      ? await related(this.#engine, asked, this.#who)
      : ((await neighbours?.related(catalogue.serviceOf(from)!, asked, this.#who)) ?? { pairs: [], objects: [] });
    this.#take(pairs.length);
    const lists = new Map(ids.map((id): [number, number[]] => [id, []]));
    for (const [of, id] of pairs) lists.get(of)?.push(id);
    for (const [id, list] of lists) known.lists[listKey(type, id, name)] = list;
    addType(catalogue, known.types, from);
    this.#keep(from, objects, known);
  }

  #keep(type: string, found: readonly ObjectSnapshot[], known: Known): void {
    for (const { id, data } of found) known.objects[objectKey(type, id)] = JSON.parse(data) as Json;
  }

  #take(count: number): void {
    this.#left -= count;
    if (this.#left < 0) this.#fail(`it asks for more than ${this.#most} related objects (TEMPLATE_MAX_RELATED).`);
  }
}
