// Proves the protocol of deletions as a model (testing/protocol.ts), of which every interleaving is walked through. Without
// any one guard there must be a way to a dangling reference, which shows that the guard is needed and that the walk would
// find one. histories.test.ts shows that the code does what the model does.
import { describe, expect, test } from '@jest/globals';
import { explore, type Move } from '../../testing/explore.ts';
import { ALL, dangles, type Guards, type Kind, movesOf, START } from './testing/protocol.ts';

const walk = (kind: Kind, off: Partial<Guards> = {}) => explore(START, movesOf(kind, { ...ALL, ...off }), dangles);

describe('in the model, references that protect', () => {
  test('never dangle', () => {
    const { states, ends, counterexample } = walk('protect');
    expect(counterexample).toBeUndefined();
    expect(states).toBeGreaterThan(1_000);
    expect(ends).toBeGreaterThan(10);
  });
  test.each([
    'writerLocks',
    'countWaits',
    'markRefuses',
    'leaseChecked',
    'leaseNamed',
    'resolveWaits',
    'asks',
  ] as const)('would dangle without the guard %s', (guard) => {
    expect(walk('protect', { [guard]: false }).counterexample).toBeDefined();
  });
});

describe('in the model, references that are cleared or cascade', () => {
  test('never dangle, whether the deletion asks or not', () => {
    expect(walk('clear').counterexample).toBeUndefined();
    expect(walk('clear', { asks: false }).counterexample).toBeUndefined();
  });
  test('would dangle if writers took no lock, or the follower of a deletion that asked nobody did not wait', () => {
    expect(walk('clear', { writerLocks: false, asks: false }).counterexample).toBeDefined();
    expect(walk('clear', { followerWaits: false, asks: false }).counterexample).toBeDefined();
  });
});

test('in the model, a deletion ends: nothing waits for ever', () => {
  const { counterexample } = explore(
    START,
    movesOf('protect', ALL),
    (state, isEnd) =>
      isEnd && (state.writers.some((w) => w.at < 4 && w.at > 0) || state.deleters.some((d) => d.at < 7 && d.at > 0)),
  );
  expect(counterexample).toBeUndefined();
});

// An object A differs from others by what it refers to, and would be called what B is called without it. B's service
// knows nothing of the deletion. clashes.test.ts (../effects) shows what the code does then.
describe('in the model, objects that would be the same without what is deleted', () => {
  interface Names {
    a: string;
    b: string;
    refers: boolean;
    row: boolean;
    asked: boolean;
    refused: boolean;
    followed: boolean;
    renamed: boolean;
  }
  const START_NAMES: Names = {
    a: 'x',
    b: 'y',
    refers: true,
    row: true,
    asked: false,
    refused: false,
    followed: false,
    renamed: false,
  };
  const steps =
    (guards: { asks: boolean; tellsApart: boolean }) =>
    (state: Names): Move<Names>[] => {
      const moves: Move<Names>[] = [];
      const to = (name: string, change: Partial<Names>) => {
        moves.push({ name, next: { ...state, ...change } });
      };
      const alike = state.a === state.b;
      // The rule compares B with what there is: with A only once that refers to nothing.
      if (!state.renamed && (state.refers || state.a !== 'x')) to('B takes the name of A', { b: 'x', renamed: true });
      if (state.row && !state.asked && !state.refused)
        to('the deletion asks', guards.asks && alike ? { refused: true } : { asked: true });
      if (state.row && state.asked) to('the object goes', { row: false });
      if (!state.row && !state.followed && (!alike || guards.tellsApart))
        to('the follower clears', { refers: false, followed: true, ...(alike ? { a: 'x (1)' } : {}) });
      return moves;
    };
  const stuck = (state: Names, isEnd: boolean): boolean => isEnd && !state.row && !state.followed;
  const same = (state: Names): boolean => !state.refers && state.a === state.b;

  test('are refused to begin with, and never keep a follower from going on', () => {
    expect(
      explore(
        START_NAMES,
        steps({ asks: true, tellsApart: true }),
        (state, isEnd) => stuck(state, isEnd) || same(state),
      ).counterexample,
    ).toBeUndefined();
  });
  test('would keep it for ever if it could not tell them apart, asked about or not', () => {
    for (const asks of [true, false])
      expect(explore(START_NAMES, steps({ asks, tellsApart: false }), stuck).counterexample).toBeDefined();
  });
});
