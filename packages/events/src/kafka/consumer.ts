import type { Consumer as Client, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { backoff, pause } from '../backoff.ts';
import { deliver, report, wantedOf } from '../deliver.ts';
import type { ConsumeOptions, Consumer, ReceivedMessage } from '../log.ts';
import { type End, freshEnds, missedTopics } from './topics.ts';

const joinWithin = 60_000;

const text = (value: unknown): string => (Array.isArray(value) ? text(value[0]) : value === null || value === undefined ? '' : String(value));

const received = ({ topic, partition }: EachBatchPayload['batch'], messages: readonly KafkaMessage[]): ReceivedMessage[] =>
  messages.map((message) => ({
    topic,
    partition,
    position: message.offset,
    time: new Date(Number(message.timestamp)),
    key: text(message.key),
    value: text(message.value),
    headers: Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, text(value)])),
  }));

/** Joins the group and reads until stopped, one partition's batch at a time. */
export async function startConsumer(kafka: Kafka, options: ConsumeOptions, sessionTimeout: number): Promise<Consumer> {
  const { group } = options;
  const stopping = new AbortController();
  const heartbeatInterval = Math.floor(sessionTimeout / 4);
  const failed = (error: unknown): void => {
    if (!stopping.signal.aborted) report(options, error, { group, stage: 'log' });
  };

  const missed = async (gone: readonly string[], fresh: readonly string[] = []): Promise<void> => {
    if (gone.length > 0) failed(new Error(`messages are gone that ${group} had yet to read: ${gone.join(', ')}`));
    if (gone.length + fresh.length > 0) await options.onMissed?.([...gone, ...fresh]);
  };
  // The offset that comes next in each partition that this member reads. Offsets have no gaps, but where the log has dropped what is too old.
  const expected = new Map<string, bigint>();
  const passed = async ({ topic, partition, messages }: EachBatchPayload['batch']): Promise<void> => {
    const key = `${topic} ${partition}`, next = expected.get(key), first = messages[0];
    if (next !== undefined && first !== undefined && BigInt(first.offset) > next) await missed([topic]);
  };

  const eachBatch = async ({ batch, resolveOffset, heartbeat, commitOffsetsIfNecessary, isRunning, isStale }: EachBatchPayload): Promise<void> => {
    // A handler may take longer than the session. When the group rebalances meanwhile, the message in hand is finished and stored, then we rejoin.
    const lost = new AbortController();
    const beating = setInterval(() => void heartbeat().catch((error: unknown) => lost.abort(error)), heartbeatInterval / 2);
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    try {
      await passed(batch);
      const { messages } = batch;
      const size = options.batchSize ?? 200;
      for (let start = 0; start < messages.length && !signal.aborted && isRunning() && !isStale(); start += size) {
        const slice = messages.slice(start, start + size);
        const wants = await wantedOf(options, signal);
        if (!wants) break;
        const wanted = slice.filter(({ key }) => wants(text(key)));
        const done = wanted.length > 0 ? await deliver(received(batch, wanted), options, signal) : 0;
        // What nobody wants is passed over up to the first message that is still to be handled.
        const last = done < wanted.length ? slice[slice.indexOf(wanted[done]!) - 1] : slice.at(-1);
        if (last === undefined) break;
        resolveOffset(last.offset);
        const offset = String(BigInt(last.offset) + 1n);
        expected.set(`${batch.topic} ${batch.partition}`, BigInt(offset));
        await commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions: [{ partition: batch.partition, offset }] }] });
        if (done < wanted.length) break;
      }
    } finally {
      clearInterval(beating);
    }
    if (lost.signal.aborted && !stopping.signal.aborted) throw lost.signal.reason;
  };

  // Where a group that wants no history starts is fixed and stored here: a reset to «latest» while consuming, which is Kafka's way, would skip
  // what is published before the first read.
  const open = async (ends: readonly End[] = []): Promise<Client> => {
    const consumer = kafka.consumer({
      groupId: group, sessionTimeout, heartbeatInterval, rebalanceTimeout: 60_000, allowAutoTopicCreation: false,
      maxWaitTimeInMs: 500, maxBytes: 8 * 1024 * 1024, maxBytesPerPartition: 1024 * 1024,
      retry: { retries: 10, initialRetryTime: 200, maxRetryTime: 5000, restartOnFailure: async () => !stopping.signal.aborted },
    });
    const joined = Promise.withResolvers<void>();
    // Awaited below, or not at all when connecting fails first.
    joined.promise.catch(() => {});
    const timer = setTimeout(() => joined.reject(new Error(`could not join the group ${group} within ${joinWithin / 1000} s`)), joinWithin);
    let running = false;
    let starts: readonly End[] = [];
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      expected.clear();
      // Before the first fetch, and for our own partitions only: each member does this for those that it gets.
      if (!running) starts = ends.filter(({ topic, partition }) => payload.memberAssignment[topic]?.includes(partition));
      if (!running) for (const start of starts) consumer.seek(start);
      joined.resolve();
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      failed(payload.error);
      if (payload.restart || stopping.signal.aborted) return;
      // What kafkajs holds to be final is usually not: brokers come back, topics get created.
      if (running) current = reopen();
      else joined.reject(payload.error);
    });
    try {
      // Before anything is read: what is stored then is where the group was.
      const { gone, fresh } = await missedTopics(kafka, group, options.topics);
      await missed(gone, options.fromBeginning === false ? [] : fresh);
      await consumer.connect();
      // Matters for partitions without a stored offset only.
      await consumer.subscribe({ topics: [...options.topics], fromBeginning: true });
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch });
      await joined.promise;
      running = true;
      if (starts.length > 0) await consumer.commitOffsets([...starts]);
    } catch (error) {
      await consumer.disconnect().catch(() => {});
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return consumer;
  };

  const reopen = async (): Promise<Client | null> => {
    for (let failures = 1; ; failures += 1) {
      await pause(backoff(failures, 500, 10_000), stopping.signal);
      if (stopping.signal.aborted) return null;
      try {
        return await open();
      } catch (error) {
        failed(error);
      }
    }
  };

  let current: Promise<Client | null> = open(options.fromBeginning === false ? await freshEnds(kafka, group, options.topics) : []);
  await current;
  return {
    async stop() {
      stopping.abort();
      await (await current)?.disconnect();
    },
  };
}
