import type pg from 'pg';
import { pause } from '../waiting/backoff.ts';
import { topicOf } from '../event/event.ts';
import { irrelevantTo } from '../event/eventText.ts';
import type { EventLog } from '../log/log.ts';
import { changeChannel } from './outbox.ts';
import { dequeue, nextQueued } from './queue.ts';
import { type Connection, sessionOf } from '../waiting/session.ts';
import { createSignal } from '../waiting/signal.ts';
import { type Confirm, trimOutbox } from './trim.ts';

export interface RelayOptions {
  /** The service whose changes are published. */
  service: string;
  /** To the service's database; the relay is the leader as long as its session lasts. */
  connection: Connection;
  log: EventLog;
  /** The most events of one round. Default: 500. */
  batchSize?: number;
  /**
   * How long to gather after a round that was not full, in milliseconds; the first event after a pause is published at
   * once. Default: 20.
   */
  linger?: number;
  /**
   * How often to look without having been woken, in milliseconds. While another relay leads, this one checks at least
   * once a second whether the leader is gone. Default: 10,000.
   */
  poll?: number;
  /** How long published events are kept at least, in milliseconds. Default: 7 days. */
  retention?: number;
  /** Decides which old events may be deleted; without it age alone decides. */
  confirm?: Confirm;
  /** How often to look for events to delete, in milliseconds. Default: 30,000. */
  upkeep?: number;
  /** Called when this process becomes, or ceases to be, the one that publishes. */
  onLeader?(leading: boolean): void;
  /** Called with every failure; the relay tries again. */
  onError?(error: unknown): void;
}

export interface Relay {
  /**
   * Wakes this relay if it is the one that publishes. Otherwise returns false, and the caller has to notify all relays
   * (`relayWaker`).
   */
  wake(): boolean;
  /** Stops after the current round. */
  stop(): Promise<void>;
}

/** How often to check whether the leader is gone, in milliseconds. */
const candidacy = 1000;

// Uses a partial index, which is empty unless processes of a version without the queue write here.
const adopt = `with "found" as (update "change" set "queued_at" = now() where "queued_at" is null returning "id") insert into "change_queue" select "id" from "found"`;

interface Row {
  id: string;
  event_id: string;
  key: string;
  body: string;
}

/**
 * Publishes the oldest events of the queue and takes them out of it. A crash between the two publishes them again: at
 * least once. Returns how many.
 */
async function publishNext(
  client: pg.Client,
  log: EventLog,
  topic: string,
  limit: number,
  ended: AbortSignal,
): Promise<number> {
  const { rows } = await client.query<Row>({ name: `relay-next-${limit}`, text: nextQueued(limit) });
  // Once the session has ended, another relay leads.
  if (rows.length === 0 || ended.aborted) return 0;
  await log.publish(
    topic,
    rows.map((row) => ({
      key: row.key,
      value: row.body,
      headers: { 'event-id': row.event_id },
      irrelevantTo: irrelevantTo(row.body),
    })),
  );
  await client.query({ name: 'relay-done', text: dequeue, values: [rows.map((row) => row.id)] });
  return rows.length;
}

/**
 * Publishes a service's changes from its outbox to the log. One process of the service does this; the others wait to
 * take over.
 */
export function startRelay(options: RelayOptions): Relay {
  const {
    service,
    log,
    batchSize = 500,
    poll = 10_000,
    linger = 20,
    retention = 7 * 24 * 3600 * 1000,
    upkeep = 30_000,
  } = options;
  const topic = topicOf(service);
  let publishes = false;
  const stopping = new AbortController();
  const signal = createSignal();
  const onError = (error: unknown): void => {
    if (!stopping.signal.aborted) options.onError?.(error);
  };

  const publishing = async (client: pg.Client, ended: AbortSignal): Promise<void> => {
    while (!ended.aborted) {
      const count = await publishNext(client, log, topic, batchSize, ended);
      if (count < batchSize && !ended.aborted) {
        if (count > 0) await pause(linger, ended);
        else await signal.wait(poll);
      }
    }
  };

  // Runs concurrently with the publishing, since confirming may have to wait for other services.
  const tidying = async (client: pg.Client, ended: AbortSignal): Promise<void> => {
    while (!ended.aborted) {
      let more = false;
      try {
        if (((await client.query(adopt)).rowCount ?? 0) > 0) signal.wake();
        const { requeued, full } = await trimOutbox(client, {
          retention,
          ...(options.confirm ? { confirm: options.confirm } : {}),
        });
        if (requeued > 0) signal.wake();
        more = full;
      } catch (error) {
        if (!ended.aborted) onError(error);
      }
      if (!more) await pause(upkeep, ended);
    }
  };

  const lead = async (client: pg.Client, ended: AbortSignal): Promise<void> => {
    const over = new AbortController();
    const until = AbortSignal.any([ended, stopping.signal, over.signal]);
    const tidied = tidying(client, until);
    try {
      await publishing(client, until);
    } finally {
      over.abort();
      await tidied;
    }
  };

  const begin = async (client: pg.Client, ended: AbortSignal): Promise<void> => {
    ended.addEventListener('abort', signal.wake, { once: true });
    // Commits need not wait for the disk: what a crash of the server loses is done again, publishing first.
    await client.query('set synchronous_commit = off');
    // The lock is polled: a statement that waits for it would hold back vacuum.
    const leading = async (): Promise<boolean> => {
      const { rows } = await client.query<{ got: boolean }>(
        `select pg_try_advisory_lock(hashtextextended('cadastre relay', 0)) as "got"`,
      );
      return rows[0]?.got === true;
    };
    while (!(await leading())) {
      await signal.wait(Math.min(poll, candidacy));
      if (stopping.signal.aborted || ended.aborted) return;
    }
    await client.query(`listen ${changeChannel}`);
    publishes = true;
    options.onLeader?.(true);
    await lead(client, ended).finally(() => {
      publishes = false;
      options.onLeader?.(false);
    });
  };

  const leave = sessionOf(options.connection).join({
    begin,
    onNotify(channel) {
      if (channel === changeChannel) signal.wake();
    },
    onError,
  });

  return {
    wake() {
      if (publishes) signal.wake();
      return publishes;
    },
    async stop() {
      stopping.abort();
      signal.wake();
      await leave();
    },
  };
}
