import { expect, jest, test } from '@jest/globals';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { catchUp, type CatchUpOptions } from './catchUp.ts';

/** A service `extras` that follows itself and `dcim`; nothing waits in its own outbox. */
function catching(o: Partial<CatchUpOptions> = {}) {
  const marks: string[][] = [];
  const onLate = jest.fn();
  const handled = jest.fn(async () => true);
  const options: CatchUpOptions = {
    name: 'extras',
    group: 'extras.replicas',
    services: ['dcim', 'extras'],
    pool: { query: async () => ({ rows: [{ last: null }] }) } as unknown as Pool,
    events: {
      mark: async (group, topics) => {
        marks.push([group, ...topics]);
        return handled;
      },
    },
    published: async () => undefined,
    withinMs: 10_000,
    onLate,
    ...o,
  };
  return { wait: catchUp(options), marks, onLate, handled };
}

test('asks first what the services have published, then whether all of that was handled', async () => {
  const order: string[] = [];
  const { wait, marks, onLate } = catching({
    published: async (service) => {
      await sleep(20);
      order.push(service);
    },
  });
  await wait();
  expect([order, marks, onLate.mock.calls]).toEqual([
    ['dcim'],
    [['extras.replicas', 'cadastre.changes.dcim', 'cadastre.changes.extras']],
    [],
  ]);
});

test('looks again until it was', async () => {
  const { wait, handled } = catching();
  handled.mockResolvedValueOnce(false).mockResolvedValueOnce(false);
  await wait();
  expect(handled).toHaveBeenCalledTimes(3);
});

test('those who wait together share a run that began after they came', async () => {
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const { wait } = catching({
    published: async () => {
      if (++asked === 1) await gate.promise;
    },
  });
  const first = wait();
  while (!asked) await turn();
  const others = [wait(), wait(), wait()];
  gate.resolve();
  await Promise.all([first, ...others]);
  expect(asked).toBe(2);
});

test.each<[string, Partial<CatchUpOptions>]>([
  ['a service that is away', { published: () => Promise.reject(new Error('away')) }],
  ['a log that is away', { events: { mark: () => Promise.reject(new Error('away')) } }],
  ['a log that does not answer', { events: { mark: () => new Promise(() => undefined) }, withinMs: 50 }],
  ['what is never handled', { events: { mark: async () => async () => false }, withinMs: 50 }],
])('is not held up by %s', async (_, o) => {
  await catching(o).wait();
});

test('tells why it did not wait', async () => {
  const { wait, onLate } = catching({ published: () => Promise.reject(new Error('away')) });
  await wait();
  expect(onLate).toHaveBeenCalledTimes(1);
});

test('does not wait where it is told not to', async () => {
  const { wait, marks } = catching({ withinMs: 0 });
  await wait();
  expect(marks).toEqual([]);
});
