import type { Catalogue } from '@cadastre/model';
import type { Cache } from '../cache/cache.ts';
import type { CustomFieldDefinitions } from '../cache/customFieldDefinitions.ts';
import type { InvalidationPoller } from '../cache/invalidationPoller.ts';
import type { Requester } from '../core/requester.ts';
import type { ReadBatcher } from '../db/batch/readBatcher.ts';
import type { RegexSettings, StatementEngine } from '../db/limiter/guarded.ts';
import type { Executor } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';
import type { Peers } from '../peers/peers.ts';
import type { ReadContext } from '../serialize/related/readContext.ts';
import type { RowTextCache } from '../serialize/rowTextCache.ts';
import type { Finder } from './filters/context.ts';
import type { Plans } from './plan/plans.ts';

export interface ReadSettings {
  maxParameters?: number;
  maxRegexLength: number;
  regex: RegexSettings;
  /** Objects that one export may hold. */
  maxExportRows: number;
}

/** What reading uses of a service's engine. */
export interface ReadEngine extends StatementEngine {
  readonly catalogue: Catalogue;
  readonly tables: Tables;
  readonly cache: Cache;
  readonly rowTexts: RowTextCache;
  readonly plans: Plans;
  readonly invalidations: InvalidationPoller;
  /** Runs the statements that no limiter holds back. */
  readonly readBatcher: ReadBatcher;
  readonly peers: Peers;
  readonly settings: ReadSettings;

  definitions(executor?: Executor, fresh?: boolean): Promise<CustomFieldDefinitions>;

  find(executor?: Executor): Finder;

  /**
   * Where texts of related objects come from; inside a transaction, what is loaded is not kept. Without a reader,
   * nothing of what objects are about is hidden.
   */
  readContext(executor?: Executor, who?: Requester): Promise<ReadContext>;
}
