/** What a watch observes. */
export interface Watched {
  /** How long it may be silent at this moment, in milliseconds. */
  limit(): number;
  /** Is called once, when it has been silent for longer. */
  onSilence(seconds: number): void;
}

export interface Watch {
  /** To be called when the observed thing has shown activity. */
  alive(): void;
  stop(): void;
}

/** Checks often enough that silence is noticed at most a tenth of its limit late. */
const looks = 10;

/**
 * Notices when something shows no activity. Time in which this process could not check, because it was stopped or busy,
 * does not count: what has arrived meanwhile is still to be read.
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
