/** A place at the tail. */
export interface TailSlot {
  /** Aborts when the place is given to another user. */
  ended: AbortSignal;
  /** Gives the place up; repeated calls do no harm. */
  leave(): void;
}

/** How many places there are, and how many of them one user may have. */
export interface TailLimits {
  most: number;
  mostPerUser: number;
}

interface Taken {
  ending: AbortController;
}

/**
 * The places of clients that listen to this process. When all are taken, a user with fewer places gets one from the
 * user with the most, so that nobody shuts others out.
 */
export class TailSlots {
  limits: TailLimits;
  /** By user, the oldest first. */
  readonly #taken = new Map<string, Set<Taken>>();

  constructor(limits: TailLimits = { most: 0, mostPerUser: 0 }) {
    this.limits = limits;
  }

  get count(): number {
    return this.#taken.values().reduce((sum, { size }) => sum + size, 0);
  }

  countOf(user: string): number {
    return this.#taken.get(user)?.size ?? 0;
  }

  /** A place for a user; undefined when there is none. */
  take(user: string): TailSlot | undefined {
    const { most, mostPerUser } = this.limits;
    const own = this.countOf(user);
    if (own >= mostPerUser) return undefined;
    if (this.count >= most && !this.#freeFrom(own)) return undefined;
    const taken: Taken = { ending: new AbortController() };
    this.#taken.set(user, (this.#taken.get(user) ?? new Set()).add(taken));
    return { ended: taken.ending.signal, leave: () => this.#leave(user, taken) };
  }

  /**
   * Takes the oldest place from the user with the most places, unless that user would then have fewer than the one who
   * gets it.
   */
  #freeFrom(own: number): boolean {
    const [user, places] = [...this.#taken].reduce<[string, Set<Taken>] | []>(
      (most, one) => (one[1].size > (most[1]?.size ?? 0) ? one : most),
      [],
    );
    if (user === undefined || !places || places.size < own + 2) return false;
    const [oldest] = places;
    this.#leave(user, oldest!);
    oldest!.ending.abort();
    return true;
  }

  #leave(user: string, taken: Taken): void {
    const places = this.#taken.get(user);
    if (places?.delete(taken) && !places.size) this.#taken.delete(user);
  }
}
