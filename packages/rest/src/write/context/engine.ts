import type { Seal } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { Files } from '../../media/files.ts';
import type { ReadEngine, ReadSettings } from '../../read/engine.ts';

/** Requests for single objects that are stored in one transaction. */
export interface CreateSettings {
  /** At most this many; with 1 each is stored by itself. */
  maxSize: number;
  /** How long a request waits at most for those that are being stored, in milliseconds. */
  maxWaitMs: number;
}

interface WriteSettings extends ReadSettings {
  creates: CreateSettings;
  maxBulkItems: number;
  /** Whether superusers may import objects with their ids. */
  importApi?: boolean;
  /** The largest file that an object may be given. */
  maxFileBytes: number;
}

/** What writing uses of a service's engine. */
export interface WriteEngine extends ReadEngine {
  readonly settings: WriteSettings;
  /** Facilities that rules of this service's models ask for by name. */
  readonly facilities: Record<string, unknown>;
  readonly files: Files | undefined;
  readonly seal: Seal | undefined;

  /** Runs a writing transaction; when it has committed, the relay is notified that there is something to publish. */
  transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;

  /**
   * To be awaited before a transaction that writes: afterwards the cache is current, and holds what every write needs,
   * as a transaction caches nothing that it loads.
   */
  ready(): Promise<void>;
}
