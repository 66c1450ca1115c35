import type { Socket } from 'node:net';
import pg from 'pg';

/**
 * A connection on which statements that are asked for one after the other, without waiting, leave in one write: a begin
 * with the first statement of its transaction, the last one with its commit. `pg` writes each by itself, and every write
 * wakes the server.
 */
export class OneWriteClient extends pg.Client {
  #held = false;

  // It has more forms than can be repeated here, and none of them matters.
  override query(...given: never[]): never {
    this.#hold();
    return (super.query as (...all: never[]) => never)(...given);
  }

  /** Until what goes on without waiting has come to its end. */
  #hold(): void {
    if (this.#held) return;
    this.#held = true;
    // Of TLS, the socket is another one once that has begun.
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    process.nextTick(() => {
      this.#held = false;
      stream.uncork();
    });
  }
}
