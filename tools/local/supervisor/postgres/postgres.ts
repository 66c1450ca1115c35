import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@cadastre/service/log';
import { newPasswords, ownUrl, type Passwords } from '../../embedded-postgres/passwords.ts';
import { addressOf, type EmbeddedPostgres, startEmbeddedPostgres } from '../../embedded-postgres/start.ts';
import { freePort } from '../../processes/free-ports.ts';

/** The addresses of databases, known before the server runs, so that services can prepare meanwhile. */
export type PlannedPostgres = { readonly port: number; readonly passwords: Passwords; urlOf(database: string): string };

export async function planPostgres(dataDir: string, databases: readonly string[]): Promise<PlannedPostgres> {
  const port = await freePort();
  const passwords = newPasswords(databases);
  return { port, passwords, urlOf: urlsOf(addressOf(join(dataDir, 'postgres'), port), passwords) };
}

/** The URL of one database, for the role that owns it and may connect to no other. */
const urlsOf =
  (server: string, passwords: Passwords) =>
  (database: string): string => {
    const password = passwords.get(database);
    if (password === undefined) throw new Error(`There is no database ${database}.`);
    return ownUrl(server, database, password);
  };

export type WatchedPostgres = {
  /** That of the plan, unless another program has taken it meanwhile. */
  readonly port: number;
  /** Of the server, with its superuser: only for the process that runs it. */
  readonly url: string;
  /** Of one of its databases, with the role that owns that and may connect to no other. */
  urlOf(database: string): string;
  stop(timeoutMs: number): Promise<void>;
  /** Ends it at once; it recovers at the next start. */
  kill(): void;
};

/**
 * Runs the embedded PostgreSQL of an installation, with the databases of the plan, which `own` makes; when it ends
 * unasked it is started again at the same address.
 */
export async function watchPostgres(
  dataDir: string,
  planned: PlannedPostgres,
  own: (server: string, passwords: Passwords) => Promise<void>,
  log: Log,
): Promise<WatchedPostgres> {
  const options = { dataDir: join(dataDir, 'postgres'), tell: (text: string) => log.warn(text) };
  const choices = [planned.port];
  let server = await startEmbeddedPostgres(options, async () => choices.shift() ?? freePort());
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
  await own(url, planned.passwords);
  return {
    port,
    url: socketUrl,
    urlOf: urlsOf(socketUrl, planned.passwords),
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
