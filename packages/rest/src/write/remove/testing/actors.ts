// Lets requests go on one stage at a time, in an order that a test chooses.
import { setTimeout as sleep } from 'node:timers/promises';

type Outcome = { value: unknown } | { error: unknown };

/** A request that stops where it asks to, until the test lets it continue. */
export interface Actor {
  /** Where it has stopped; undefined while it runs or waits for a lock, and once it has ended. */
  at: string | undefined;
  outcome: Outcome | undefined;
}

/** Ends a request where it has stopped, as if its process had died there. */
export class Crash extends Error {}

/**
 * Runs actors by turns: after each, all have stopped, ended, or wait for a lock of the database. `waiting` counts those
 * who do the last.
 */
export class Actors {
  readonly #all = new Map<string, Actor & { resume?: (crash: boolean) => void }>();
  readonly #waiting: () => Promise<number>;
  #ending = false;

  constructor(waiting: () => Promise<number>) {
    this.#waiting = waiting;
  }

  get(name: string): Actor | undefined {
    return this.#all.get(name);
  }

  /** Where each is, for messages. */
  list(): [string, string][] {
    return [...this.#all].map(([name, { at, outcome }]) => [
      name,
      at ?? (!outcome ? 'runs' : 'error' in outcome ? String(outcome.error) : 'done'),
    ]);
  }

  /** Begins a request, and returns once it has stopped for the first time, ended, or waits for a lock. */
  async start(name: string, request: () => Promise<unknown>): Promise<void> {
    const actor: Actor = { at: undefined, outcome: undefined };
    this.#all.set(name, actor);
    request().then(
      (value) => {
        actor.outcome = { value };
      },
      (error: unknown) => {
        actor.outcome = { error };
      },
    );
    await this.#settled();
  }

  /** Called by a request where others may come in between. @throws Crash when it ends here */
  async stop(name: string, at: string): Promise<void> {
    const actor = this.#all.get(name)!;
    if (this.#ending) throw new Crash();
    const crash = await new Promise<boolean>((resume) => {
      actor.resume = resume;
      actor.at = at;
    });
    if (crash) throw new Crash();
  }

  /** Lets one that has stopped go on, or crash. */
  async resume(name: string, crash = false): Promise<void> {
    const actor = this.#all.get(name)!;
    actor.at = undefined;
    actor.resume!(crash);
    await this.#settled();
  }

  /** Ends all that have stopped, and waits for the others. */
  async end(): Promise<void> {
    for (const actor of this.#all.values()) {
      if (actor.at !== undefined) actor.resume!(true);
      actor.at = undefined;
    }
    this.#ending = true;
    while (this.running().length) await sleep(1);
  }

  /** Those that run or wait for a lock. */
  running(): string[] {
    return [...this.#all].filter(([, { at, outcome }]) => at === undefined && !outcome).map(([name]) => name);
  }

  async #settled(): Promise<void> {
    for (;;) {
      const before = this.running().join();
      if (!before) return;
      // Only those found waiting both times, with nobody else running, really wait for others.
      const waiting = await this.#waiting();
      const after = this.running();
      if (after.join() === before && waiting >= after.length && (await this.#waiting()) >= after.length) return;
      await sleep(1);
    }
  }
}
