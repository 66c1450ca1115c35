import type { ChangeEvent, Span } from '@cadastre/events';
import { expect, jest, test } from '@jest/globals';
import type { WritePosition } from '../../request/write-positions.ts';
import { type RequestScope, portions, writeFollower, type WriteFollowerOptions } from './writeFollower.ts';

const SITE = 1;
const TENANT = 2;
const wrote = (more: Partial<WritePosition> = {}): WritePosition => ({
  service: 'dcim',
  first: 5,
  last: 5,
  types: new Set([SITE]),
  gone: false,
  ...more,
});
const event = (id: number) => ({ id: String(id) }) as ChangeEvent;
const sites: RequestScope = { types: new Set([SITE]), services: new Set(['dcim', 'ipam']) };
const tenants: RequestScope = { types: new Set([TENANT]), services: new Set(['tenancy']) };

/** A service that gets every event of the spans from its owner, unless the test replaces that. */
function following(o: Partial<WriteFollowerOptions> = {}) {
  const calls: string[] = [];
  const applied: string[] = [];
  const late = jest.fn();
  const { awaitWrites: see, has } = writeFollower({
    withinMs: 5_000,
    concerns: ({ service }) => service !== 'own',
    thirds: () => [],
    waited: () => undefined,
    late,
    fetch: async (owner, spans) => {
      calls.push(`${owner} ${spans.map(({ first, last }: Span) => `${first}-${last}`).join()}`);
      return spans.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => event(first + i)));
    },
    apply: async (events) => {
      applied.push(...events.map(({ id }) => id));
    },
    followOwner: async (owner) => {
      calls.push(`log of ${owner}`);
      return true;
    },
    followAll: async (services) => {
      calls.push(`log ${services.join()}`);
      return true;
    },
    ...o,
  });
  return { see, has, calls, applied, late };
}

test('asks the owner for what a request looks at, once, and for nothing else', async () => {
  const { see, has, calls, applied } = following();
  const site = wrote();
  const tenant = wrote({ service: 'tenancy', types: new Set([TENANT]) });
  expect(await see([site, tenant], sites)).toEqual([site]);
  expect([calls, applied, has(event(5)), has(event(6))]).toEqual([['dcim 5-5'], ['5'], true, false]);
  expect(await see([site, tenant], sites)).toEqual([site]);
  expect(calls).toEqual(['dcim 5-5']);
  expect(await see([site, tenant], null)).toEqual([site, tenant]);
  expect(calls).toEqual(['dcim 5-5', 'tenancy 5-5']);
});

test('what can never matter is known from the start, and nothing is waited for where that is turned off', async () => {
  const own = following();
  const one = wrote({ service: 'own' });
  expect([await own.see([one], null), own.calls]).toEqual([[one], []]);
  const off = following({ withinMs: 0 });
  expect([await off.see([wrote()], sites), off.calls, off.late.mock.calls]).toEqual([[], [], []]);
});

test('an event is applied once, however often it is named', async () => {
  const { see, applied } = following();
  await see([wrote({ first: 1, last: 3 })], sites);
  await see([wrote({ first: 2, last: 4 })], sites);
  expect(applied).toEqual(['1', '2', '3', '4']);
});

test('those who wait for the same share it', async () => {
  const gate = Promise.withResolvers<ChangeEvent[]>();
  const fetch = jest.fn(() => gate.promise);
  const { see } = following({ fetch });
  const all = [see([wrote()], sites), see([wrote()], sites), see([wrote()], null)];
  gate.resolve([]);
  await Promise.all(all);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('much is asked for in portions, more is left to the log', async () => {
  const { see, calls, applied } = following();
  await see([wrote({ first: 1, last: 600 })], sites);
  expect([calls, applied.length]).toEqual([['dcim 1-250', 'dcim 251-500', 'dcim 501-600'], 600]);
  await see([wrote({ first: 1, last: 5_000 })], sites);
  expect(calls.at(-1)).toBe('log of dcim');
  expect(
    portions([
      { first: 1, last: 200 },
      { first: 300, last: 400 },
    ]),
  ).toEqual([
    [
      { first: 1, last: 200 },
      { first: 300, last: 349 },
    ],
    [{ first: 350, last: 400 }],
  ]);
});

test('what is larger than an answer may be is left to the log, too', async () => {
  const { see, calls } = following({ fetch: async () => undefined });
  const one = wrote();
  expect([await see([one], sites), calls]).toEqual([[one], ['log of dcim']]);
});

test('an owner that comes back in time is asked again', async () => {
  let tries = 0;
  const { see, late } = following({
    fetch: async () => {
      if (++tries < 3) throw new Error('away');
      return [];
    },
  });
  const one = wrote();
  expect([await see([one], sites), tries, late.mock.calls]).toEqual([[one], 3, []]);
});

test('of an owner that is away nothing is known; that is told, and the next request does not wait as long', async () => {
  let tries = 0;
  const { see, late } = following({
    withinMs: 200,
    fetch: async () => {
      tries++;
      throw new Error('away');
    },
  });
  expect([await see([wrote()], sites), late.mock.calls]).toEqual([[], [['dcim']]]);
  const before = tries;
  expect(before).toBeGreaterThan(1);
  expect([await see([wrote()], sites), tries - before, late.mock.calls.length]).toEqual([[], 1, 2]);
});

test('an owner that does not answer holds nobody up', async () => {
  const { see, late } = following({ withinMs: 50, fetch: () => new Promise(() => undefined) });
  expect([await see([wrote()], sites), late.mock.calls]).toEqual([[], [['dcim']]]);
});

test('a log that lags holds nobody up, and nothing of it is taken for known', async () => {
  const { see, late } = following({ followOwner: async () => false });
  expect([await see([wrote({ first: 1, last: 5_000 })], sites), late.mock.calls]).toEqual([[], [['dcim']]]);
});

test('what is gone may take something along in third services: those that are looked at are followed, and the rest is known when they all are', async () => {
  const { see, calls } = following({ thirds: () => ['ipam', 'circuits'] });
  const gone = wrote({ gone: true });
  expect([await see([gone], sites), calls]).toEqual([[], ['dcim 5-5', 'log ipam']]);
  expect([await see([gone], sites), calls.length]).toEqual([[], 2]);
  expect([await see([gone], null), calls.at(-1), calls.length]).toEqual([[gone], 'log circuits', 3]);
});

test('who is asked by another looks no further', async () => {
  const { see, calls } = following({ thirds: () => ['ipam'] });
  const gone = wrote({ gone: true });
  expect([await see([gone], null, false), calls]).toEqual([[], ['dcim 5-5']]);
  expect([await see([gone], tenants), calls.length]).toEqual([[], 1]);
});
