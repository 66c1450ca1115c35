/** So long does one piece of work keep the event loop, in ms; the smallest pieces take far less. */
const TURN_MS = 5;

/** Lets others have their turn when the present one has lasted long enough; to be asked between pieces of work. */
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

const waiting: (() => void)[] = [];

/** However many bodies are read at the same time, one of them goes on in each turn of the event loop. */
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
