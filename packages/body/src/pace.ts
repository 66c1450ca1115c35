/** How long one turn of work may keep the event loop, in ms; the smallest pieces of work take far less. */
const TURN_MS = 5;
/**
 * The same for the objects of a write. Each turn that it gives away lets followers take a step, and many small steps
 * cost more than a few: 500 interfaces at once took 15 % more of the processor with turns of 5 ms than with 40.
 */
const WRITE_TURN_MS = 20;

/** Yields to other work when the present turn has lasted long enough; called between pieces of work. */
export type Pace = () => Promise<void> | undefined;

export function paced(turnMs: number = TURN_MS): Pace {
  let began = performance.now();
  return () => {
    if (performance.now() - began < turnMs) return undefined;
    return nextTurn().then(() => {
      began = performance.now();
    });
  };
}

/** Maps many items one after the other, and yields to other work in between. */
export async function mapPaced<T, R>(
  all: readonly T[],
  make: (one: T, at: number) => R,
  pace = paced(WRITE_TURN_MS),
): Promise<R[]> {
  const made: R[] = [];
  for (const [at, one] of all.entries()) {
    made.push(make(one, at));
    const turn = pace();
    if (turn) await turn;
  }
  return made;
}

const waiting: (() => void)[] = [];

/** However much long work runs at the same time (bodies, writes), each turn of the event loop runs one piece of it. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  const first = waiting.shift();
  if (waiting.length) setImmediate(next);
  first?.();
}
