// A model of the protocol by which objects are deleted that other services may refer to: two writers that refer to an
// object, two requests that delete it, the follower that gets its event, crashes, and leases that end at any
// moment. Each guard of the real thing is a switch here.
import type { Move } from '../../../testing/explore.ts';

/** What becomes of references when their object is deleted: they keep it, or they are emptied. */
export type Kind = 'protect' | 'clear';

export interface Guards {
  /** A writer locks the object's key in its own database from before it asks the owner until it commits. */
  writerLocks: boolean;
  /**
   * Before it counts references, a deletion waits for those who hold that lock, so that writers in flight come first.
   * It keeps nothing locked meanwhile.
   */
  countWaits: boolean;
  /** The owner refuses objects that are marked as being deleted. */
  markRefuses: boolean;
  /** The deletion looks, with the row locked, whether its mark still counts. */
  leaseChecked: boolean;
  /** A mark says whose it is. */
  leaseNamed: boolean;
  /** Asking for a row that bears no mark waits while it is being deleted. */
  resolveWaits: boolean;
  /** So does the follower of a deletion, before it looks for references. */
  followerWaits: boolean;
  /** Deletions ask first; references by generic fields that only follow are not asked about. */
  asks: boolean;
}
export const ALL: Guards = {
  writerLocks: true,
  countWaits: true,
  markRefuses: true,
  leaseChecked: true,
  leaseNamed: true,
  resolveWaits: true,
  followerWaits: true,
  asks: true,
};

/**
 * Writer: 0 begin, 1 lock, 2 resolve, 3 commit, 4 over. Deleter: 0 mark, 1 wait, 2 count, 3 lock row, 4 check lease, 5
 * delete, 6 unmark, 7 over. Follower: 0 hear, 1 wait, 2 clear, 3 over.
 */
export interface State {
  row: boolean;
  /** The deleter that has the row locked. */
  rowLock: number | null;
  mark: { by: number; valid: boolean } | null;
  writers: { at: number; holds: boolean; resolved: boolean; refers: boolean }[];
  deleters: { at: number }[];
  follower: number;
  crashes: number;
  endings: number;
}

export const START: State = {
  row: true,
  rowLock: null,
  mark: null,
  writers: [0, 1].map(() => ({ at: 0, holds: false, resolved: false, refers: false })),
  deleters: [{ at: 0 }, { at: 0 }],
  follower: 0,
  crashes: 0,
  endings: 0,
};
/** How many crashes and ended leases one history may hold. */
export const CRASHES = 1;
export const ENDINGS = 2;

const copy = (state: State): State => ({
  ...state,
  mark: state.mark && { ...state.mark },
  writers: state.writers.map((w) => ({ ...w })),
  deleters: state.deleters.map((d) => ({ ...d })),
});

export function movesOf(kind: Kind, guards: Guards) {
  return (state: State): Move<State>[] => {
    const moves: Move<State>[] = [];
    const move = (name: string, change: (next: State) => void) => {
      const next = copy(state);
      change(next);
      moves.push({ name, next });
    };
    const held = state.writers.some((w) => w.holds);
    for (const [i, writer] of state.writers.entries()) {
      const w = (next: State) => next.writers[i]!;
      const over = (next: State) => {
        w(next).at = 4;
        w(next).holds = false;
      };
      if (writer.at === 0)
        move(`writer ${i} begins`, (n) => {
          w(n).at = 1;
        });
      // A deletion or a follower that waits for this lock holds it within that step only, so writers never wait for it
      // between steps.
      if (writer.at === 1)
        move(`writer ${i} locks`, (n) => {
          w(n).holds = guards.writerLocks;
          w(n).at = 2;
        });
      // A marked row is refused at once; only a writer that may get the row waits for it.
      const refused = guards.markRefuses && state.mark?.valid === true;
      if (writer.at === 2 && (refused || !(guards.resolveWaits && state.rowLock !== null))) {
        const found = state.row && !refused;
        move(`writer ${i} is told ${found ? 'yes' : 'no'}`, (n) => {
          if (found) {
            w(n).resolved = true;
            w(n).at = 3;
          } else over(n);
        });
      }
      if (writer.at === 3)
        move(`writer ${i} commits`, (n) => {
          w(n).refers = true;
          over(n);
        });
      if (writer.at > 0 && writer.at < 4 && state.crashes < CRASHES)
        move(`writer ${i} crashes`, (n) => {
          n.crashes++;
          over(n);
        });
    }
    for (const [i, { at }] of state.deleters.entries()) {
      const d = (next: State) => next.deleters[i]!;
      const unlock = (next: State) => {
        if (next.rowLock === i) next.rowLock = null;
      };
      if (at === 0) {
        if (!state.row)
          move(`deleter ${i} finds nothing`, (n) => {
            d(n).at = 7;
          });
        else if (state.mark?.valid)
          move(`deleter ${i} is refused`, (n) => {
            d(n).at = 7;
          });
        else
          move(`deleter ${i} marks`, (n) => {
            n.mark = { by: i, valid: true };
            d(n).at = guards.asks ? 1 : 3;
          });
      }
      if (at === 1 && !(guards.countWaits && held))
        move(`deleter ${i} has waited`, (n) => {
          d(n).at = 2;
        });
      if (at === 2) {
        const protectedNow = kind === 'protect' && state.writers.some((w) => w.refers);
        move(`deleter ${i} counts`, (n) => {
          d(n).at = protectedNow ? 6 : 3;
        });
      }
      if (at === 3 && state.rowLock === null)
        move(`deleter ${i} locks the row`, (n) => {
          if (n.row) {
            n.rowLock = i;
            d(n).at = 4;
          } else d(n).at = 6;
        });
      if (at === 4) {
        const holds =
          !guards.leaseChecked || (state.mark?.valid === true && (!guards.leaseNamed || state.mark.by === i));
        move(`deleter ${i} ${holds ? 'goes on' : 'starts again'}`, (n) => {
          if (holds) d(n).at = 5;
          else {
            unlock(n);
            if (n.mark?.by === i) n.mark = null;
            d(n).at = 0;
          }
        });
      }
      if (at === 5)
        move(`deleter ${i} deletes`, (n) => {
          n.row = false;
          unlock(n);
          d(n).at = 6;
        });
      if (at === 6)
        move(`deleter ${i} unmarks`, (n) => {
          if (n.mark?.by === i) n.mark = null;
          d(n).at = 7;
        });
      if (at > 0 && at < 7 && state.crashes < CRASHES)
        move(`deleter ${i} crashes`, (n) => {
          n.crashes++;
          unlock(n);
          d(n).at = 7;
        });
    }
    if (state.mark?.valid && state.endings < ENDINGS)
      move('the lease ends', (n) => {
        n.mark!.valid = false;
        n.endings++;
      });
    if (!state.row && kind === 'clear') {
      if (state.follower === 0)
        move('the follower hears of it', (n) => {
          n.follower = 1;
        });
      if (state.follower === 1 && !(guards.followerWaits && held))
        move('the follower has waited', (n) => {
          n.follower = 2;
        });
      if (state.follower === 2)
        move('the follower clears', (n) => {
          for (const w of n.writers) w.refers = false;
          n.follower = 3;
        });
    }
    return moves;
  };
}

/** Whether something refers to what is deleted, when nothing moves any more. */
export const dangles = (state: State, isEnd: boolean): boolean =>
  isEnd && !state.row && state.writers.some((w) => w.refers);
