import { refuse } from './refusal.ts';

export interface FairLimits {
  /** How much runs at the same time, in all and for one user: the sum of the weights. */
  running: number;
  runningPerUser: number;
  /** How much may wait, in all and for one user. */
  waiting: number;
  waitingPerUser: number;
  /** How long it may wait. */
  waitMs: number;
}

/** Work that waits to be let in. */
interface Waiting {
  weight: number;
  begin(): void;
}

/** After how many seconds a client that was refused may try again. */
const RETRY = { 'Retry-After': '5' };

/** For a request whose client no longer waits for the answer; nobody reads it. */
export const clientLeft = () => refuse(499, 'The client has left.');

/**
 * Limits how much long work runs at the same time, in all and for one user, so that there is room for others. Waiting
 * work is let in user by user (round robin), however much of it one user has sent. What exceeds the limits is refused
 * at once, and a client that leaves gives up its place.
 */
export class FairLimiter {
  readonly #limits: FairLimits;
  readonly #what: string;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  /** When each user was last let in; users who never were come first. */
  readonly #last = new Map<string, number>();
  #begun = 0;
  #runs = 0;
  #waits = 0;

  /** `what` names the work in messages, in the plural. */
  constructor(limits: FairLimits, what: string) {
    this.#limits = limits;
    this.#what = what;
  }

  get running(): number {
    return this.#runs;
  }
  get waiting(): number {
    return this.#waits;
  }

  /**
   * Runs the work when the user is let in. @throws Refusal 429 when the user has too much of it, 503 when there is
   * too much in all or it has waited for too long
   */
  async run<T>(user: string, gone: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const waits = this.#enter(user, gone, 1);
    if (waits) await waits;
    try {
      return await work();
    } finally {
      this.#end(user, 1);
    }
  }

  /**
   * The same for work that ends elsewhere: the function that is returned releases the place. The weight of work counts
   * towards both limits; a weight above a limit counts as that limit, so that heavy work is let in at all.
   * @throws Refusal as `run`
   */
  async acquire(user: string, gone: AbortSignal | undefined, weight = 1): Promise<() => void> {
    const { running, runningPerUser } = this.#limits;
    const counted = Math.min(weight, running, runningPerUser);
    await this.#enter(user, gone, counted);
    let over = false;
    return () => {
      if (!over) this.#end(user, counted);
      over = true;
    };
  }

  /** A promise if the user has to wait; undefined otherwise. */
  #enter(user: string, gone: AbortSignal | undefined, weight: number): Promise<void> | undefined {
    if (gone?.aborted) throw clientLeft();
    if (!this.#free(user, weight)) return this.#wait(user, gone, weight);
    this.#begin(user, weight);
    return undefined;
  }

  #free(user: string, weight: number): boolean {
    const { running, runningPerUser } = this.#limits;
    return this.#runs + weight <= running && (this.#running.get(user) ?? 0) + weight <= runningPerUser;
  }

  #begin(user: string, weight: number): void {
    this.#runs += weight;
    this.#running.set(user, (this.#running.get(user) ?? 0) + weight);
    this.#last.set(user, (this.#begun += 1));
  }

  #end(user: string, weight: number): void {
    this.#runs -= weight;
    const count = this.#running.get(user)! - weight;
    if (count) this.#running.set(user, count);
    else this.#running.delete(user);
    // The end of heavy work may make room for several others.
    while (this.#next());
    this.#forget(user);
  }

  #forget(user: string): void {
    if (!this.#running.has(user) && !this.#waiting.has(user)) this.#last.delete(user);
  }

  /** Lets the next work in; says whether there was some. */
  #next(): boolean {
    const free = [...this.#waiting].flatMap(([user, [first]]) => (this.#free(user, first!.weight) ? [user] : []));
    const last = (user: string) => this.#last.get(user) ?? 0;
    const user = free.reduce<string | undefined>(
      (first, one) => (first === undefined || last(one) < last(first) ? one : first),
      undefined,
    );
    if (user !== undefined) this.#waiting.get(user)![0]!.begin();
    return user !== undefined;
  }

  #wait(user: string, gone: AbortSignal | undefined, weight: number): Promise<void> {
    const { waiting, waitingPerUser, waitMs } = this.#limits;
    const own = this.#waiting.get(user) ?? [];
    if (own.length >= waitingPerUser)
      throw refuse(429, `You have too many ${this.#what} under way. Please try again later.`, RETRY);
    if (this.#waits >= waiting)
      throw refuse(503, `There are too many ${this.#what} under way. Please try again later.`, RETRY);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', onGone);
        own.splice(own.indexOf(one), 1);
        this.#waits -= 1;
        if (!own.length) this.#waiting.delete(user);
        this.#forget(user);
      };
      const one: Waiting = {
        weight,
        begin: () => {
          leave();
          this.#begin(user, weight);
          resolve();
        },
      };
      const onGone = () => {
        leave();
        reject(clientLeft());
      };
      const timer = setTimeout(() => {
        leave();
        reject(refuse(503, `Too many ${this.#what} are waiting. Please try again later.`, RETRY));
      }, waitMs);
      gone?.addEventListener('abort', onGone, { once: true });
      own.push(one);
      this.#waits += 1;
      this.#waiting.set(user, own);
    });
  }
}
