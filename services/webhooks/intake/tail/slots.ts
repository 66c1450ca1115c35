/** A place at the tail. */
export interface TailSlot {
  /** Aborts when somebody else needs it more. */
  ended: AbortSignal;
  /** Gives it up; more than once does no harm. */
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
 * The places of those who listen to this process. As long as some are free, anybody has one; when all are taken, who
 * has fewer gets one from who has most, so that nobody keeps others out.
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

  /** Takes the oldest place from who has most, if that leaves nobody with fewer than who gets it. */
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
