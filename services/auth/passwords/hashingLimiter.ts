import { Refusal, FairLimiter } from '@cadastre/rest';

/** There is no place to wait in, or it took too long; it may be tried again. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

export interface HashingLimiter {
  /**
   * Does the work when it is its turn. @throws Busy when too many wait already, from everywhere or from the same place,
   * or for too long
   */
  use<T>(whose: string, work: () => Promise<T>): Promise<T>;
}

export interface HashingLimiterOptions {
  /** How much is under way at the same time. */
  atOnce: number;
  /** How many wait for that at most, */
  waiting: number;
  /** how many of these for one and the same, */
  waitingEach: number;
  /** and for how long. */
  waitMs: number;
}

/**
 * Turns at hashing, by client. It is the same to all who find no place why that is: nobody is told how many others
 * there are.
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
