/** Gives a place back; to be called once. */
export type GiveBack = () => void;

/** One of those who share the places: a pool of connections. */
export interface Member {
  /**
   * Asks for a place; `got` is called with it, at once where there is one. Returns what takes a request back that still
   * waits. `single` is for one statement, which waits for nobody while it has its place.
   */
  ask(use: Use, got: (giveBack: GiveBack) => void): () => void;
  /** Leaves; its places are for the others when they are given back. */
  leave(): void;
}

export type Use = 'single' | 'long';

export interface BudgetOptions {
  /** All places; by default `placesFor` as many as take part. */
  places?: number | undefined;
}

/** Places for a number of members where nobody has said how many: eight for one, and four more for each further one. */
export const placesFor = (members: number): number => 4 + 4 * members;

/**
 * A share has room for one single statement and two long uses at least, so nobody has to wait for others for ever:
 * whoever holds a lock by one connection may work on another.
 */
const LEAST = 3;
/** What is more than this for each is for whoever needs it. */
const MOST = 4;

/** How many places each member can always have, and how many anybody may borrow beside those. */
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
 * Places that are shared fairly. Each member has a share that nobody else gets, one place of which is kept for single
 * statements: whoever holds places for long, and waits meanwhile for what others do, never keeps a single statement from
 * its end. What is more than the shares is lent to whoever asks; where several wait, to the one that has least.
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

  /** Gives places to those who wait, as long as there are some for them. */
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
/** Places in use beside the one that is kept for single statements. */
const others = ({ inUse }: State): number => inUse.long + Math.max(0, inUse.single - 1);
const borrowed = (state: State, share: number): number => Math.max(0, others(state) - (share - 1));
/** Whether there is a place for this in the member's own share. */
const fits = (state: State, use: Use, share: number): boolean =>
  (use === 'single' && state.inUse.single === 0) || others(state) < share - 1;
