import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long does one piece of work keep the event loop, in ms; the smallest pieces take far less. */
const TURN_MS = 10;

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
