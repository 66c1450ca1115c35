/** A seeded source of chance: the same seed draws the same numbers. */
export interface Dice {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to `end`. */
  below(end: number): number;
  chance(probability: number): boolean;
  /** @throws Error when there is nothing to choose from */
  choose<T>(from: readonly T[]): T;
  /** One of the pairs, by their weights. */
  weighted<T>(from: readonly (readonly [T, number])[]): T;
}

/** mulberry32: 32 bits of state are plenty here. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const dice: Dice = {
    next,
    below: (end) => Math.floor(next() * end),
    chance: (probability) => next() < probability,
    choose: (from) => {
      if (!from.length) throw new Error('there is nothing to choose from');
      return from[Math.floor(next() * from.length)]!;
    },
    weighted: (from) => {
      let left = next() * from.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [one, weight] of from) if ((left -= weight) < 0) return one;
      return from.at(-1)![0];
    },
  };
  return dice;
}
