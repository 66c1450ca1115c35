import { LRUCache } from 'lru-cache';
import { type PageSettings, parseQuery, type Query } from './query.ts';

/** How many queries are kept, and how long the text of one may be. */
const MOST = 500;
const LONGEST = 1_000;

/** Queries that were parsed before: clients ask for the same again and again. They must not be changed. */
export class Queries {
  readonly #known = new LRUCache<string, Query>({ max: MOST });
  readonly #settings: PageSettings;

  constructor(settings: PageSettings) {
    this.#settings = settings;
  }

  /** @throws like `parseQuery` */
  of(search: string): Query {
    const known = this.#known.get(search);
    if (known) return known;
    const query = parseQuery(search, this.#settings);
    if (search.length <= LONGEST) this.#known.set(search, query);
    return query;
  }
}
