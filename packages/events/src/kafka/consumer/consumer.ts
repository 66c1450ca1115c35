import { once } from 'node:events';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { backoff, pause } from '../../waiting/backoff.ts';
import { irrelevantToHeader, relevantKeys, type KeyAhead, isIrrelevantTo } from '../../log/relevance.ts';
import { deliver, insist, report } from '../../log/deliver.ts';
import { gatheringFor } from '../../log/gather.ts';
import { type ConsumeOptions, type Consumer, kindOf, type ReceivedMessage } from '../../log/log.ts';
import type { KafkaLogOptions } from '../client/client.ts';
import { joinGroup, leaveWithin, type Member } from './member.ts';
import { createPendingOffsets, type PartitionOffset } from './offsets.ts';
import { createRounds } from './rounds.ts';
import { type End, freshEnds, missedTopics } from '../client/topics.ts';
import { unlessAborted, within } from '../client/within.ts';

/**
 * How long offsets may wait to be stored together with others, in milliseconds: at most this much is handled again
 * after a crash.
 */
const STORE_EVERY_MS = 250;

const text = (value: unknown): string =>
  Array.isArray(value) ? text(value[0]) : value === null || value === undefined ? '' : String(value);

const received = (
  { topic, partition }: EachBatchPayload['batch'],
  messages: readonly KafkaMessage[],
): ReceivedMessage[] =>
  messages.map((message) => ({
    topic,
    partition,
    position: message.offset,
    time: new Date(Number(message.timestamp)),
    key: text(message.key),
    value: text(message.value),
    headers: Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, text(value)])),
  }));

/** Which of the messages that are ahead matter. */
async function wantedOf(
  { wants, relevance }: ConsumeOptions,
  messages: readonly KafkaMessage[],
): Promise<(message: KafkaMessage) => boolean> {
  const is = await wants?.();
  const matters = ({ key }: KafkaMessage): boolean => is?.(kindOf(text(key))) ?? true;
  if (!is || !relevance) return matters;
  const passes = ({ headers }: KafkaMessage): boolean =>
    isIrrelevantTo(text(headers?.[irrelevantToHeader]), relevance.names);
  const ahead = new Map<string, KeyAhead>();
  for (const message of messages) {
    if (!matters(message)) continue;
    const key = text(message.key);
    const known = ahead.get(key) ?? { key, irrelevant: 0, delivered: false };
    ahead.set(key, passes(message) ? { ...known, irrelevant: known.irrelevant + 1 } : { ...known, delivered: true });
  }
  const relevantNow = await relevantKeys(
    relevance,
    [...ahead.values()].filter((one) => one.irrelevant > 0),
  );
  return (message) => matters(message) && (!passes(message) || relevantNow.has(text(message.key)));
}

/** Some messages of a partition, and a signal that is aborted when they must not be handled any more. */
interface Part {
  payload: EachBatchPayload;
  messages: readonly KafkaMessage[];
  signal: AbortSignal;
}

/**
 * How far each part has come when the first `done` of the wanted messages of all parts are handled. Unwanted messages
 * are skipped up to the first wanted message that is still to be handled.
 */
function endsOf(
  parts: readonly Part[],
  wanted: readonly (readonly KafkaMessage[])[],
  done: number,
): { part: Part; last: KafkaMessage | undefined; complete: boolean }[] {
  let left = done;
  return parts.map((part, i) => {
    const mine = wanted[i]!;
    const first = mine[left];
    const complete = first === undefined;
    left = Math.max(0, left - mine.length);
    return { part, last: complete ? part.messages.at(-1) : part.messages[part.messages.indexOf(first) - 1], complete };
  });
}

/**
 * Joins the group and reads until stopped, one batch at a time. If a member fails before that, a new one replaces it.
 */
