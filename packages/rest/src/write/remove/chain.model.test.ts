// Proves deletions over three services as a model, of which every interleaving is walked through (protocol.model.test.ts does
// so for two): A deletes `a`, B's `b` refers to it and is deleted along, and C's `c` refers to `b`, which protects it.
// Somebody makes `b` refer to `a`, somebody makes `c` refer to `b`, somebody deletes `b` itself; processes crash, and
// leases end at any moment. The code is not driven here: asking.test.ts shows that it asks in waves and marks what would
// be deleted along, histories.test.ts that writers, marks, leases and followers behave as modelled.
import { describe, expect, test } from '@jest/globals';
import { explore, type Move } from '../../testing/explore.ts';

interface Guards {
  /** The services that refer to what would be deleted along are asked in turn. */
  asksInWaves: boolean;
  /** What would go along is marked by the service that says so. */
  marksDoomed: boolean;
  /** Objects that are marked get no new references. */
  markRefuses: boolean;
  /**
   * Writers lock the key of what they refer to in their own database, from before they ask the owner until they commit.
   */
  writerLocks: boolean;
  /** Counting references waits for those writers first. */
  countWaits: boolean;
  /** Followers of deletions wait for them too. */
  followerWaits: boolean;
  /** A reference that protects an object which was deleted all the same is emptied. */
  givesWay: boolean;
  /** A deletion looks, with the row locked, whether its mark still counts. */
  leaseChecked: boolean;
  /** A mark says whose it is. */
  leaseNamed: boolean;
  /** Asking for a row that bears no mark waits while it is being deleted. */
  resolveWaits: boolean;
}
const ALL: Guards = {
  asksInWaves: true,
  marksDoomed: true,
  markRefuses: true,
  writerLocks: true,
  countWaits: true,
  followerWaits: true,
  givesWay: true,
  leaseChecked: true,
  leaseNamed: true,
  resolveWaits: true,
};

type Who = 'chain' | 'direct';
interface Mark {
  by: Who;
  valid: boolean;
}
interface Writer {
  at: 'idle' | 'locked' | 'told' | 'over';
  holds: boolean;
}

/** Followers: 0 gets the event, 1 waits for writers, 2 deletes or empties what refers to the object, 3 over. */
interface State {
  a: boolean;
  b: boolean;
  /** That `b` refers to `a`, and `c` to `b`. */
  bRefers: boolean;
  cRefers: boolean;
  aMark: Mark | null;
  bMark: Mark | null;
  /** Rows that are locked by the deletion in progress there. */
  aLocked: boolean;
  bLocked: boolean;
  writerB: Writer;
  writerC: Writer;
  /** The deletion of `a`: what it does next. */
  chain:
    | 'marks'
    | 'waits in B'
    | 'asks B'
    | 'waits in C'
    | 'asks C'
    | 'locks'
    | 'checks'
    | 'deletes'
    | 'unmarks'
    | 'releases'
    | 'over';
  /** The deletion of `b` itself. */
  direct: 'marks' | 'waits in C' | 'asks C' | 'locks' | 'checks' | 'deletes' | 'unmarks' | 'over';
  followerB: number;
  followerC: number;
  /** Whether a lease has ended since a deletion was certain that it may take place. */
  lateEnding: boolean;
  /** That `c` has lost what it protected, without such an end. */
  wronged: boolean;
  crashes: number;
  endings: number;
  attempts: number;
}

const idle: Writer = { at: 'idle', holds: false };
const over: Writer = { at: 'over', holds: false };
const START: State = {
  a: true,
  b: true,
  bRefers: true,
  cRefers: false,
  aMark: null,
  bMark: null,
  aLocked: false,
  bLocked: false,
  writerB: over,
  writerC: idle,
  chain: 'marks',
  direct: 'over',
  followerB: 0,
  followerC: 0,
  lateEnding: false,
  wronged: false,
  crashes: 0,
  endings: 0,
  attempts: 0,
};
/** `b` begins to refer to `a` meanwhile; or it is deleted itself meanwhile. */
const STARTS: Record<string, State> = {
  'what goes along begins to': { ...START, bRefers: false, writerB: idle },
  'what goes along is deleted itself': { ...START, direct: 'marks' },
};
/** How many crashes and ended leases one history may hold, and how often a deletion starts again. */
const CRASHES = 1;
const ENDINGS = 2;
const ATTEMPTS = 1;

