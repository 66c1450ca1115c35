import { type FairLimits, FairLimiter } from '@cadastre/body';
import { relayWaker } from '@cadastre/events';
import type { Catalogue, Seal } from '@cadastre/model';
import type { Pool, PoolClient } from 'pg';
import { Files } from './media/files.ts';
import type { MediaStore } from './media/store.ts';
import type { Requester } from './core/requester.ts';
import { Plans } from './read/plan/plans.ts';
import { USUAL_REGEX_SIZE } from './visibility/regex.ts';
import { Cache } from './cache/cache.ts';
import { type BaseChoices, customFieldDefinitions } from './cache/customFieldDefinitions.ts';
import { finder } from './read/filters/find.ts';
import { AutoAnalyze } from './cache/autoAnalyze.ts';
import { InvalidationPoller } from './cache/invalidationPoller.ts';
import { ReadBatcher } from './db/batch/readBatcher.ts';
import { RowTextCache } from './serialize/rowTextCache.ts';
import { visibilityFor } from './visibility/visibility.ts';
import type { ReadContext } from './serialize/related/readContext.ts';
import type { Executor } from './db/sql.ts';
import { Tables } from './db/tables.ts';
import { clearFetched } from './peers/fetched.ts';
import { Queries } from './read/query/queries.ts';
import type { Render, TemplateEngine } from './templates/engine.ts';
import type { CreateSettings, WriteEngine } from './write/context/engine.ts';
import type { RegexSettings } from './db/limiter/guarded.ts';
import type { RemoteObjects } from './templates/remoteObjects.ts';
import { takeOutboxSpan, reportOutboxSpan, type OutboxSpan } from './write/record/outboxSpan.ts';
import type { Peers } from './peers/peers.ts';
import { transaction } from './db/transaction.ts';

/** How many exports and renderings may run and wait; lists with longer pages than `fromRows` are among them. */
export interface ExportSettings extends FairLimits {
  fromRows: number;
}

const USUAL_REGEX: RegexSettings = {
  maxSize: USUAL_REGEX_SIZE,
  timeoutMs: 1_000,
  running: 2,
  runningPerUser: 1,
  waiting: 40,
  waitingPerUser: 10,
  waitMs: 5_000,
};
const USUAL_EXPORTS: ExportSettings = {
  fromRows: 1_000,
  running: 2,
  runningPerUser: 1,
  waiting: 20,
  waitingPerUser: 5,
  waitMs: 20_000,
};

/** A group is as large as what one statement takes easily, and keeps others for no longer than a client would notice. */
const USUAL_CREATES: CreateSettings = { maxSize: 100, maxWaitMs: 20 };

export interface EngineSettings {
  paginateCount: number;
  /** 0 for none. */
  maxPageSize: number;
  maxParameters?: number;
  maxRegexLength: number;
  /** Limits of regular expressions in filters. */
  regex?: Partial<RegexSettings>;
  /** Exports and renderings. */
  exports?: Partial<ExportSettings>;
  maxBulkItems: number;
  /** Requests for single objects that arrive together. */
  creates?: Partial<CreateSettings>;
  /** Objects that one export may hold. */
  maxExportRows: number;
  /** Objects that one template may be given besides those that it is rendered for. */
  maxRelatedObjects?: number;
  /** Whether superusers may import objects with their ids. */
  importApi?: boolean;
  /** The largest file that an object may be given. */
  maxFileBytes: number;
  /** How many things of one kind (related objects in one form, counts of one relation …) are remembered; 0 for none. */
  cacheEntries?: number;
  /** How much of the texts of objects is remembered; 0 for nothing. */
  rowTextBytes: number;
}

export interface EngineOptions {
  catalogue: Catalogue;
  service: string;
  pool: Pool;
  settings: EngineSettings;
  peers: Peers;
  /** Facilities that rules of this service's models ask for by name. */
  facilities?: Record<string, unknown>;
  /** Values of a base choice set (`ISO_3166` …). */
  baseChoices?: BaseChoices;
  /** For export templates. */
  render?: Render;
  /**
   * Resolves when this service has followed all changes that had been committed when it was called, or has waited for
   * them long enough.
   */
  caughtUp?: () => Promise<unknown>;
  /** Wakes the relay of this process, if it is the one that publishes. */
  wakeRelay?: () => boolean;
  /** Where templates find objects of other services. */
  neighbours?: RemoteObjects;
  /** Encrypts what sealed fields hold; needed where models have some. */
  seal?: Seal;
  /** Where the files of objects are; needed where models have some. */
  media?: MediaStore;
}

