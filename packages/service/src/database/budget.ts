/** Gives a place back; to be called once. */
export type GiveBack = () => void;

/** One user of the shared places: a pool of connections. */
export interface Member {
  /**
   * Requests a place; `got` is called with it, immediately if one is free. Returns a function that withdraws the
   * request if it is still waiting. `single` is for one statement, which waits for nothing else while it holds its
   * place.
   */
  ask(use: Use, got: (giveBack: GiveBack) => void): () => void;
  /** Leaves; its places are available to the others once they have been given back. */
  leave(): void;
}

export type Use = 'single' | 'long';

export interface BudgetOptions {
  /** All places; default: `placesFor` the number of members. */
  places?: number | undefined;
}

/** The default number of places for a number of members: eight for one, and four more for each further one. */
export const placesFor = (members: number): number => 4 + 4 * members;

/**
 * A share has room for at least one single statement and two long uses, so that no member waits for others for ever:
 * code that holds a lock on one connection may need a second one.
 */
const LEAST = 3;
/** Places beyond this number per member are common: any member may borrow them. */
const MOST = 4;

/** How many places each member can always have, and how many common ones may be borrowed in addition. */
export function sharesOf(places: number, members: number): { share: number; common: number } {
  const share = Math.min(MOST, Math.max(LEAST, Math.floor(places / Math.max(1, members))));
  return { share, common: Math.max(0, places - share * members) };
}

interface Waiting {
  use: Use;
  got(giveBack: GiveBack): void;
}

interface State {
  readonly inUse: Record<Use, number>;
  readonly waiting: Waiting[];
}

/**
 * Places that are shared fairly. Each member has a share that no other member gets, and one place of it is kept for
 * single statements: long uses, which may wait for other members' work, never keep a single statement from running.
 * Places beyond the shares are lent to members that need them; if several wait, to the one that has the fewest.
 */
export class Budget {
  readonly #given: number | undefined;
  readonly #members = new Set<State>();

  constructor({ places }: BudgetOptions = {}) {
    this.#given = places;
  }

  /** All places there are: never fewer than the smallest shares. */
  get places(): number {
    const members = this.#members.size;
    return Math.max(this.#given ?? placesFor(members), LEAST * members);
  }

  /** What each member can always have. */
  get share(): number {
    return this.#shares.share;
  }

  get #shares() {
    return sharesOf(this.places, this.#members.size);
  }

  join(): Member {
    const state: State = { inUse: { single: 0, long: 0 }, waiting: [] };
    this.#members.add(state);
    // The shares of the others may be smaller than before, but there may be more of everything.
    this.#serve();
    return {
      ask: (use, got) => {
        const request = { use, got };
        state.waiting.push(request);
        this.#serve();
        return () => {
          const at = state.waiting.indexOf(request);
          if (at >= 0) state.waiting.splice(at, 1);
        };
      },
      leave: () => {
        this.#members.delete(state);
        this.#serve();
      },
    };
  }

  /** Gives places to waiting members as long as there are places that they may have. */
  #serve(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { state, request } = next;
      state.waiting.splice(state.waiting.indexOf(request), 1);
      state.inUse[request.use] += 1;
      request.got(() => {
        state.inUse[request.use] -= 1;
        this.#serve();
      });
    }
  }

  #next(): { state: State; request: Waiting } | undefined {
    const { share, common } = this.#shares;
    let lent = 0;
    let waits = false;
    for (const state of this.#members) {
      lent += borrowed(state, share);
      waits ||= state.waiting.length > 0;
    }
    if (!waits) return undefined;
    let best: { state: State; request: Waiting } | undefined;
    for (const state of this.#members) {
      const request = state.waiting.find(({ use }) => fits(state, use, share) || lent < common);
      if (request && (!best || total(state) < total(best.state))) best = { state, request };
    }
    return best;
  }
}

const total = ({ inUse }: State): number => inUse.single + inUse.long;
/** Places in use apart from the one that is kept for single statements. */
const others = ({ inUse }: State): number => inUse.long + Math.max(0, inUse.single - 1);
const borrowed = (state: State, share: number): number => Math.max(0, others(state) - (share - 1));
/** Whether the member's own share has a place for this use. */
const fits = (state: State, use: Use, share: number): boolean =>
  (use === 'single' && state.inUse.single === 0) || others(state) < share - 1;
