import type { Pool } from 'pg';
import type { Catalogue, Model } from '@cadastre/model';
import { Cache } from './query/cache.ts';
import { customFieldDefinitions } from './query/customFields.ts';
import { finder } from './query/find.ts';
import { Look } from './query/look.ts';
import type { Source } from './query/related.ts';
import type { Executor } from './query/sql.ts';
import { Tables } from './query/tables.ts';
import type { Hooks } from './write/hooks.ts';
import type { Peers } from './write/peers.ts';

export interface EngineSettings {
  paginateCount: number;
  /** 0 for none. */
  maxPageSize: number;
  maxRegexLength: number;
  maxBulkItems: number;
}

export interface EngineOptions {
  catalogue: Catalogue;
  service: string;
  pool: Pool;
  settings: EngineSettings;
  peers: Peers;
  /** Facilities that rules of this service's models ask for by name. */
  facilities?: Record<string, unknown>;
  /** What happens beside a write, by type (tokens are generated, passwords hashed …). */
  hooks?: Record<string, Hooks>;
  /** Values of a base choice set (`IATA` …). */
  baseChoices?: (set: string) => Iterable<string>;
}

/** One service's pipeline: everything that requests of a process share. */
export class Engine {
  readonly tables: Tables;
  readonly cache: Cache;
  readonly look: Look;
  readonly pool: Pool;
  readonly settings: EngineSettings;
  readonly peers: Peers;
  readonly facilities: Record<string, unknown>;
  readonly #hooks: Record<string, Hooks>;
  readonly #baseChoices: (set: string) => Iterable<string>;

  constructor(o: EngineOptions) {
    this.tables = new Tables(o.catalogue, o.service);
    this.cache = new Cache(o.catalogue);
    this.pool = o.pool;
    this.look = new Look(o.pool, this.cache);
    this.settings = o.settings;
    this.peers = o.peers;
    this.facilities = o.facilities ?? {};
    this.#hooks = o.hooks ?? {};
    this.#baseChoices = o.baseChoices ?? (() => []);
  }

  get catalogue(): Catalogue { return this.tables.catalogue; }

  hooks(model: Model): Hooks { return this.#hooks[model.name] ?? {}; }

  definitions(executor: Executor = this.pool) { return customFieldDefinitions(this.tables, this.cache, executor, this.#baseChoices); }

  find(executor: Executor = this.pool) { return finder(this.tables, this.cache, executor); }

  /** Where texts of related objects come from; inside a transaction, what is loaded is not kept. */
  async source(executor: Executor = this.pool): Promise<Source> {
    return { tables: this.tables, cache: this.cache, executor, keep: executor === this.pool, definitions: await this.definitions(executor) };
  }
}
