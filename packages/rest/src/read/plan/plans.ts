import type { Model } from '@cadastre/model';
import { type Cache, isCurrent, type CacheVersion } from '../../cache/cache.ts';
import { remembers } from '../filters/find.ts';
import type { Query } from '../query/query.ts';
import type { Finder } from '../filters/context.ts';
import type { Grants, Requester } from '../../core/requester.ts';
import { type ListPlan, type Planner, planList } from './plan.ts';

interface Kept {
  plan: ListPlan;
  /** What the plan was made from: the plan is valid as long as all of it is the same. */
  grants: Grants;
  definitions: Planner['definitions'];
  /** The versions of the cache at which filter values were turned into ids. */
  found: readonly CacheVersion[];
}

/** How many plans of one query are kept, for all models and users together. */
const MOST = 20;

/**
 * Plans of lists, kept as long as the query that they were made for is: when a client repeats a request, nothing is
 * planned anew. Exact: a plan is no longer valid once anything changes that it was made from.
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
      // This service is not notified when something changes that only its owner knows.
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