export async function startConsumer(log: KafkaLogOptions, options: ConsumeOptions): Promise<Consumer> {
  const { group } = options;
  const stopping = new AbortController();
  // kafkajs sends a heartbeat only when its own interval has passed. Asking twice as often makes it send on time.
  const beat = Math.floor((log.sessionTimeout ?? 10_000) / 8);
  const failed = (error: unknown): void => {
    if (!stopping.signal.aborted) report(options, error, { group, stage: 'log' });
  };

  const missed = async (gone: readonly string[], fresh: readonly string[] = []): Promise<void> => {
    if (gone.length > 0) failed(new Error(`messages are gone that ${group} had yet to read: ${gone.join(', ')}`));
    if (gone.length + fresh.length > 0) await options.onMissed?.([...gone, ...fresh]);
  };
  // The next offset in each partition that this member reads. Offsets have no gaps except where the log has deleted old
  // messages.
  const expected = new Map<string, bigint>();
  const passed = async ({ topic, partition, messages }: EachBatchPayload['batch']): Promise<void> => {
    const key = `${topic} ${partition}`;
    const next = expected.get(key);
    const first = messages[0];
    if (next !== undefined && first !== undefined && BigInt(first.offset) > next) await missed([topic]);
  };

  let inHand: Promise<unknown> = Promise.resolve();
  const taking = <T>(work: Promise<T>): Promise<T> => {
    // Without the result: otherwise each promise would keep all earlier results in memory.
    inHand = Promise.allSettled([inHand, work]).then(() => {});
    return work;
  };
  // Aborted when this member has lost its place in the group. What the last fetch brought for other partitions is not
  // handled then: kafkajs hands it out all the same, but handling it may take minutes while the group waits, and its
  // offsets could not be stored.
  let place = new AbortController();
  const size = options.batchSize ?? 200;

  const places = createPendingOffsets(STORE_EVERY_MS);
  // The next owner of the partitions then begins where this member has come to. If storing fails, some messages are
  // handled twice.
  const storeLast = (): Promise<void> =>
    within(leaveWithin, `storing where ${group} is`, places.store()).catch(() => {});

  // A fetch brings a few messages of each of many partitions. Handling and storing all of them together costs as much
  // as doing so for one partition.
  const rounds = createRounds<Part, boolean>({
    limit: size,
    sizeOf: ({ messages }) => messages.length,
    work: async (parts) => {
      const signal = AbortSignal.any(parts.map((part) => part.signal));
      const wants = await insist(options, signal, () =>
        wantedOf(
          options,
          parts.flatMap(({ messages }) => messages),
        ),
      );
      if (!wants) return parts.map(() => false);
      const wanted = parts.map(({ messages }) => messages.filter(wants));
      const all = parts.flatMap(({ payload }, i) => received(payload.batch, wanted[i]!));
      const ends = endsOf(parts, wanted, all.length > 0 ? await taking(deliver(all, options, signal)) : 0);
      const reached = ends.flatMap(
        ({
          part: {
            payload: {
              batch: { topic, partition },
              resolveOffset,
            },
          },
          last,
        }): PartitionOffset[] => {
          if (last === undefined) return [];
          const next = BigInt(last.offset) + 1n;
          resolveOffset(last.offset);
          expected.set(`${topic} ${partition}`, next);
          return [{ topic, partition, offset: String(next) }];
        },
      );
      // If the client has stopped responding, the member that replaces it must not have to wait for it.
      await unlessAborted(signal, places.note(reached, parts[0]!.payload.commitOffsetsIfNecessary));
      return ends.map(({ complete }) => complete);
    },
    gather: async (took, messages, full) => {
      if (options.linger && !full)
        await pause(gatheringFor(options.linger, took, messages), AbortSignal.any([stopping.signal, place.signal]));
    },
  });

  const handle = async (payload: EachBatchPayload, over: AbortSignal): Promise<void> => {
    const { batch, heartbeat, isRunning, isStale } = payload;
    const lost = place;
    lost.signal.throwIfAborted();
    // A handler may take longer than the session. When the group rebalances meanwhile, the message in hand is finished
    // and stored, and then we rejoin.
    const beating = setInterval(() => void heartbeat().catch((error: unknown) => lost.abort(error)), beat);
    const signal = AbortSignal.any([over, lost.signal]);
    try {
      if (!over.aborted) await taking(passed(batch));
      for (
        let start = 0;
        start < batch.messages.length && !signal.aborted && isRunning() && !isStale();
        start += size
      ) {
        if (!(await rounds.add({ payload, messages: batch.messages.slice(start, start + size), signal }))) break;
      }
      // Messages that are fetched next gather during this wait.
      await rounds.rest();
    } catch (error) {
      lost.abort(error);
    } finally {
      clearInterval(beating);
    }
    if (signal.aborted) await storeLast();
    if (lost.signal.aborted && !stopping.signal.aborted) throw lost.signal.reason;
  };

  // For a group that wants no history, the start is fixed and stored when it joins. Kafka's way, a reset to «latest»
  // while consuming, would skip messages that are published before the first read.
  const join = async (starts: readonly End[]): Promise<Member> => {
    // Before anything is read, while the stored offsets still say where the group was.
    const found = await missedTopics(log, group, options.topics);
    const { gone, left } = found;
    const { fresh, beginnings } = options.fromBeginning === false ? { fresh: [], beginnings: [] } : found;
    await missed(gone, fresh);
    return joinGroup({
      log,
      group,
      topics: options.topics,
      starts: [...starts, ...beginnings, ...left],
      stopping: stopping.signal,
      onJoin: () => {
        expected.clear();
        places.forget();
      },
      onLeave: storeLast,
      onFetch: () => {
        place = new AbortController();
      },
      handle,
      idle: () => inHand,
    });
  };

  const joinAgain = async (): Promise<Member | null> => {
    for (let failures = 1; ; failures += 1) {
      await pause(backoff(failures, 500, 10_000), stopping.signal);
      if (stopping.signal.aborted) return null;
      try {
        return await join([]);
      } catch (error) {
        failed(error);
      }
    }
  };

  let member: Member | null = await join(
    options.fromBeginning === false ? await freshEnds(log, group, options.topics) : [],
  );
  const running = (async () => {
    while (member) {
      if (!member.over.aborted) await once(member.over, 'abort');
      failed(member.over.reason);
      await member.end();
      places.forget();
      member = await joinAgain();
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