function movesOf(guards: Guards) {
  return (state: State): Move<State>[] => {
    const moves: Move<State>[] = [];
    const move = (name: string, change: Partial<State>): void => {
      moves.push({ name, next: { ...state, ...change } });
    };
    const marked = (mark: Mark | null): boolean => guards.markRefuses && mark?.valid === true;
    const without = (mark: Mark | null, by: Who): Mark | null => (mark?.by === by ? null : mark);
    const holds = (mark: Mark | null, by: Who): boolean =>
      !guards.leaseChecked || (mark?.valid === true && (!guards.leaseNamed || mark.by === by));
    const crash = (name: string, change: Partial<State>): void => {
      if (state.crashes < CRASHES) move(`${name} crashes`, { ...change, crashes: state.crashes + 1 });
    };

    const write = (
      name: 'writerB' | 'writerC',
      row: { there: boolean; refused: boolean; locked: boolean },
      committed: Partial<State>,
    ): void => {
      const { at, holds: held } = state[name];
      const there = row.there && !row.refused;
      if (at === 'idle') move(`${name} locks`, { [name]: { at: 'locked', holds: guards.writerLocks } });
      // A marked row is refused at once; only a writer that may get the row waits for it.
      if (at === 'locked' && (row.refused || !(guards.resolveWaits && row.locked)))
        move(`${name} is told ${there ? 'yes' : 'no'}`, { [name]: there ? { at: 'told', holds: held } : over });
      if (at === 'told') move(`${name} commits`, { ...committed, [name]: over });
      if (at !== 'idle' && at !== 'over') crash(name, { [name]: over });
    };
    // B's own row may be gone by the time it is to be changed.
    write(
      'writerB',
      { there: state.a, refused: marked(state.aMark), locked: state.aLocked },
      state.b ? { bRefers: true } : {},
    );
    write('writerC', { there: state.b, refused: marked(state.bMark), locked: state.bLocked }, { cRefers: true });

    const { chain, direct } = state;
    const next = (step: State['chain'], change: Partial<State> = {}): void =>
      move(`the deletion of a ${chain}, then ${step}`, { ...change, chain: step });
    const released: Partial<State> = { aMark: without(state.aMark, 'chain'), bMark: without(state.bMark, 'chain') };
    if (chain === 'marks')
      next(
        state.aMark?.valid ? 'over' : 'waits in B',
        state.aMark?.valid ? {} : { aMark: { by: 'chain', valid: true } },
      );
    if (chain === 'waits in B' && !(guards.countWaits && state.writerB.holds)) next('asks B');
    if (chain === 'asks B' && !state.bLocked) {
      const goesAlong = state.b && state.bRefers;
      if (!goesAlong) next('locks');
      else if (guards.marksDoomed && state.bMark?.valid && state.bMark.by !== 'chain') next('releases');
      else
        next(
          guards.asksInWaves ? 'waits in C' : 'locks',
          guards.marksDoomed ? { bMark: { by: 'chain', valid: true } } : {},
        );
    }
    if (chain === 'waits in C' && !(guards.countWaits && state.writerC.holds)) next('asks C');
    if (chain === 'asks C') next(state.cRefers ? 'releases' : 'locks');
    if (chain === 'locks') next('checks', { aLocked: true });
    if (chain === 'checks') {
      // The marks elsewhere are younger than those here, so they count as long as these do; and what is refused by them
      // is decided here.
      if (holds(state.aMark, 'chain')) next('deletes', { lateEnding: false });
      else if (state.attempts < ATTEMPTS) next('marks', { ...released, aLocked: false, attempts: state.attempts + 1 });
      else next('releases', { aLocked: false });
    }
    if (chain === 'deletes') next('unmarks', { a: false, aLocked: false });
    if (chain === 'unmarks') next('over', { aMark: without(state.aMark, 'chain') });
    if (chain === 'releases') next('over', released);
    if (chain !== 'marks' && chain !== 'over') crash('the deletion of a', { chain: 'over', aLocked: false });

    const then = (step: State['direct'], change: Partial<State> = {}): void =>
      move(`the deletion of b ${direct}, then ${step}`, { ...change, direct: step });
    if (direct === 'marks')
      then(
        !state.b || state.bMark?.valid ? 'over' : 'waits in C',
        !state.b || state.bMark?.valid ? {} : { bMark: { by: 'direct', valid: true } },
      );
    if (direct === 'waits in C' && !(guards.countWaits && state.writerC.holds)) then('asks C');
    if (direct === 'asks C') then(state.cRefers ? 'unmarks' : 'locks');
    if (direct === 'locks') then(state.b ? 'checks' : 'unmarks', state.b ? { bLocked: true } : {});
    if (direct === 'checks') {
      if (holds(state.bMark, 'direct')) then('deletes');
      else then('unmarks', { bLocked: false });
    }
    if (direct === 'deletes') then('unmarks', { b: false, bLocked: false, lateEnding: false });
    if (direct === 'unmarks') then('over', { bMark: without(state.bMark, 'direct') });
    if (direct !== 'marks' && direct !== 'over') crash('the deletion of b', { direct: 'over', bLocked: false });

    // Marks of one deletion end in the order in which they were made.
    const end = (mark: 'aMark' | 'bMark'): void => {
      if (state[mark]?.valid && state.endings < ENDINGS)
        move(`the lease of ${mark} ends`, {
          [mark]: { ...state[mark], valid: false },
          endings: state.endings + 1,
          lateEnding: true,
        });
    };
    end('aMark');
    if (!(state.bMark?.by === 'chain' && state.aMark?.by === 'chain' && state.aMark.valid)) end('bMark');

    if (!state.a) {
      if (state.followerB === 0) move('B hears that a is deleted', { followerB: 1 });
      if (state.followerB === 1 && !(guards.followerWaits && state.writerB.holds))
        move('B has waited for its writers', { followerB: 2 });
      if (state.followerB === 2 && !state.bLocked)
        move(
          'B deletes b along',
          state.b && state.bRefers ? { b: false, bMark: null, followerB: 3 } : { followerB: 3 },
        );
    }
    if (!state.b) {
      if (state.followerC === 0) move('C hears that b is deleted', { followerC: 1 });
      if (state.followerC === 1 && !(guards.followerWaits && state.writerC.holds))
        move('C has waited for its writers', { followerC: 2 });
      if (state.followerC === 2)
        move('C empties its reference to b', {
          followerC: 3,
          ...(guards.givesWay && state.cRefers ? { cRefers: false, wronged: !state.lateEnding } : {}),
        });
    }
    return moves;
  };
}

