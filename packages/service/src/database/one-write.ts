import type { Socket } from 'node:net';
import pg from 'pg';

/**
 * A connection on which statements that are issued without waiting for each other leave in one write: the begin of a
 * transaction with its first statement, the last statement with the commit. `pg` writes each by itself, and every write
 * wakes the server.
 */
export class OneWriteClient extends pg.Client {
  #held = false;

  // `query` has more overloads than can be repeated here, and none of them matters for this.
  override query(...given: never[]): never {
    this.#hold();
    return (super.query as (...all: never[]) => never)(...given);
  }

  /** Holds writes back until the code that runs now, with all that follows without waiting, has ended. */
  #hold(): void {
    if (this.#held) return;
    this.#held = true;
    // Looked up each time, since starting TLS replaces the socket.
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    process.nextTick(() => {
      this.#held = false;
      stream.uncork();
    });
  }
}
