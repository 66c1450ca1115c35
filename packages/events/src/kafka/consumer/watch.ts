/** What a watch looks at, time and again. */
export interface Watched {
  /** How long it may be silent at this moment, in milliseconds. */
  limit(): number;
  /** Is called once, when it has been silent for longer. */
  onSilence(seconds: number): void;
}

export interface Watch {
  /** What is watched has given a sign of life. */
  alive(): void;
  stop(): void;
}

/** Looks often enough that silence is noticed a tenth later at most. */
const looks = 10;

/**
 * Notices when something gives no sign of life. Time in which this process could not look either, as it was stopped or
 * busy, does not count: what has come meanwhile is still to be read.
 */
export function watch({ limit, onSilence }: Watched, now: () => number = () => performance.now()): Watch {
  let silent = 0;
  let last = now();
  const interval = Math.max(10, limit() / looks);
  const timer = setInterval(() => {
    const time = now();
    silent += Math.min(time - last, 2 * interval);
    last = time;
    if (silent <= limit()) return;
    clearInterval(timer);
    onSilence(Math.round(silent / 1000));
  }, interval);
  return {
    alive() {
      silent = 0;
    },
    stop() {
      clearInterval(timer);
    },
  };
}
