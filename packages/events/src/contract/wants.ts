import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { LogEnvironment } from './open.ts';
import { useLog } from './setup.ts';
import { until } from './tools.ts';
import type { EventLog, Message, ReceivedMessage } from '../log/log.ts';

/** What every event log must do for a group to which not all messages matter. */
export function describeWanted(environment: () => LogEnvironment): void {
  describe('messages that do not matter', () => {
    const { opened, fresh, collect } = useLog(environment);
    let log: EventLog;
    beforeAll(() => {
      log = opened();
    });

    const mixed = (count: number, every: number): Message[] =>
      Array.from({ length: count }, (_, i) => ({
        key: i % every === 0 ? 'good:1' : `bad:${i % 7}`,
        value: `${i}`,
        headers: { n: `${i}` },
      }));
    const good = async () => (kind: string) => kind === 'good';
    const passedAll = async ({ topic, group }: ReturnType<typeof fresh>) => {
      const handled = await log.mark(group, [topic]);
      for (const until = Date.now() + 25_000; !(await handled()); await sleep(20))
        if (Date.now() > until) throw new Error('the group is still behind');
    };

    it('are passed over, and the others come whole and in order', async () => {
      const where = fresh();
      const seen: ReceivedMessage[] = [];
      await log.publish(where.topic, mixed(400, 8));
      await collect(where, seen, { wants: good, batchSize: 7 });
      await until('50 messages', () => seen.length >= 50);
      await passedAll(where);
      expect(seen.map(({ key, value, headers }) => [key, value, headers['n']])).toEqual(
        Array.from({ length: 50 }, (_, i) => ['good:1', `${i * 8}`, `${i * 8}`]),
      );
    });

    it('count as read where none matters, and do not come again', async () => {
      const where = fresh();
      const seen: ReceivedMessage[] = [];
      await log.publish(where.topic, mixed(3_000, 5_000).slice(1));
      const first = await collect(where, seen, { wants: good });
      await passedAll(where);
      await first.stop();
      await collect(where, seen, {});
      await log.publish(where.topic, [{ key: 'bad:1', value: 'new' }]);
      await until('the new one', () => seen.length > 0);
      expect(seen.map(({ value }) => value)).toEqual(['new']);
    });

    it('are told apart by what was known when they were published', async () => {
      const where = fresh();
      const seen: ReceivedMessage[] = [];
      const wanted = new Set<string>();
      let asked = 0;
      await collect(where, seen, {
        wants: async () => {
          asked += 1;
          const now = new Set(wanted);
          return (kind) => now.has(kind);
        },
      });
      await log.publish(where.topic, [{ key: 'a', value: 'early' }]);
      await passedAll(where);
      for (let i = 0; i < 20; i += 1) {
        wanted.add(`k${i}`);
        await log.publish(where.topic, [{ key: `k${i}`, value: `${i}` }]);
      }
      await until('all that were wanted', () => seen.length >= 20);
      expect(seen.map(({ value }) => value).sort()).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`).sort());
      expect(asked).toBeGreaterThan(1);
    });

    describe('as they say so', () => {
      const marked = (key: string, value: string, irrelevantTo?: string): Message => ({
        key,
        value,
        ...(irrelevantTo ? { irrelevantTo } : {}),
      });
      const none = async () => new Set<string>();

      it('are passed over by those whom they name, and by nobody else', async () => {
        const where = fresh();
        const other = fresh();
        const seen: ReceivedMessage[] = [];
        const all: ReceivedMessage[] = [];
        const asked: string[] = [];
        await log.publish(where.topic, [
          marked('good:1', 'a'),
          marked('good:2', 'b', 'me'),
          marked('good:3', 'c', 'you me'),
          marked('good:4', 'd', 'you menace'),
          marked('bad:5', 'e', 'me'),
          marked('good:6', 'f'),
        ]);
        await collect(where, seen, {
          wants: good,
          relevance: {
            names: ['I', 'me'],
            relevant: async (keys) => {
              asked.push(...keys);
              return new Set();
            },
          },
        });
        await collect({ ...other, topic: where.topic }, all, { wants: good });
        await passedAll(where);
        await until('five messages', () => all.length >= 5);
        expect([seen.map(({ value }) => value).sort(), asked.sort(), all.map(({ value }) => value).sort()]).toEqual([
          ['a', 'd', 'f'],
          ['good:2', 'good:3'],
          ['a', 'b', 'c', 'd', 'f'],
        ]);
      });

      it('come all the same where their keys are relevant, in order', async () => {
        const where = fresh();
        const seen: ReceivedMessage[] = [];
        await log.publish(
          where.topic,
          Array.from({ length: 300 }, (_, i) => marked(`good:${i % 10}`, `${i}`, i % 3 ? 'me' : undefined)),
        );
        await log.publish(
          where.topic,
          Array.from({ length: 300 }, (_, i) => marked(`bad:${i % 10}`, 'x', 'me')),
        );
        await collect(where, seen, {
          batchSize: 20,
          wants: good,
          relevance: { names: ['me'], relevant: async (keys) => new Set(keys) },
        });
        await until('all', () => seen.length >= 300);
        await passedAll(where);
        for (let key = 0; key < 10; key += 1)
          expect(seen.filter((one) => one.key === `good:${key}`).map(({ value }) => Number(value))).toEqual(
            Array.from({ length: 30 }, (_, i) => key + 10 * i),
          );
      });

      it('come all the same where another of the same key comes with them, of which nothing can be known yet', async () => {
        const where = fresh();
        const seen: ReceivedMessage[] = [];
        await log.publish(where.topic, [
          marked('good:1', 'a', 'me'),
          marked('good:1', 'b'),
          marked('good:1', 'c', 'me'),
          marked('good:2', 'd', 'me'),
        ]);
        await collect(where, seen, { wants: good, relevance: { names: ['me'], relevant: none } });
        await passedAll(where);
        expect(seen.map(({ value }) => value)).toEqual(['a', 'b', 'c']);
      });

      it('are asked for again while nobody can say which are relevant', async () => {
        const where = fresh();
        const seen: ReceivedMessage[] = [];
        const failures: unknown[] = [];
        await log.publish(where.topic, [marked('good:1', 'a', 'me'), marked('good:2', 'b', 'me')]);
        let tries = 0;
        await collect(where, seen, {
          wants: good,
          relevance: {
            names: ['me'],
            relevant: async () => {
              tries += 1;
              if (tries < 3) throw new Error('not now');
              return new Set(['good:2']);
            },
          },
          retry: { firstDelay: 5, maxDelay: 10 },
          onError: (error) => failures.push(error),
        });
        await until('it', () => seen.length >= 1);
        await passedAll(where);
        expect([seen.map(({ value }) => value), failures.map(String)]).toEqual([
          ['b'],
          ['Error: not now', 'Error: not now'],
        ]);
      });
    });

    it('are not guessed at while nobody can say which they are', async () => {
      const where = fresh();
      const seen: ReceivedMessage[] = [];
      const failures: unknown[] = [];
      await log.publish(where.topic, mixed(20, 4));
      let tries = 0;
      await collect(where, seen, {
        wants: async () => {
          tries += 1;
          if (tries < 3) throw new Error('not now');
          return good();
        },
        retry: { firstDelay: 5, maxDelay: 10 },
        onError: (error) => failures.push(error),
      });
      await until('five messages', () => seen.length >= 5);
      await passedAll(where);
      expect([seen.map(({ value }) => value), failures.map(String)]).toEqual([
        ['0', '4', '8', '12', '16'],
        ['Error: not now', 'Error: not now'],
      ]);
    });
  });
}
