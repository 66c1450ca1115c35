import pg from 'pg';
import type { GiveBack, Member, Use } from './budget.ts';
import { OneWriteClient } from './one-write.ts';

/** What a pool needs from the pools with which it shares a server. */
export interface Sharing {
  readonly member: Member;
  /** Called when a connection is about to be opened: another may have to be closed first. */
  makeRoom(): void;
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

const tooLate = 'timeout exceeded when trying to connect';

/**
 * A pool that requests a place before it hands a connection out. It distinguishes single statements (`query`) from uses
 * that keep a connection for longer (`connect`), which may have to wait for what other uses do meanwhile.
 */
export class SharedPool extends pg.Pool {
  readonly #sharing: Sharing;
  readonly #places = new WeakMap<pg.PoolClient, GiveBack>();
  readonly #waiting = new Set<(error: Error) => void>();
  #use: Use = 'long';
  #closing = 0;

  constructor(options: pg.PoolConfig, sharing: Sharing) {
    // The limit of connections is decided by the budget of places.
    super({ ...options, max: 100_000, Client: OneWriteClient });
    this.#sharing = sharing;
    // Without a listener, a connection that breaks while it is in use would end the process. Its user learns of it from
    // the statement that fails.
    this.on('error', () => undefined);
    this.on('connect', (client) => client.on('error', () => undefined));
    this.on('release', (_error, client) => {
      const giveBack = this.#places.get(client);
      this.#places.delete(client);
      // The connection is free for the next user only after this event.
      if (giveBack) queueMicrotask(giveBack);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (callback) {
      this.#ask(this.#use, callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#ask('long', (error, client) => {
        if (client) resolve(client);
        else reject(withStack(error));
      });
    });
  }

  // `query` of pg calls `connect` synchronously, so `#use` holds for that call.
  override query(...given: never[]): never {
    this.#use = 'single';
    try {
      return (super.query as (...all: never[]) => never)(...given);
    } finally {
      this.#use = 'long';
    }
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    for (const refuse of [...this.#waiting]) refuse(new Error('Cannot use a pool after calling end on the pool'));
    const ended = super.end().finally(() => this.#sharing.member.leave());
    if (!callback) return ended;
    void ended.then(callback);
    return undefined;
  }

  /** The number of idle connections that are not being closed already. */
  get spare(): number {
    return this.idleCount - this.#closing;
  }

  /** Closes an idle connection. */
  closeSpare(): void {
    this.#closing += 1;
    super.connect((_error: unknown, client: pg.PoolClient | undefined) => {
      this.#closing -= 1;
      client?.release(true);
    });
  }

  #ask(use: Use, callback: Connected): void {
    const waitMs = this.options.connectionTimeoutMillis;
    let timer: NodeJS.Timeout | undefined;
    const refuse = (error: Error): void => {
      settle();
      takeBack();
      callback(error, undefined, () => undefined);
    };
    const settle = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(refuse);
    };
    let here = false;
    const takeBack = this.#sharing.member.ask(use, (giveBack) => {
      here = true;
      settle();
      this.#take(giveBack, callback);
    });
    if (here) return;
    this.#waiting.add(refuse);
    if (waitMs) timer = setTimeout(() => refuse(new Error(tooLate)), waitMs).unref();
  }

  #take(giveBack: GiveBack, callback: Connected): void {
    if (this.spare <= 0 && !this.ending) this.#sharing.makeRoom();
    const taken = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void): void => {
      if (client) this.#places.set(client, giveBack);
      else giveBack();
      callback(error, client, done);
    };
    super.connect(taken as Connected);
  }
}

/** The error with a stack trace that includes the caller. */
function withStack(error: Error | undefined): Error {
  const known = error ?? new Error('no connection');
  Error.captureStackTrace(known);
  return known;
}
