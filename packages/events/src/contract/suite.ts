import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, patienceMs } from '../../../../tests/support/eventually.ts';
import { type LogEnvironment, open } from './open.ts';
import { useLog } from './setup.ts';
import { createPublisher, faults, firstSeen, numbered, type Seen, until } from './tools.ts';
import type { ConsumeOptions, Consumer, EventLog, ReceivedMessage } from '../log/log.ts';

/**
 * Far less than either adapter waits before it polls (a second; half a second at Kafka's brokers), and far more than a
 * notification takes to arrive.
 */
const TOLD_WITHIN_MS = 250;
/**
 * At least this many of the messages must arrive in time. A consumer that only polls is late for nearly all of them; on
 * a busy machine some are late even with notifications.
 */
const TOLD_IN_TIME = 10;

/** What every event log must do while all goes well. Each adapter's test runs it against the real thing. */
export function describeEventLog(environment: () => LogEnvironment): void {
  const { opened, fresh, consume, collect, another, leftovers } = useLog(environment);
  let log: EventLog;
  beforeAll(() => {
    log = opened();
  });

  describe('delivery', () => {
    it('brings every message once and whole, in order per key', async () => {
      const where = fresh();
      const messages = numbered(1000, 20);
      for (let start = 0; start < 1000; start += 250)
        await log.publish(where.topic, messages.slice(start, start + 250));
      const seen: ReceivedMessage[] = [];
      const consumer = await collect(where, seen as Seen[]);
      await until('1000 messages', () => seen.length >= 1000);
      await consumer.stop();
      expect(seen.length).toBe(1000);
      expect(faults(seen, 1000, 20)).toEqual([]);
      const last = new Map<number, bigint>();
      for (const { topic, partition, position, time } of seen) {
        expect(topic).toBe(where.topic);
        expect(Math.abs(Date.now() - time.getTime())).toBeLessThan(60_000);
        expect(BigInt(position)).toBeGreaterThan(last.get(partition) ?? -1n);
        last.set(partition, BigInt(position));
      }
    });

    it('tells a group once of topics that it has never consumed, if it wants them from the beginning', async () => {
      const where = fresh();
      const told: string[] = [];
      await log.ensureTopics([where.topic]);
      const onMissed = async (topics: readonly string[]) => void told.push(...topics);
      const seen: Seen[] = [];
      await log.publish(where.topic, numbered(4, 4));
      const first = await collect(where, seen, { onMissed });
      await until('4 messages', () => seen.length === 4);
      expect(told).toEqual([where.topic]);
      await first.stop();
      const second = await collect(where, seen, { onMissed });
      await log.publish(where.topic, numbered(8, 8));
      await until('8 more', () => seen.length === 12);
      await second.stop();
      await collect({ ...where, group: `${where.group}-late` }, seen, { onMissed, fromBeginning: false });
      expect(told).toEqual([where.topic]);
    });

    it('tells a group once of a topic in which there is nothing yet, and brings what comes there later', async () => {
      const where = fresh();
      const told: string[] = [];
      const seen: Seen[] = [];
      await log.ensureTopics([where.topic]);
      const onMissed = async (topics: readonly string[]) => void told.push(...topics);
      for (const _start of [1, 2]) await (await collect(where, seen, { onMissed })).stop();
      expect(told).toEqual([where.topic]);
      await log.publish(where.topic, numbered(4, 4));
      await collect(where, seen, { onMissed });
      await until('4 messages', () => seen.length === 4);
      expect(told).toEqual([where.topic]);
    });

    it('says whether a group has handled what was there at a moment', async () => {
      const where = fresh();
      const other = fresh();
      await log.ensureTopics([where.topic, other.topic]);
      const gate = Promise.withResolvers<void>();
      let handled = 0;
      await consume(where, {
        handler: async (batch) => {
          await gate.promise;
          handled += batch.length;
        },
      });
      expect(await (await log.mark(where.group, [where.topic, other.topic]))()).toBe(true);
      await log.publish(where.topic, numbered(20, 5));
      const behind = await log.mark(where.group, [where.topic, other.topic]);
      expect([await behind(), await behind()]).toEqual([false, false]);
      gate.resolve();
      await eventually(async () => expect(await behind()).toBe(true));
      expect([await behind(), handled]).toEqual([true, 20]);
      // What came after the moment does not matter.
      const until = await log.mark(where.group, [where.topic]);
      await log.publish(other.topic, numbered(1, 1));
      expect(await until()).toBe(true);
    });

    it('keeps keys, values and headers as they are', async () => {
      const where = fresh();
      const odd = {
        key: 'dcim.site:1 "ü"\\,{}',
        value: JSON.stringify({ text: '\0 \ud800 "\\ \n \u2028 ünï 🦊', nothing: null }),
        headers: { 'event-id': 'ä "1"' },
      };
      await log.publish(where.topic, []);
      await log.publish(where.topic, [odd, { key: '', value: '' }, { key: 'k', value: 'line\nline\ttab NULL {a,b}' }]);
      const seen: ReceivedMessage[] = [];
      const consumer = await collect(where, seen as Seen[]);
      await until('3 messages', () => seen.length >= 3);
      await consumer.stop();
      const found = seen
        .map(({ key, value, headers }) => ({ key, value, headers }))
        .sort((a, b) => b.value.length - a.value.length);
      expect(found).toEqual([
        odd,
        { key: 'k', value: 'line\nline\ttab NULL {a,b}', headers: {} },
        { key: '', value: '', headers: {} },
      ]);
    });

    it('takes big messages', async () => {
      const where = fresh();
      // Random enough that compression does not make them small.
      const big = Array.from({ length: 12 }, (_, index) => ({
        key: `b${index}`,
        value: Array.from({ length: 30_000 }, () => randomUUID()).join(' '),
      }));
      await log.publish(where.topic, big);
      const seen: Seen[] = [];
      const consumer = await collect(where, seen);
      await until('12 messages of a megabyte', () => seen.length >= 12);
      await consumer.stop();
      expect(new Map(seen.map(({ key, value }) => [key, value]))).toEqual(
        new Map(big.map(({ key, value }) => [key, value])),
      );
    });

    it('takes messages from several publishers at once', async () => {
      const where = fresh();
      const other = await another();
      const send = async (from: EventLog, name: string): Promise<void> => {
        for (let number = 0; number < 20; number += 1)
          await from.publish(where.topic, [{ key: name, value: `${name} ${number}` }]);
      };
      await Promise.all([
        send(log, 'a'),
        send(other, 'b'),
        log.ensureTopics([where.topic]),
        other.ensureTopics([where.topic]),
      ]);
      const seen: Seen[] = [];
      const consumer = await collect(where, seen);
      await until('40 messages', () => seen.length >= 40);
      await consumer.stop();
      const order = Array.from({ length: 20 }, (_, number) => number);
      expect(firstSeen(seen)).toEqual(
        new Map([
          ['a', order],
          ['b', order],
        ]),
      );
    });

    it('is told of messages, rather than looking from time to time', async () => {
      const where = fresh();
      const took: number[] = [];
      const consumer = await collect(where, [], {
        handler: async (batch) => void took.push(...batch.map((message) => Date.now() - Number(message.value))),
      });
      await log.publish(where.topic, [{ key: 'warm', value: '0' }]);
      await until('it reads', () => took.length > 0);
      await sleep(300);
      took.length = 0;
      for (let number = 1; number <= 40; number += 1) {
        await log.publish(where.topic, [{ key: `k${number}`, value: String(Date.now()) }]);
        await until('it arrives', () => took.length >= number);
      }
      await consumer.stop();
      expect(took.filter((ms) => ms < TOLD_WITHIN_MS).length).toBeGreaterThanOrEqual(TOLD_IN_TIME);
    });
  });

  describe('groups', () => {
    it('get everything, each for itself, and go on where they were', async () => {
      const where = fresh();
      const a: Seen[] = [];
      const b: Seen[] = [];
      await log.publish(where.topic, numbered(100, 5));
      const first = await collect({ ...where, group: `${where.group}-a` }, a);
      await until('a has 100', () => a.length >= 100);
      await first.stop();
      await log.publish(where.topic, numbered(50, 5, 100));
      const again = await collect({ ...where, group: `${where.group}-a` }, a);
      const second = await collect({ ...where, group: `${where.group}-b` }, b);
      await until('both have 150', () => a.length >= 150 && b.length >= 150);
      await Promise.all([again.stop(), second.stop()]);
      expect([a.length, b.length]).toEqual([150, 150]);
      expect([...faults(a, 150, 5), ...faults(b, 150, 5)]).toEqual([]);
    });

    it('may start at the end, and then miss nothing that comes', async () => {
      const where = fresh();
      await log.publish(where.topic, [{ key: 'k', value: 'old' }]);
      const seen: Seen[] = [];
      const consumer = await collect(where, seen, { fromBeginning: false });
      await log.publish(where.topic, [{ key: 'k', value: 'new' }]);
      await until('the new one', () => seen.length > 0);
      await consumer.stop();
      await log.publish(where.topic, [{ key: 'k', value: 'later' }]);
      const again = await collect(where, seen, { fromBeginning: false });
      await until('the later one', () => seen.length > 1);
      await again.stop();
      expect(seen.map(({ value }) => value)).toEqual(['new', 'later']);
    });

    it('follow several topics', async () => {
      const [one, two] = [fresh(), fresh()];
      const seen: Seen[] = [];
      const consumer = await collect(one, seen, { topics: [one.topic, two.topic] });
      await log.publish(one.topic, numbered(30, 3));
      await log.publish(two.topic, [{ key: 'x', value: 'x 0' }]);
      await until('31 messages', () => seen.length >= 31);
      await consumer.stop();
      expect(faults(seen, 30, 3)).toEqual([]);
    });

    it('share by key while members come and go', async () => {
      const where = fresh();
      const all: Seen[] = [];
      const shares: Set<string>[] = [];
      const other = await another();
      const join = (through: EventLog): Promise<Consumer> => {
        const keys = new Set<string>();
        shares.push(keys);
        const handler: ConsumeOptions['handler'] = async (batch) => {
          await sleep(2);
          for (const message of batch) keys.add(message.key);
          all.push(...batch);
        };
        return consume(where, { batchSize: 20, handler }, through);
      };
      const { publish, count, keys } = createPublisher(log, where.topic, 40);
      const complete = (): boolean => faults(all, count(), keys).length === 0;

      await join(log);
      await publish(400);
      const second = await join(other);
      await publish(400);
      await until('800 handled', complete);
      for (const deadline = Date.now() + patienceMs; shares[1]?.size === 0 && Date.now() < deadline; await sleep(10))
        await publish(40);
      await until('all handled', complete);
      for (const each of shares) each.clear();
      // Both have settled: each key has one reader.
      await publish(400);
      await until('the shared part handled', complete);
      const [mine = new Set(), theirs = new Set()] = shares;
      expect([...mine].filter((key) => theirs.has(key))).toEqual([]);
      expect(Math.min(mine.size, theirs.size)).toBeGreaterThan(0);

      await second.stop();
      await publish(200);
      await until('the first handles all again', complete);
    });
  });

  describe('topics', () => {
    it('have the partitions that they were made with, and say so when others are asked for', async () => {
      // The client logs other things too, for example while a topic is so new that a broker does not know of it.
      const { topic } = fresh();
      const told: unknown[] = [];
      await log.ensureTopics([topic]);
      const other = await open({ ...environment(), CONTRACT_PARTITIONS: '9' }, (_level, message, detail) => {
        if (message.startsWith('the topic has')) told.push(detail);
      });
      leftovers.push(() => other.close());
      await other.ensureTopics([topic]);
      expect(told).toEqual([{ topic, partitions: 4, wanted: 9 }]);
      await log.ensureTopics([topic]);
      const nine = fresh().topic;
      await other.ensureTopics([nine]);
      const places = new Set<number>();
      await consume(
        { topic: nine, group: nine },
        {
          handler: async (batch) => {
            for (const { partition } of batch) places.add(partition);
          },
        },
        other,
      );
      await log.publish(nine, numbered(500, 500));
      await until('messages in each partition', () => places.size === 9);
      expect(told.length).toBe(1);
    });
  });
}