const dangles = (state: State, isEnd: boolean): boolean =>
  isEnd && ((state.cRefers && !state.b) || (state.b && state.bRefers && !state.a));
const isWrong = (state: State, isEnd: boolean): boolean => state.wronged || dangles(state, isEnd);
const walk = (start: State, off: Partial<Guards> = {}) => explore(start, movesOf({ ...ALL, ...off }), isWrong);

describe.each(Object.entries(STARTS))('the model of a deletion over three services, while %s', (_, start) => {
  test('leaves nothing dangling, and takes nothing that is protected unless a lease ends after it was decided', () => {
    const { states, ends, counterexample } = walk(start);
    expect(counterexample).toBeUndefined();
    expect(states).toBeGreaterThan(1_000);
    expect(ends).toBeGreaterThan(10);
  });
  test('takes what it may: there is a way to each end', () => {
    for (const end of [
      (s: State) => !s.a && !s.b && !s.cRefers,
      (s: State) => s.a && s.b && s.cRefers,
      (s: State) => s.chain === 'over' && s.a && s.bMark === null,
    ]) {
      expect(explore(start, movesOf(ALL), (state, isEnd) => isEnd && end(state)).counterexample).toBeDefined();
    }
  });
  test('ends: nothing waits for ever', () => {
    expect(
      explore(
        start,
        movesOf(ALL),
        (state, isEnd) =>
          isEnd &&
          (state.chain !== 'over' ||
            state.direct !== 'over' ||
            state.writerB.at !== 'over' ||
            state.writerC.at !== 'over'),
      ).counterexample,
    ).toBeUndefined();
  });
});

test.each(Object.keys(ALL) as (keyof Guards)[])('without the guard %s there is a way to a wrong end', (guard) => {
  const ways = Object.values(STARTS).map((start) => walk(start, { [guard]: false }).counterexample);
  expect(ways.some((way) => way !== undefined)).toBe(true);
});
