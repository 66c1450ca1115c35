import { Refusal, FairLimiter } from '@cadastre/rest';

/** The queue is full, or the wait in it was too long; the client may try again. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

export interface HashingLimiter {
  /**
   * Runs the work when it is its turn. @throws Busy if too many wait already, in total or for the same client, or the
   * wait takes too long
   */
  use<T>(whose: string, work: () => Promise<T>): Promise<T>;
}

export interface HashingLimiterOptions {
  /** How many may run at the same time. */
  atOnce: number;
  /** How many may wait, */
  waiting: number;
  /** how many of these for one client, */
  waitingEach: number;
  /** and how long. */
  waitMs: number;
}

/**
 * Queues for hashing, by client. All refused clients get the same error, so that nobody learns how many others there
 * are.
 */
export function hashingLimiter({ atOnce, waiting, waitingEach, waitMs }: HashingLimiterOptions): HashingLimiter {
  const turns = new FairLimiter(
    { running: atOnce, runningPerUser: atOnce, waiting, waitingPerUser: waitingEach, waitMs },
    'passwords',
  );
  return {
    use: async <T>(whose: string, work: () => Promise<T>): Promise<T> => {
      let begun = false;
      try {
        return await turns.run(whose, undefined, () => {
          begun = true;
          return work();
        });
      } catch (error) {
        throw !begun && error instanceof Refusal ? new Busy('too many wait already') : error;
      }
    },
  };
}
