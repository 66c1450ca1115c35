/** How to stop what was started, registered as it is started. */
export class Undo {
  readonly #steps: (() => unknown)[] = [];
  #running: Promise<void> | undefined;

  /** A part that is started while everything is being stopped is stopped, too. */
  add(step: () => unknown): void {
    if (this.#running) void Promise.resolve(step()).catch(() => undefined);
    else this.#steps.push(step);
  }

  /** Stops everything in reverse order; a step that fails does not prevent the others. */
  run(): Promise<void> {
    this.#running ??= this.#all();
    return this.#running;
  }

  async #all(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch {
        /* It is gone. */
      }
    }
  }
}
