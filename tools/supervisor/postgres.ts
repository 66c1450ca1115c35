import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@cadastre/service/log';
import { ownDatabases, ownUrl } from '../embedded-postgres/owners.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/start.ts';

export type WatchedPostgres = {
  /** Of the server, with its superuser: for nobody but who runs it. */
  readonly url: string;
  /** Of one of its databases, with the role that owns that and may connect to no other. */
  urlOf(database: string): string;
  stop(timeoutMs: number): Promise<void>;
  /** Ends it at once; it recovers at the next start. */
  kill(): void;
};

/** Runs the embedded PostgreSQL of an installation; when it ends unasked it is started again at the same address. */
export async function watchPostgres(dataDir: string, databases: readonly string[], log: Log): Promise<WatchedPostgres> {
  const options = { dataDir: join(dataDir, 'postgres'), tell: (text: string) => log.warn(text) };
  let server = await startEmbeddedPostgres(options);
  let stopping = false;
  const { url, socketUrl } = server;
  const port = Number(new URL(url).port);
  const watch = (running: EmbeddedPostgres): void => {
    void running.ended.then(async ({ code, signal }) => {
      for (let pause = 200; !stopping; pause = Math.min(pause * 2, 5_000)) {
        log.error(
          { code, signal },
          `PostgreSQL ended (${signal ?? `exit code ${code}`}), starting it again; its log is ${join(options.dataDir, 'server.log')}`,
        );
        await sleep(pause);
        if (stopping) return;
        try {
          server = await startEmbeddedPostgres({ ...options, port });
          if (stopping) return void server.stop();
          return watch(server);
        } catch (error) {
          log.error({ err: error }, 'PostgreSQL cannot be started');
        }
      }
    });
  };
  watch(server);
  const passwords = await ownDatabases(url, databases);
  return {
    url: socketUrl,
    urlOf(database) {
      const password = passwords.get(database);
      if (password === undefined) throw new Error(`There is no database ${database}.`);
      return ownUrl(socketUrl, database, password);
    },
    stop: (timeoutMs) => {
      stopping = true;
      return server.stop(timeoutMs);
    },
    kill: () => {
      stopping = true;
      try {
        process.kill(server.pid, 'SIGQUIT');
      } catch {
        /* it is gone */
      }
    },
  };
}
