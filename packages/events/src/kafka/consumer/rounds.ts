/** Does parts of work together, one round after the other. */
export interface Rounds<Part, Result> {
  /** Resolves at the end of the round in which the part was done. */
  add(part: Part): Promise<Result>;
  /** Resolves when no round is running or gathering. */
  rest(): Promise<void>;
}

export interface RoundsOptions<Part, Result> {
  /** How much one round takes, as `sizeOf` counts; a part that is larger gets a round of its own. */
  limit: number;
  sizeOf(part: Part): number;
  /** Does all of them, and returns a result for each. */
  work(parts: readonly Part[]): Promise<readonly Result[]>;
  /** Gathers after the last round, given how long that took, how many messages it held, and whether it was full. */
  gather(tookMs: number, messages: number, full: boolean): Promise<void>;
}

/** Each round does the parts that are there when it begins. */
export function createRounds<Part, Result>({
  limit,
  sizeOf,
  work,
  gather,
}: RoundsOptions<Part, Result>): Rounds<Part, Result> {
  const waiting: { part: Part; resolve(result: Result): void; reject(error: unknown): void }[] = [];
  let running: Promise<void> | undefined;

  const next = (): { round: typeof waiting; size: number } => {
    let size = 0;
    let count = 0;
    for (const { part } of waiting) {
      if (count > 0 && size + sizeOf(part) > limit) break;
      size += sizeOf(part);
      count += 1;
    }
    return { round: waiting.splice(0, count), size };
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Lets callers that were waiting for the same event add their parts to this round, too.
      await new Promise(setImmediate);
      const { round, size } = next();
      const began = performance.now();
      try {
        const results = await work(round.map(({ part }) => part));
        for (const [i, { resolve }] of round.entries()) resolve(results[i]!);
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
      await new Promise(setImmediate);
      if (waiting.length === 0) await gather(performance.now() - began, size, size >= limit);
    }
    running = undefined;
  };

  return {
    add: (part) =>
      new Promise((resolve, reject) => {
        waiting.push({ part, resolve, reject });
        running ??= run();
      }),
    rest: () => running ?? Promise.resolve(),
  };
}
