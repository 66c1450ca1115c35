import { expect, test } from '@jest/globals';
import { placesOf, statementList } from './cost.ts';
import { added, perSecond, type Sample, taken, total } from './samples.ts';

const sample = (at: number, dcim: number, extras: number): Sample => ({ at, counts: { commits: { dcim, extras } } });

test('what is added is divided among the things that took it', () => {
  expect(added(sample(0, 10, 0), sample(5000, 110, 50), 50)).toEqual({ commits: { dcim: 2, extras: 1 } });
  expect(perSecond(sample(1000, 10, 0), sample(3000, 20, 4))).toEqual({ commits: { dcim: 5, extras: 2 } });
});

test('what passes by itself is not counted', () => {
  // 5 and 1 a second while idle.
  const samples = [sample(0, 0, 0), sample(2000, 10, 2), sample(12_000, 160, 12)] as const;
  expect(taken(samples, 50)).toEqual({ commits: { dcim: 2, extras: 0 } });
});

test('a place that was not there before has counted from nothing', () => {
  const before: Sample = { at: 0, counts: {} };
  expect(added(before, sample(1000, 4, 2), 2)).toEqual({ commits: { dcim: 2, extras: 1 } });
});

test('counts are added up, and those of something unknown are none', () => {
  const { counts } = sample(0, 3, 4);
  expect([total(counts, 'commits'), total(counts, 'syncs')]).toEqual([7, 0]);
});

test('the places that took most are named first, and those that took next to nothing not at all', () => {
  const counts = { commits: { tenancy: 0.001, extras: 1, dcim: 2.345 } };
  expect(placesOf(counts, 'commits')).toEqual(['dcim 2.3', 'extras 1']);
});

test('statements are listed by how often they are run, without those that only pass by', () => {
  expect(statementList({ 'dcim: commit': 1, 'extras: look': 0.01, 'events: insert': 2.5 })).toBe(
    '   2.50  events: insert\n   1.00  dcim: commit',
  );
});
