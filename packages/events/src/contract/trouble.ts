import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { patienceMs } from '../../../../tests/support/eventually.ts';
import type { LogEnvironment } from './open.ts';
import { useLog } from './setup.ts';
import { createPublisher, faults, firstSeen, numbered, type Seen, until } from './tools.ts';
import type { ConsumeOptions, EventLog } from '../log/log.ts';

/**
 * Kafka's brokers notice after some seconds that a member has died; on a busy machine the rebalance takes some more.
 */
const TAKEN_OVER_WITHIN_MS = 25_000;

/**
 * What every event log must do where handlers are slow or fail, and processes die. Each adapter's test runs it against
 * the real thing.
 */
export function describeTrouble(environment: () => LogEnvironment): void {
  const { opened, fresh, consume, collect, another, member } = useLog(environment);
  let log: EventLog;
  beforeAll(() => {
    log = opened();
  });

  describe('a slow handler', () => {
    it('keeps what it reads, however long it takes, while others wait for a share', async () => {
      const where = fresh();
      await log.publish(where.topic, numbered(40, 8));
      const seen: Seen[] = [];
      let slow = true;
      const handler: ConsumeOptions['handler'] = async (batch) => {
        // Longer than a member may be silent, on either log.
        if (slow) {
          slow = false;
          await sleep(7_000);
        }
        seen.push(...batch);
      };
      await consume(where, { batchSize: 5, handler });
      await until('the first is slow', () => !slow);
      await consume(where, { batchSize: 5, handler }, await another());
      await until('all', () => faults(seen, 40, 8).length === 0);
      // The message that was being handled when the other member joined was handled once, by the member that had it.
      expect(seen.length).toBe(40);
    });

    it('delays no other group', async () => {
      const where = fresh();
      const gate = Promise.withResolvers<void>();
      const seen: Seen[] = [];
      await log.ensureTopics([where.topic]);
      await consume({ ...where, group: `${where.group}-slow` }, { handler: () => gate.promise });
      await collect(where, seen);
      await log.publish(where.topic, numbered(300, 10));
      await until('300 messages', () => seen.length >= 300);
      expect(faults(seen, 300, 10)).toEqual([]);
      gate.resolve();
    });
  });

  describe('failure', () => {
    it('hands what a dead process had not finished to another, within seconds', async () => {
      const where = fresh();
      await log.publish(where.topic, numbered(200, 10));
      const victim = member({ ...where, hangAfter: 25 });
      await until('the process is in the middle of a batch', () => victim.seen.length === 25);
      await victim.die();
      const died = Date.now();
      const seen: Seen[] = [];
      await collect(where, seen);
      await until('the rest', () => faults([...victim.seen, ...seen], 200, 10).length === 0);
      expect(Date.now() - died).toBeLessThan(TAKEN_OVER_WITHIN_MS);
      // That the handler had started does not count as having handled a message.
      const handledAgain = victim.seen.slice(-5).filter((lost) => seen.some((message) => message.value === lost.value));
      expect(handledAgain.length).toBe(5);
    });

    it('lets the living members take over from one that dies', async () => {
      const where = fresh();
      const seen: Seen[] = [];
      await collect(where, seen);
      const victim = member({ ...where, delay: 5 });
      await victim.joined();
      const { publish, count } = createPublisher(log, where.topic, 20);
      for (const deadline = Date.now() + patienceMs; victim.seen.length === 0 && Date.now() < deadline; await sleep(10))
        await publish(20);
      await victim.die();
      const died = Date.now();
      // What the dead member had handled but not stored is delivered again, so each message was handled by it or by the
      // others.
      const values = (): number => new Set([...victim.seen, ...seen].map(({ value }) => value)).size;
      await until('nothing is lost', () => values() === count());
      expect(Date.now() - died).toBeLessThan(TAKEN_OVER_WITHIN_MS);
      expect(
        [...firstSeen(seen).values()].filter((numbers) => numbers.join() !== [...numbers].sort((a, b) => a - b).join()),
      ).toEqual([]);
    });

    it('tries again, parks what cannot be handled, and goes on', async () => {
      const where = fresh();
      await log.publish(where.topic, numbered(60, 3));
      const seen: Seen[] = [];
      const parked: string[] = [];
      let outages = 0;
      const consumer = await collect(where, seen, {
        retry: { attempts: 3, firstDelay: 5, maxDelay: 20 },
        handler: async (batch) => {
          if (batch.some((message) => message.value === 'k1 7')) throw new Error('poison');
          if (batch.some((message) => message.value === 'k2 3') && ++outages <= 5)
            throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
          seen.push(...batch);
        },
        park: async (message) => void parked.push(message.value),
      });
      await until('59 messages', () => new Set(seen.map(({ value }) => value)).size >= 59);
      await consumer.stop();
      expect(parked).toEqual(['k1 7']);
      expect(faults(seen, 60, 3).map((fault) => fault.split(':')[0])).toEqual(['k1']);
      const rest: Seen[] = [];
      const again = await collect(where, rest);
      await sleep(500);
      await again.stop();
      expect(rest).toEqual([]);
    });

    it('stops while a message cannot be handled, and has it again afterwards', async () => {
      const where = fresh();
      await log.publish(where.topic, [{ key: 'k', value: 'k 0' }]);
      let tries = 0;
      const broken = await collect(where, [], {
        // It is stopped while it waits before its next try.
        retry: { firstDelay: 120_000, maxDelay: 120_000 },
        handler: async () => {
          tries += 1;
          throw new Error('always');
        },
      });
      await until('a try', () => tries > 0);
      const began = Date.now();
      await broken.stop();
      expect(Date.now() - began).toBeLessThan(30_000);
      const seen: Seen[] = [];
      const consumer = await collect(where, seen);
      await until('the message', () => seen.length > 0);
      await consumer.stop();
      expect(seen[0]?.value).toBe('k 0');
    });

    it('holds little in memory while a handler is slow', async () => {
      const where = fresh();
      const value = Array.from({ length: 2800 }, () => randomUUID()).join(' ');
      for (let sent = 0; sent < 1000; sent += 50) {
        await log.publish(
          where.topic,
          Array.from({ length: 50 }, (_, index) => ({ key: `k${index}`, value: `${sent + index} ${value}` })),
        );
      }
      const sizes: number[] = [];
      let open = 0;
      let most = 0;
      const gate = Promise.withResolvers<void>();
      const before = process.memoryUsage();
      const consumer = await collect(where, [], {
        batchSize: 50,
        handler: async (batch) => {
          open += 1;
          most = Math.max(most, open);
          sizes.push(batch.length);
          await gate.promise;
          open -= 1;
        },
      });
      await until('the handler is busy', () => open > 0);
      await sleep(1500);
      const after = process.memoryUsage();
      expect(sizes.length).toBe(1);
      // 100 MB wait in the log.
      expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(60e6);
      gate.resolve();
      await until('all are handled', () => sizes.reduce((sum, size) => sum + size, 0) >= 1000, 120_000);
      await consumer.stop();
      expect(most).toBe(1);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
    }, 300_000);
  });
}
