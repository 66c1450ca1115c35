import pg from 'pg';
import { backoff, pause } from './backoff.ts';

/** One user of a long-lived connection. */
export interface Part {
  /**
   * Called with each connection that is made; to hear notifications on it, this must execute `listen`. When it rejects,
   * the connection is closed for all users, and another is made.
   * @param over aborted when the connection, or this user's part in it, has ended
   */
  begin(client: pg.Client, over: AbortSignal): Promise<void>;
  /** Called with every notification, also those on channels of other users. */
  onNotify?(channel: string, payload: string): void;
  onError(error: unknown): void;
}

/**
 * One connection to a database, shared by all that need a long-lived one: because they wait for notifications, or
 * because their role is bound to a session. It exists as long as it has a user.
 */
export interface Session {
  /** Adds a user. Returns a function that removes it again, after its current work. */
  join(part: Part): () => Promise<void>;
}

/** Where a database is: a session to share, or the options of a connection. */
export type Connection = Session | string | pg.ClientConfig;

/** A peer that has vanished is noticed in about ten seconds, both by this side and by the server. */
const longLived = (connection: string | pg.ClientConfig): pg.ClientConfig => ({
  ...(typeof connection === 'string' ? { connectionString: connection } : connection),
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
});
/** Without effect on Unix sockets. */
const noticeLostClient = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3';

/** How long a server may take to end a connection. */
const GOODBYE_MS = 2_000;

export const sessionOf = (connection: Connection): Session =>
  typeof connection === 'object' && 'join' in connection ? connection : createSession(connection);

interface Joined {
  readonly part: Part;
  readonly left: AbortController;
  /** The user's work so far. Its work with a new connection begins when it has finished with the previous one. */
  work: Promise<void>;
}

interface Connected {
  readonly client: pg.Client;
  /** Aborted when the connection has ended, or is to end. */
  readonly over: AbortController;
  ready: boolean;
}

/** Connects when there is a user, and again when the connection is lost. */
export function createSession(connection: string | pg.ClientConfig): Session {
  const all = new Set<Joined>();
  let current: Connected | undefined;
  let running: Promise<void> | undefined;
  let leaving = new AbortController();
  const tell = (error: unknown): void => {
    for (const { part, left } of all) if (!left.signal.aborted) part.onError(error);
  };

  const begin = (joined: Joined, { client, over }: Connected): void => {
    const { part, left } = joined;
    const until = AbortSignal.any([over.signal, left.signal]);
    joined.work = joined.work
      .then(() => (until.aborted ? undefined : part.begin(client, until)))
      .catch((error: unknown) => {
        if (!until.aborted) part.onError(error);
        over.abort();
      });
  };

  /** One connection, from beginning to end. */
  const connected = async (): Promise<void> => {
    const client = new pg.Client(longLived(connection));
    const over = new AbortController();
    const mine: Connected = { client, over, ready: false };
    current = mine;
    client.on('error', tell);
    client.on('end', () => over.abort());
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { part } of all) part.onNotify?.(channel, payload);
    });
    const ending = once(over.signal);
    const ended = ending.then(() => end(mine));
    try {
      // The connection may have to be given up while it is being made, and `pg` reports nothing then.
      await Promise.race([makeReady(client), ending]);
      if (!over.signal.aborted) {
        mine.ready = true;
        for (const joined of all) begin(joined, mine);
      }
    } catch (error) {
      if (!over.signal.aborted) tell(error);
      over.abort();
    }
    await ended;
    current = undefined;
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; all.size > 0; ) {
      const began = Date.now();
      leaving = new AbortController();
      await connected();
      // A user has left, which is no failure, so the others get a new connection at once.
      if (leaving.signal.aborted) continue;
      failures = Date.now() - began > 10_000 ? 1 : failures + 1;
      await pause(backoff(failures, 100, 5000), leaving.signal);
    }
    running = undefined;
  };

  return {
    join(part) {
      const joined: Joined = { part, left: new AbortController(), work: Promise.resolve() };
      all.add(joined);
      if (current?.ready) begin(joined, current);
      running ??= run();
      return async () => {
        joined.left.abort();
        await joined.work;
        all.delete(joined);
        // Everything that is bound to the connection, such as locks, ends with it.
        leaving.abort();
        current?.over.abort();
        if (all.size === 0) await running;
      };
    },
  };
}

async function makeReady(client: pg.Client): Promise<void> {
  await client.connect();
  await client.query(noticeLostClient);
}

/** Ends a connection in an orderly way if the server responds; a server that does not is not waited for. */
async function end({ client, ready }: Connected): Promise<void> {
  const cut = (): void => void (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  const ended = client.end().catch(() => {});
  if (!ready) return cut();
  const timer = setTimeout(cut, GOODBYE_MS);
  await ended;
  clearTimeout(timer);
}

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
