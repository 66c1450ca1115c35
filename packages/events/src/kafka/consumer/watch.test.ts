import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Watch, watch } from './watch.ts';

describe('a watch', () => {
  let silences: number[];
  let watching: Watch;
  let limit: number;
  let time: number;
  const pass = (milliseconds: number): void => {
    for (let left = milliseconds; left > 0; left -= 100) {
      time += 100;
      jest.advanceTimersByTime(100);
    }
  };
  beforeEach(() => {
    jest.useFakeTimers();
    [silences, limit, time] = [[], 10_000, 0];
    watching = watch({ limit: () => limit, onSilence: (seconds) => silences.push(seconds) }, () => time);
  });
  afterEach(() => {
    watching.stop();
    jest.useRealTimers();
  });

  it('tells once of silence that lasts longer than the limit', () => {
    pass(10_000);
    expect(silences).toEqual([]);
    pass(60_000);
    expect(silences).toEqual([11]);
  });

  it('begins anew with each sign of life', () => {
    for (let signs = 0; signs < 5; signs += 1) {
      pass(9_000);
      watching.alive();
    }
    expect(silences).toEqual([]);
    pass(12_000);
    expect(silences.length).toBe(1);
  });

  it('has the patience that is due at the moment', () => {
    limit = 30_000;
    pass(29_000);
    expect(silences).toEqual([]);
    limit = 10_000;
    pass(1_000);
    expect(silences.length).toBe(1);
  });

  it('does not blame others for the time in which this process stood still', () => {
    time += 3_600_000;
    pass(5_000);
    expect(silences).toEqual([]);
  });

  it('says nothing when it has ended', () => {
    watching.stop();
    pass(60_000);
    expect(silences).toEqual([]);
  });
});
