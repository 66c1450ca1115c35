import pg from 'pg';
import { backoff, pause } from './backoff.ts';
import { topicOf } from './event.ts';
import { longLived, noticeLostClient } from './listener.ts';
import type { EventLog } from './log.ts';
import { changeChannel } from './outbox.ts';
import { createSignal } from './signal.ts';

export interface RelayOptions {
  /** The service whose changes are published. */
  service: string;
  /** The service's database; the relay keeps one connection of its own, as its leadership is bound to it. */
  connection: string | pg.ClientConfig;
  log: EventLog;
  /** The most events of one round. Default: 500. */
  batchSize?: number;
  /** How long to gather after a round that was not full, in milliseconds; the first event after a pause is published at once. Default: 20. */
  linger?: number;
  /** How often to look without having been woken, and to ask whether the leader is gone, in milliseconds. Default: 1000. */
  poll?: number;
  /** How long published events are kept, in milliseconds. Default: 7 days. */
  retention?: number;
  /** How often to trim, in milliseconds. Default: 15,000. */
  upkeep?: number;
  /** Is told when this process becomes, or ceases to be, the one that publishes. */
  onLeader?(leading: boolean): void;
  /** Is told of every failure; the relay tries again. */
  onError?(error: unknown): void;
}

export interface Relay {
  /** Ends after the round in hand. */
  stop(): Promise<void>;
}

// By id: per object that is commit order, since whoever changes an object holds its row from before the event is written until commit.
// What commits late is still unpublished then, whatever its id, so nothing is skipped.
const unpublished = 'select "id", "event_id", "key", "body" from "change" where "published_at" is null order by "id" limit $1';
const published = 'update "change" set "published_at" = clock_timestamp() where "id" = any($1::bigint[]) and "published_at" is null';
// Looks at the oldest rows only, whatever the size of the table.
const trim = `delete from "change" where "id" in (
    select "id" from (select "id", "published_at" from "change" order by "id" limit 2000) as "oldest"
    where "published_at" < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
  )`;

interface Row {
  id: string;
  event_id: string;
  key: string;
  body: string;
}

/** Publishes the oldest unpublished events and marks them. A crash between the two publishes them again: at least once. Returns how many. */
async function publishNext(client: pg.Client, log: EventLog, topic: string, limit: number): Promise<number> {
  const { rows } = await client.query<Row>({ name: 'relay-next', text: unpublished, values: [limit] });
  if (rows.length === 0) return 0;
  await log.publish(topic, rows.map((row) => ({ key: row.key, value: row.body, headers: { 'event-id': row.event_id } })));
  await client.query({ name: 'relay-mark', text: published, values: [rows.map((row) => row.id)] });
  return rows.length;
}

/** Publishes a service's changes from its outbox to the log. Of all processes of the service one does, the others wait to take over. */
export function startRelay(options: RelayOptions): Relay {
  const { service, log, batchSize = 500, poll = 1000, linger = 20, retention = 7 * 24 * 3600 * 1000, upkeep = 15_000 } = options;
  const topic = topicOf(service);
  const stopping = new AbortController();
  const signal = createSignal();
  const onError = (error: unknown): void => {
    if (!stopping.signal.aborted) options.onError?.(error);
  };

  const lead = async (client: pg.Client, ended: AbortSignal): Promise<void> => {
    let next = 0;
    while (!stopping.signal.aborted && !ended.aborted) {
      const count = await publishNext(client, log, topic, batchSize);
      if (Date.now() >= next) {
        next = Date.now() + upkeep;
        // One portion at a time, between publishing.
        const { rowCount } = await client.query(trim, [retention]);
        if (rowCount === 2000) next = Date.now();
      }
      if (count < batchSize && !stopping.signal.aborted && !ended.aborted) {
        if (count > 0) await pause(linger, stopping.signal);
        else await signal.wait(poll);
      }
    }
  };

  const session = async (): Promise<void> => {
    const client = new pg.Client(longLived(options.connection));
    const ended = new AbortController();
    client.on('error', onError);
    client.on('end', () => {
      ended.abort();
      signal.wake();
    });
    client.on('notification', signal.wake);
    try {
      await client.connect();
      await client.query(noticeLostClient);
      // Tried again and again rather than waited for: a waiting statement would hold back vacuum.
      const leading = async (): Promise<boolean> => {
        const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(hashtextextended('cadastre relay', 0)) as "got"`);
        return rows[0]?.got === true;
      };
      while (!(await leading())) {
        await signal.wait(poll);
        if (stopping.signal.aborted || ended.signal.aborted) return;
      }
      await client.query(`listen ${changeChannel}`);
      options.onLeader?.(true);
      await lead(client, ended.signal).finally(() => options.onLeader?.(false));
    } finally {
      await client.end().catch(() => {});
    }
  };

  const running = (async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const began = Date.now();
      await session().catch(onError);
      failures = Date.now() - began > 10_000 ? 1 : failures + 1;
      await pause(backoff(failures, 100, 5000), stopping.signal);
    }
  })();

  return {
    async stop() {
      stopping.abort();
      signal.wake();
      await running;
    },
  };
}
