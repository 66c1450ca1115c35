import type pg from 'pg';
import { v7 } from 'uuid';
import { backoff, pause } from '../waiting/backoff.ts';
import { deliver, report } from '../log/deliver.ts';
import { gatheringFor } from '../log/gather.ts';
import type { ConsumeOptions, Consumer } from '../log/log.ts';
import { createSignal } from '../waiting/signal.ts';
import { type Member, membership, type Place, share, type Topic } from './group.ts';
import { passMissed, readBatch, startGroup, storeProgress } from './read.ts';
import { lookOver, readWanted } from './wanted.ts';

export interface ConsumerSettings {
  /** How long a member that is not heard of keeps its partitions, in milliseconds. */
  lease: number;
  /** How often to look without having been woken. */
  poll: number;
  maxBatchBytes: number;
}

/** A consumer that the log wakes. */
export interface WakeableConsumer extends Consumer {
  readonly group: string;
  readonly topics: readonly Topic[];
  wakeForMessages(): void;
  wakeForMembers(): void;
}

/**
 * Joins the group and reads until stopped: one batch at a time, so a slow handler holds no more than that in memory.
 */
export async function startConsumer(
  pool: pg.Pool,
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
  const toHeart = createSignal();
  const failed = (error: unknown): void => {
    if (!stopping.signal.aborted) report(options, error, { group, stage: 'log' });
  };

  let wanted: Place[] = [];
  let unsettled = false;
  const look = async (): Promise<void> => {
    const { members: all, owned } = await members.beat();
    const next = share(me.id, all, topics);
    const changed = JSON.stringify(next) !== JSON.stringify(wanted);
    wanted = next;
    // Another that did not hear of this member for a while, as after a crash of the server, may have taken what is this
    // one's, and let go of it again.
    if (changed || owned !== next.length) unsettled = true;
    if (unsettled) toLoop.wake();
  };

  // Beside the reading loop, since a handler may take longer than the lease.
  const heart = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await toHeart.wait(settings.lease / 4);
      if (!stopping.signal.aborted) await look().catch(failed);
    }
  };

  const pass = (): Promise<void> =>
    passMissed(pool, { group, owner: me.id, topics }, async (names) => {
      failed(new Error(`messages are gone that ${group} had yet to read: ${names.join(', ')}`));
      await missed(names);
    });

  let last: Place = { topicId: 0, partition: 0 };
  const limit = options.batchSize ?? 200;
  let over = limit;
  // One round: settle who reads what, read, handle, store. Partitions change hands only here, never while a batch is
  // being handled.
  const round = async (): Promise<void> => {
    if (unsettled) {
      const asked = wanted;
      const owned = await members.claim(asked);
      // What another has not let go of yet is asked for again when it does, or at the next beat.
      unsettled = asked !== wanted || owned.length !== asked.length;
      await pass();
    }
    const began = performance.now();
    const ask = { group, owner: me.id, topics, limit, maxBytes: settings.maxBatchBytes, last },
      { wants, aside } = options;
    const batch = await (wants ? readWanted(pool, { ...ask, over, wants, aside }) : readBatch(pool, ask));
    if (batch === undefined) return pass();
    const end = batch.read.at(-1);
    if (end === undefined) return toLoop.wait(settings.poll);
    last = { topicId: end.topicId, partition: end.partition };
    over = lookOver(batch, limit);
    const done = batch.messages.length > 0 ? await deliver(batch.messages, options, stopping.signal) : 0;
    const kept = await storeProgress(pool, { group, owner: me.id }, batch, done);
    if (!kept) unsettled = true;
    if (options.linger && !batch.full)
      await pause(gatheringFor(options.linger, performance.now() - began), stopping.signal);
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

  await look();
  const running = Promise.all([loop(), heart()]);
  return {
    group,
    topics,
    wakeForMessages: toLoop.wake,
    wakeForMembers: toHeart.wake,
    async stop() {
      stopping.abort();
      toLoop.wake();
      toHeart.wake();
      await running;
      // If the database is away, the lease ends the membership.
      await members.leave().catch(() => {});
    },
  };
}
