import type { RoomLimits } from './limits.ts';
import { FairLimiter } from './fairLimiter.ts';

/**
 * Room for the bodies that a process reads, parses and works on at one time. Small ones need none; a larger one takes
 * as much as it has bytes, and waits while there is too little. Users take turns.
 */
export class Room {
  readonly #turns: FairLimiter;

  constructor({ bytes, bytesPerUser, ...waiting }: RoomLimits) {
    this.#turns = new FairLimiter({ running: bytes, runningPerUser: bytesPerUser, ...waiting }, 'large requests');
  }

  /** Bytes that are taken, and bodies that wait. */
  get taken(): number {
    return this.#turns.running;
  }
  get waiting(): number {
    return this.#turns.waiting;
  }

  /**
   * Takes room for this many bytes; the function that is returned gives it back. @throws Refusal 429 when the user has
   * too much waiting, 503 when there is too much in all or it has waited too long
   */
  take(user: string, bytes: number, gone?: AbortSignal): Promise<() => void> {
    return this.#turns.acquire(user, gone, bytes);
  }
}
