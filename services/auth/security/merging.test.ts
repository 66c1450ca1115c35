import { describe, expect, jest, test } from '@jest/globals';
import { merging } from './merging.ts';
import type { SecurityEvent } from '../models/rights/securityEvent.ts';

const refusal = (address: string, requestId = ''): SecurityEvent => ({
  kind: 'token_refused',
  ok: false,
  user: { id: null, name: '' },
  address,
  requestId,
});

describe('events that are like each other', () => {
  const written: SecurityEvent[][] = [];
  const failed = jest.fn<(error: unknown) => void>();
  const start = (perMinute = 3) => {
    written.length = 0;
    return merging({ perMinute, write: async (events) => written.push([...events]), failed, gatherMs: 1 });
  };

  test('are written at once the first time, and counted after that', async () => {
    const noted = start();
    for (const id of ['a', 'b', 'c']) noted.note(refusal('192.0.2.1', id));
    noted.note(refusal('192.0.2.2'));
    await noted.close();
    expect(written.flat().map(({ address, requestId, count }) => [address, requestId, count ?? 1])).toEqual([
      ['192.0.2.1', 'a', 1],
      ['192.0.2.2', '', 1],
      ['192.0.2.1', null, 2],
    ]);
  });

  test('are told with the time at which they happened, counted ones with that of the last', async () => {
    jest.useFakeTimers({ now: 1_000, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const noted = start();
      for (const now of [1_000, 2_000, 3_000]) {
        jest.setSystemTime(now);
        noted.note(refusal('192.0.2.1'));
      }
      jest.setSystemTime(9_000);
      await noted.close();
      expect(written.flat().map(({ at, count }) => [Number(at), count ?? 1])).toEqual([
        [1_000, 1],
        [3_000, 2],
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('are not more than so many within a minute, and what is left out is counted', async () => {
    const noted = start();
    for (let i = 1; i <= 10; i++) noted.note(refusal(`192.0.2.${i}`));
    await noted.close();
    expect(written.flat()).toHaveLength(4);
    expect(written.flat().at(-1)).toMatchObject({ kind: 'events_dropped', count: 7 });
  });

  test('begin anew when the minute is over', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const noted = start(1);
      noted.note(refusal('192.0.2.1'));
      await jest.advanceTimersByTimeAsync(60_000);
      noted.note(refusal('192.0.2.2'));
      await noted.close();
    } finally {
      jest.useRealTimers();
    }
    expect(written.flat().map(({ address }) => address)).toEqual(['192.0.2.1', '192.0.2.2']);
  });

  test('that cannot be written are told of, and do not keep later ones back', async () => {
    const write = jest.fn<(events: readonly SecurityEvent[]) => Promise<void>>();
    write.mockRejectedValueOnce(new Error('no database')).mockResolvedValue();
    const noted = merging({ perMinute: 10, write, failed, gatherMs: 1 });
    noted.note(refusal('192.0.2.1'));
    while (!failed.mock.calls.length) await new Promise(setImmediate);
    noted.note(refusal('192.0.2.2'));
    await noted.close();
    expect([failed.mock.calls.length, write.mock.calls.length]).toEqual([1, 2]);
  });
});
