import type pg from 'pg';
import { v7 } from 'uuid';
import { backoff, pause } from '../../waiting/backoff.ts';
import { deliver, report } from '../../log/deliver.ts';
import { gatheringFor } from '../../log/gather.ts';
import type { ConsumeOptions, Consumer } from '../../log/log.ts';
import { createSignal } from '../../waiting/signal.ts';
import type { HeartbeatAnswer, Heartbeat } from './heartbeat.ts';
import { type Member, membership, type Owned, type Place, share, type Topic } from './group.ts';
import { endsOf, passMissed, readBatch, startGroup, storeProgress } from './read.ts';
import { readRecent, type Stretch } from './recent.ts';
import type { Tail } from './tail.ts';
import { lookOver, readWanted } from './wanted.ts';

export interface ConsumerSettings {
  /** How long a member that sends no heartbeat keeps its partitions, in milliseconds. */
  lease: number;
  /** How often to look without having been woken. */
  poll: number;
  maxBatchBytes: number;
}

/** A consumer that the log wakes when there is something new. */
export interface WakeableConsumer extends Consumer {
  readonly group: string;
  readonly topics: readonly Topic[];
  wakeForMessages(): void;
  /** To be called when what the consumer knows of the log may be out of date. */
  startAnew(): void;
}

/**
 * Joins the group and reads until stopped: one batch at a time, so a slow handler holds no more than that in memory.
 */
export async function startConsumer(
  pool: pg.Pool,
  heart: Heartbeat,
  tail: Tail,
  options: ConsumeOptions,
  settings: ConsumerSettings,
): Promise<WakeableConsumer> {
  const { group } = options;
  const missed = async (names: readonly string[]): Promise<void> => {
    await options.onMissed?.(names);
  };
  const topics = await startGroup(pool, group, options.topics, options.fromBeginning ?? true, missed);
  const me: Member = { id: v7(), topics: topics.map((topic) => topic.id) };
  const members = membership(pool, group, me, settings.lease);
  const stopping = new AbortController();
  const toLoop = createSignal();
  const failed = (error: unknown): void => {
    if (!stopping.signal.aborted) report(options, error, { group, stage: 'log' });
  };

  let wanted: Place[] = [];
  let unsettled = false;
  const told = ({ members: all, owned }: HeartbeatAnswer): void => {
    const next = share(me.id, all, topics);
    const changed = JSON.stringify(next) !== JSON.stringify(wanted);
    wanted = next;
    // Another member that did not see this one for a while, as after a crash of the server, may have taken partitions
    // of this member and released them again.
    if (changed || owned !== next.length) unsettled = true;
    if (unsettled) toLoop.wake();
  };

  const pass = async (): Promise<boolean> => {
    const passed = await passMissed(pool, { group, owner: me.id, topics }, async (names) => {
      failed(new Error(`messages are gone that ${group} had yet to read: ${names.join(', ')}`));
      await missed(names);
    });
    if (passed) unsettled = true;
    return passed;
  };

  // The group's positions as the database has them, or further ahead where there are no messages in between.
  let places: Owned[] = [];
  const ahead = (): Stretch[] | undefined => {
    const found: Stretch[] = [];
    const passed: Owned[] = [];
    for (const place of inTurn(places, last)) {
      const behind = tail.after(place, BigInt(place.position));
      if (!behind) return undefined;
      if (behind.rows.length > 0) found.push({ ...place, rows: behind.rows });
      else passed.push({ ...place, position: String(behind.upto) });
    }
    places = movedTo(passed, places);
    return found;
  };

  let last: Place = { topicId: 0, partition: 0 };
  const limit = options.batchSize ?? 200;
  let over = limit;
  // One round: settle who reads what, read, handle, store. Partitions change hands only here, never while a batch is
  // being handled.
  const round = async (): Promise<void> => {
    if (unsettled) {
      const asked = wanted;
      places = await members.claim(asked);
      // Partitions that another member has not released yet are claimed again when it does, or at the next heartbeat.
      unsettled = asked !== wanted || places.length !== asked.length;
      if (await pass()) return;
    }
    const began = performance.now();
    const ask = { group, owner: me.id, topics, limit, maxBytes: settings.maxBatchBytes, last };
    const { wants, relevance } = options;
    await tail.current(settings.poll);
    const recent = ahead();
    const batch = await (recent
      ? readRecent(tail, recent, { ...ask, wants, relevance })
      : wants
        ? readWanted(pool, { ...ask, over, wants, relevance })
        : readBatch(pool, ask));
    if (batch === undefined) {
      await pass();
      return;
    }
    const end = batch.read.at(-1);
    if (end === undefined) {
      // The tail does not cover these positions, yet the database has no messages after them: they have been deleted.
      return !recent && (await pass()) ? undefined : toLoop.wait(settings.poll);
    }
    last = { topicId: end.topicId, partition: end.partition };
    if (!recent) over = lookOver(batch, limit);
    const done = batch.messages.length > 0 ? await deliver(batch.messages, options, stopping.signal) : 0;
    const ends = endsOf(batch, done);
    if (await storeProgress(pool, { group, owner: me.id }, ends)) places = movedTo(ends, places);
    else unsettled = true;
    if (options.linger && !batch.full)
      await pause(gatheringFor(options.linger, performance.now() - began, batch.messages.length), stopping.signal);
  };

  const loop = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        await round();
        failures = 0;
      } catch (error) {
        failed(error);
        failures += 1;
        await pause(backoff(failures, 50, 2000), stopping.signal);
      }
    }
  };

  // Heartbeats run independently of the reading loop, since a handler may take longer than the lease.
  await heart.join({ ...me, group, told, onError: failed });
  tail.watch(me.topics);
  const running = loop();
  return {
    group,
    topics,
    wakeForMessages: toLoop.wake,
    startAnew() {
      unsettled = true;
      toLoop.wake();
    },
    async stop() {
      stopping.abort();
      toLoop.wake();
      await running;
      await heart.leave(me.id);
      tail.leave(me.topics);
      // If the database is away, the lease ends the membership.
      await members.leave().catch(() => {});
    },
  };
}

const isAfter = (one: Place, other: Place): boolean =>
  one.topicId > other.topicId || (one.topicId === other.topicId && one.partition > other.partition);

/** The partition after the one that was read last comes first. */
const inTurn = (places: readonly Owned[], last: Place): Owned[] => {
  const sorted = [...places].sort((a, b) => (isAfter(a, b) ? 1 : -1));
  return [...sorted.filter((one) => isAfter(one, last)), ...sorted.filter((one) => !isAfter(one, last))];
};

/** A group's positions after it has reached some of these ends. */
const movedTo = (ends: readonly Owned[], places: readonly Owned[]): Owned[] =>
  places.map((one) => ends.find((end) => end.topicId === one.topicId && end.partition === one.partition) ?? one);