/** One service's pipeline: everything that requests of a process share. */
export class Engine implements WriteEngine, TemplateEngine {
  readonly tables: Tables;
  readonly cache: Cache;
  readonly rowTexts: RowTextCache;
  readonly queries: Queries;
  readonly plans: Plans;
  readonly invalidations: InvalidationPoller;
  /** Runs the statements that no limiter holds back. */
  readonly readBatcher: ReadBatcher;
  readonly pool: Pool;
  readonly settings: EngineSettings & { regex: RegexSettings; exports: ExportSettings; creates: CreateSettings };
  /** Limiters of work that takes long. */
  readonly limiters: { regexes: FairLimiter; exports: FairLimiter };
  readonly peers: Peers;
  readonly facilities: Record<string, unknown>;
  readonly render: Render;
  readonly neighbours: RemoteObjects | undefined;
  readonly files: Files | undefined;
  readonly seal: Seal | undefined;
  readonly caughtUp: () => Promise<unknown>;
  readonly #baseChoices: BaseChoices;
  readonly #wakeRelay: () => void;

  constructor(o: EngineOptions) {
    this.tables = new Tables(o.catalogue, o.service);
    this.cache = new Cache(o.catalogue, o.settings.cacheEntries);
    this.rowTexts = new RowTextCache(this.tables, this.cache, o.settings.rowTextBytes);
    this.queries = new Queries(o.settings);
    this.plans = new Plans(this.cache);
    this.pool = o.pool;
    const growth = new AutoAnalyze(o.pool, this.tables);
    this.invalidations = new InvalidationPoller(o.pool, {
      invalidate: (type, id) => {
        this.cache.invalidate(type, id);
        growth.noteChange(type, id);
      },
      invalidateAll: () => this.cache.invalidateAll(),
    });
    this.readBatcher = new ReadBatcher(o.pool);
    this.#wakeRelay = relayWaker({ query: ({ text, values }) => o.pool.query(text, values) }, o.wakeRelay);
    const regex = { ...USUAL_REGEX, ...o.settings.regex };
    const exports = { ...USUAL_EXPORTS, ...o.settings.exports };
    this.settings = { ...o.settings, regex, exports, creates: { ...USUAL_CREATES, ...o.settings.creates } };
    this.limiters = {
      regexes: new FairLimiter(regex, 'searches by regular expression'),
      exports: new FairLimiter(exports, 'exports and renderings'),
    };
    this.peers = o.peers;
    this.facilities = o.facilities ?? {};
    this.render = o.render ?? (() => Promise.reject(new Error(`no templates in service ${o.service}`)));
    this.neighbours = o.neighbours;
    this.files = o.media && new Files(o.media, o.pool);
    this.seal = o.seal;
    this.caughtUp = o.caughtUp ?? (() => Promise.resolve());
    this.#baseChoices = o.baseChoices ?? (() => undefined);
  }

  /** Runs a writing transaction; when it has committed, the relay is told that there is something to publish. */
  async transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    let dropped = false;
    let written: OutboxSpan | undefined;
    const result = await transaction(
      this.pool,
      (client) => {
        // What a transaction that was rolled back has left on the connection does not belong to this one.
        this.files?.dropped(client);
        takeOutboxSpan(client);
        clearFetched(client);
        return work(client);
      },
      (client) => {
        dropped = this.files?.dropped(client) ?? false;
        written = takeOutboxSpan(client);
      },
    );
    reportOutboxSpan(written);
    // What cannot be removed at present is removed later (`sweep` runs from time to time).
    if (dropped) this.files?.sweep().catch(() => undefined);
    // Not inside the transaction: PostgreSQL lets transactions that notify commit only one after the other.
    this.#wakeRelay();
    return result;
  }

  get catalogue(): Catalogue {
    return this.tables.catalogue;
  }

  /**
   * To be awaited before a transaction that writes: what is remembered is up to date then, and includes what every
   * write needs, as a transaction keeps nothing that it loads.
   */
  async ready(): Promise<void> {
    await this.invalidations.wait();
    await this.definitions();
  }

  definitions(executor: Executor = this.pool, fresh = false) {
    return customFieldDefinitions(this.tables, this.cache, executor, this.#baseChoices, {
      fresh,
      keep: executor === this.pool,
    });
  }

  find(executor: Executor = this.pool) {
    return finder(this.tables, this.cache, executor, this.peers);
  }

  /**
   * Where texts of related objects come from; inside a transaction, what is loaded is not kept. Without a reader,
   * nothing of what objects are about is hidden.
   */
  async readContext(executor: Executor = this.pool, who?: Requester): Promise<ReadContext> {
    return {
      tables: this.tables,
      cache: this.cache,
      executor,
      keep: executor === this.pool,
      definitions: await this.definitions(executor),
      peers: this.peers,
      uncacheable: { seen: false },
      ...(this.files ? { files: this.files } : {}),
      ...(who ? { visibility: visibilityFor(this, who, executor) } : {}),
    };
  }
}
