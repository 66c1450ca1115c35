import { expect, test } from '@jest/globals';
import { parseRollup } from './memory.ts';
import { parseTimes, shares, watchMachine } from './machine.ts';

test('waiting for a disk is idle, and guests count once', () => {
  const text = 'cpu  100 0 50 800 20 1 2 27 60 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n';
  expect(parseTimes(text)).toEqual({ all: 1000, idle: 820, stolen: 27 });
});

test('shares are of the time between two looks', () => {
  const before = { all: 1000, idle: 800, stolen: 0 };
  expect(shares(before, { all: 2000, idle: 1300, stolen: 100 })).toEqual({ busy: 0.4, stolen: 0.1 });
});

test('the state of the machine is a line, on whatever machine', () => {
  expect(watchMachine()()).toMatch(/^machine: \d+ cores; load average [\d.]+ before, [\d.]+ after/);
});

test('sizes of a process are megabytes', () => {
  expect(parseRollup('55d8 [rollup]\nRss:            2048 kB\nPss:            1024 kB\nPss_Dirty:  1 kB\n')).toEqual({
    pss: 1,
    rss: 2,
  });
  expect(parseRollup('')).toEqual({ pss: 0, rss: 0 });
});
