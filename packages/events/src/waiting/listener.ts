import pg from 'pg';
import { backoff, pause } from './backoff.ts';

export interface ListenerOptions {
  connection: string | pg.ClientConfig;
  channels: readonly string[];
  onNotify(channel: string, payload: string): void;
  /** Called whenever listening begins, also again: what was notified before is unknown. */
  onConnect(): void;
  onError(error: unknown): void;
}

/**
 * The settings of a connection of our own that lives long: a peer that vanished without a word is noticed in about ten
 * seconds.
 */
export const longLived = (connection: string | pg.ClientConfig): pg.ClientConfig => ({
  ...(typeof connection === 'string' ? { connectionString: connection } : connection),
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
});

/** Makes PostgreSQL notice in about ten seconds that the client's machine is gone. Without effect on Unix sockets. */
export const noticeLostClient =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3';

/** Keeps one connection that listens, and connects again when it is lost. Returns a function that ends it. */
export function listen(options: ListenerOptions): () => Promise<void> {
  const stop = new AbortController();
  let client: pg.Client | null = null;

  const session = async (): Promise<void> => {
    client = new pg.Client(longLived(options.connection));
    const ended = new Promise<void>((done) => client?.once('end', done));
    client.on('error', options.onError);
    client.on('notification', (message) => options.onNotify(message.channel, message.payload ?? ''));
    try {
      await client.connect();
      await client.query(options.channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join(';'));
      options.onConnect();
      if (!stop.signal.aborted) await ended;
    } finally {
      await client.end().catch(() => {});
    }
  };

  const running = (async () => {
    for (let failures = 0; !stop.signal.aborted; ) {
      const began = Date.now();
      await session().catch((error: unknown) => {
        if (!stop.signal.aborted) options.onError(error);
      });
      failures = Date.now() - began > 10_000 ? 1 : failures + 1;
      await pause(backoff(failures, 100, 5000), stop.signal);
    }
  })();

  return async () => {
    stop.abort();
    await client?.end().catch(() => {});
    await running;
  };
}
