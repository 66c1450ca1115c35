import type { Model } from '@cadastre/model';
import { type Cache, isCurrent, type CacheVersion } from '../../cache/cache.ts';
import { remembers } from '../filters/find.ts';
import type { Query } from '../query/query.ts';
import type { Finder } from '../filters/context.ts';
import type { Grants, Requester } from '../../core/requester.ts';
import { type ListPlan, type Planner, planList } from './plan.ts';

interface Kept {
  plan: ListPlan;
  /** What the plan was made of: it counts for as long as all of it is the same. */
  grants: Grants;
  definitions: Planner['definitions'];
  /** When filter values were turned into ids. */
  found: readonly CacheVersion[];
}

/** How many plans are kept of one query: for how many models and users together. */
const MOST = 20;

/**
 * Plans of lists, kept with the query that they were made for, as long as somebody keeps that: a client that asks the
 * same again has nothing planned anew. Exact: a plan counts no longer once something changes that it was made of.
 */
export class Plans {
  readonly #kept = new WeakMap<Query, Map<string, Kept>>();
  readonly #cache: Cache;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** Ask after the poll where the query has filters. @throws like `planList` */
  async of(planner: Planner, model: Model, query: Query, who: Requester, strict: boolean): Promise<ListPlan> {
    const name = `${model.name} ${who.userId} ${strict}`;
    const known = this.#kept.get(query)?.get(name);
    if (known && isMadeOf(known, planner, who)) return known.plan;
    const found: CacheVersion[] = [];
    let lasting = true;
    const find: Finder = async (wanted) => {
      // Taken before anything is read.
      found.push(this.#cache.versionOf([wanted.type]));
      const ids = await planner.find(wanted);
      // Of what only its owner knows, nothing is heard when it changes.
      lasting &&= remembers(this.#cache, wanted);
      return ids;
    };
    const plan = await planList({ ...planner, find }, model, query, who, strict);
    if (lasting) this.#keep(query, name, { plan, grants: who.grants, definitions: planner.definitions, found });
    return plan;
  }

  #keep(query: Query, name: string, one: Kept): void {
    let plans = this.#kept.get(query);
    if (!plans) this.#kept.set(query, (plans = new Map()));
    if (plans.size >= MOST) plans.clear();
    plans.set(name, one);
  }
}

const isMadeOf = ({ grants, definitions, found }: Kept, planner: Planner, who: Requester): boolean =>
  definitions === planner.definitions &&
  (grants === who.grants || (grants.superuser && who.grants.superuser)) &&
  found.every(isCurrent);
