import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '../../../../tests/faults/system/faultProxy.ts';
import { type RunningKafka, startKafka, stopKafka } from '../../../../tools/local/kafka/broker.ts';
import { freePorts } from '../../../../tools/local/processes/free-ports.ts';
import { createKafkaLog } from '../kafka.ts';
import type { EventLog } from '../log/log.ts';
import { allLeft } from './consumer/member.ts';
import { withBrokers } from './testing.ts';

/** How long a client may wait without an answer in this test, in milliseconds. */
const STALL = 3_000;
/**
 * Longer than anything here takes even on a busy machine, and shorter than what kafkajs alone would need where it does
 * not wait for ever.
 */
const LONG = 100_000;

describe('brokers that fall silent', () => {
  withBrokers('what happens when Kafka falls silent', () => {
    let dataDir: string;
    let port: number;
    let broker: RunningKafka;
    let proxy: FaultProxy;
    let direct: EventLog;
    let log: EventLog;
    let topic: string;
    let number: number;
    const got: string[] = [];
    const failures: string[] = [];
    const opened: EventLog[] = [];
    const open = (port: number): EventLog => {
      const one = createKafkaLog({
        brokers: [`127.0.0.1:${port}`],
        partitions: 2,
        sessionTimeout: 6_000,
        stall: STALL,
      });
      opened.push(one);
      return one;
    };
    const until = async (what: string, holds: () => boolean): Promise<void> => {
      for (const end = Date.now() + LONG; !holds(); await sleep(20))
        if (Date.now() > end) throw new Error(`not within ${LONG / 1000} s: ${what}; ${failures.join('; ')}`);
    };
    const tell = async (): Promise<string> => {
      const value = String(++number);
      for (const end = Date.now() + LONG; ; await sleep(200)) {
        try {
          await direct.publish(topic, [{ key: value, value }]);
          return value;
        } catch (error) {
          if (Date.now() > end) throw error;
        }
      }
    };
    const arrives = async (): Promise<void> => {
      const value = await tell();
      await until(`${value} arrives`, () => got.includes(value));
    };
    const follow = (
      group: string,
      handler: (values: string[]) => Promise<void> = async (values) => void got.push(...values),
    ) =>
      log.consume({
        topics: [topic],
        group,
        handler: (batch) => handler(batch.map(({ value }) => value)),
        onError: (error) => failures.push((error as Error).message),
      });
    const replaced = (): boolean => failures.some((message) => message.includes('no sign of life'));

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'kafka-silence-'));
      [port = 0] = await freePorts(1);
      proxy = await startFaultProxy(() => port);
      // The brokers' addresses that it returns to clients are those of the proxy.
      broker = await startKafka({ dataDir, port, advertisedPort: proxy.port });
    }, 240_000);
    // Abandoned clients are still trying to leave; jest allows nothing to run after the tests.
    afterAll(allLeft, 240_000);
    afterAll(async () => {
      await proxy?.close();
      await stopKafka(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    }, 60_000);
    beforeEach(async () => {
      [topic, number] = [`t-${randomUUID()}`, 0];
      got.length = failures.length = 0;
      direct = open(proxy.port);
      log = open(proxy.port);
      await log.ensureTopics([topic]);
    }, LONG);
    afterEach(async () => {
      proxy.hold(false);
      await Promise.all(opened.splice(0).map((one) => one.close()));
    }, LONG);

    it(
      'a follower whose connections are forgotten on the way gets new ones',
      async () => {
        await follow('forgotten');
        await arrives();
        proxy.forget();
        await arrives();
        expect(replaced()).toBe(true);
      },
      2 * LONG,
    );

    it(
      'a follower that is forgotten while it handles finishes that first, and hands nothing to two at once',
      async () => {
        let busy = 0;
        let most = 0;
        const gate = Promise.withResolvers<void>();
        await follow('handling', async (values) => {
          busy += 1;
          most = Math.max(most, busy);
          await gate.promise;
          busy -= 1;
          got.push(...values);
        });
        const first = await tell();
        await until('it is handled', () => busy === 1);
        proxy.forget();
        await until('the silence is noticed', () => replaced());
        await sleep(2 * STALL);
        expect(got).toEqual([]);
        gate.resolve();
        await until('the first', () => got.includes(first));
        await arrives();
        expect(most).toBe(1);
      },
      2 * LONG,
    );

    it(
      'a follower that may not join within the limit says so, and joins when it may',
      async () => {
        proxy.hold(true);
        await expect(follow('joining')).rejects.toThrow();
        proxy.hold(false);
        await follow('joining');
        await arrives();
      },
      2 * LONG,
    );

    it(
      'a publisher that gets no answer says so, and its next message goes another way',
      async () => {
        await follow('publisher');
        await arrives();
        proxy.forget();
        await expect(direct.publish(topic, [{ key: 'k', value: 'lost' }])).rejects.toThrow(
          /no answer within|timed out/,
        );
        await direct.publish(topic, [{ key: 'k', value: 'found' }]);
        await until('it arrives', () => got.includes('found'));
      },
      2 * LONG,
    );

    it(
      'asking how far a group is ends, and can be asked again',
      async () => {
        await follow('asked');
        await arrives();
        const behind = await log.mark('asked', [topic]);
        proxy.forget();
        await expect(behind()).rejects.toThrow(/no answer within|timed out/);
        await until('it has handled all', () => got.length >= 1);
        for (const end = Date.now() + LONG; !(await behind().catch(() => false)); await sleep(100))
          expect(Date.now()).toBeLessThan(end);
      },
      2 * LONG,
    );

    it(
      'followers go on when the broker stood still, and when it died',
      async () => {
        await Promise.all(
          ['a', 'b', 'c'].map((group) =>
            follow(`stopped-${group}`, async (values) => void got.push(...values.map((value) => `${group}${value}`))),
          ),
        );
        const allArrive = async (): Promise<void> => {
          const value = await tell();
          await until(`${value} arrives everywhere`, () =>
            ['a', 'b', 'c'].every((group) => got.includes(`${group}${value}`)),
          );
        };
        await allArrive();
        process.kill(broker.pid, 'SIGSTOP');
        await sleep(3 * STALL);
        process.kill(broker.pid, 'SIGCONT');
        await allArrive();
        process.kill(broker.pid, 'SIGKILL');
        await broker.exited;
        broker = await startKafka({ dataDir, port, advertisedPort: proxy.port });
        await allArrive();
      },
      4 * LONG,
    );
  });
});
