import { type Change, type Engine, record } from '@cadastre/rest';
import { insertRows } from '@cadastre/rest/write/store/store';
import type { Log } from '@cadastre/service/log';
import type { PoolClient } from 'pg';
import { securityEvent } from '../models/securityEvent.ts';
import { writeLogLines } from './logLines.ts';
import { merging } from './merging.ts';
import { type SecurityEvent, valuesOf } from '../models/rights/securityEvent.ts';

/** Records security events. */
export interface SecurityRecord {
  /** Writes events in the caller's transaction, so that they are stored only if the change that they record is. */
  write(client: PoolClient, events: readonly SecurityEvent[]): Promise<void>;
  /** Writes an event soon, without making the caller wait; frequent equal events are combined. Returns at once. */
  note(event: SecurityEvent): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

export interface SecurityOptions {
  engine: Engine;
  log: Pick<Log, 'info' | 'warn'>;
  /** How many noted events are written within a minute at most; the number of further ones is recorded afterwards. */
  perMinute: number;
  /** False in maintenance mode: the database may be read-only, so events are only logged. */
  stored: boolean;
}

/** Writes security events into the database, which passes them on to the event log, and into the log. */
export function securityRecord({ engine, log, perMinute, stored }: SecurityOptions): SecurityRecord {
  async function write(client: PoolClient, events: readonly SecurityEvent[]): Promise<void> {
    if (!stored || !events.length) return;
    const rows = await insertRows(engine.tables, securityEvent, events.map(valuesOf), client);
    const changes = rows.map(
      (after, i): Change => ({
        action: 'created',
        model: securityEvent,
        before: null,
        after,
        message: '',
        asOf: events[i]!.at?.toISOString(),
      }),
    );
    await record(await engine.readContext(client), changes, null, client);
  }
  const noted = merging({
    perMinute,
    async write(events) {
      writeLogLines(log, events);
      if (stored) await engine.transact((client) => write(client, events));
    },
    failed: (error) => log.warn({ err: error }, 'security events could not be written'),
  });
  return {
    async write(client, events) {
      writeLogLines(log, events);
      await write(client, events);
    },
    note: noted.note,
    close: noted.close,
  };
}
