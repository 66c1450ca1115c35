import { afterEach, expect, jest, test } from '@jest/globals';
import { isoOf, microsOf, nowMicros } from './clock.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('the time is that of the wall clock, in microseconds', () => {
  for (let i = 0; i < 1_000; i++) {
    const [before, now, after] = [Date.now(), nowMicros(), Date.now()];
    expect(now).toBeGreaterThanOrEqual(before * 1_000);
    expect(now).toBeLessThan((after + 1) * 1_000);
  }
});

test('it follows a wall clock that is set, or that went on while the machine slept', () => {
  const real = Date.now();
  for (const moment of [real + 3_600_000, real - 7_200_000, real]) {
    jest.spyOn(Date, 'now').mockReturnValue(moment);
    expect(Math.floor(nowMicros() / 1_000)).toBe(moment);
  }
});

test('moments as text keep their microseconds', () => {
  expect(isoOf(1_732_166_435_881_026)).toBe('2024-11-21T05:20:35.881026Z');
  expect(microsOf('2024-11-21T05:20:35.881026Z')).toBe(1_732_166_435_881_026);
  expect(microsOf('2024-11-21T07:20:35.8819+02:00')).toBe(1_732_166_435_881_900);
  expect(microsOf('2024-11-21T05:20:35Z')).toBe(1_732_166_435_000_000);
  for (const micros of [0, 999, 1_000, 1_732_166_435_000_001]) expect(microsOf(isoOf(micros))).toBe(micros);
});
