/**
 * Wakes one waiting loop. A wake-up that comes while the loop is not waiting is kept for the next wait, so none is
 * lost.
 */
export interface Signal {
  wake(): void;
  /** Resolves at the next wake-up, or after the time. */
  wait(milliseconds: number): Promise<void>;
}

/** A signal without a wake-up pending. */
export function createSignal(): Signal {
  let pending = false;
  let resume: (() => void) | null = null;
  return {
    wake() {
      pending = true;
      resume?.();
    },
    async wait(milliseconds) {
      if (!pending) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, milliseconds);
          resume = () => {
            clearTimeout(timer);
            done();
          };
        });
        resume = null;
      }
      pending = false;
    },
  };
}
