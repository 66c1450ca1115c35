/** A step that a process may take in a state: its name, and the state after it. */
export interface Move<S> {
  name: string;
  next: S;
}

export interface Exploration {
  states: number;
  ends: number;
  /** The shortest way to a wrong state, step by step. */
  counterexample: string[] | undefined;
}

/**
 * Walks through every interleaving there is: all states that can be reached from the first one by any order of moves.
 * States are plain data, told apart by their JSON.
 */
export function explore<S>(
  first: S,
  movesOf: (state: S) => Move<S>[],
  isWrong: (state: S, isEnd: boolean) => boolean,
): Exploration {
  const seen = new Set([JSON.stringify(first)]);
  const queue: { state: S; way: readonly string[] }[] = [{ state: first, way: [] }];
  let ends = 0;
  for (let at = 0; at < queue.length; at++) {
    const { state, way } = queue[at]!;
    const moves = movesOf(state);
    if (!moves.length) ends++;
    if (isWrong(state, !moves.length)) return { states: seen.size, ends, counterexample: [...way] };
    for (const { name, next } of moves) {
      const key = JSON.stringify(next);
      if (!seen.has(key)) {
        seen.add(key);
        queue.push({ state: next, way: [...way, name] });
      }
    }
  }
  return { states: seen.size, ends, counterexample: undefined };
}
