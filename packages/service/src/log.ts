import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { prettyLine } from './pretty.ts';

export type Log = Logger;

const requests = new AsyncLocalStorage<string>();

/** The id of the request that this code runs for, if any. */
export const currentRequestId = (): string | undefined => requests.getStore();

/** Runs `work` for a request: its log lines and its calls to other services carry the id. */
export const withRequestId = <T>(id: string, work: () => T): T => requests.run(id, work);

const secretPaths = ['password', 'token', 'key', 'secret', 'pepper', 'authorization', 'cookie', 'plaintext'].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** The logger of one process: JSON lines (or readable ones) with the service's name and the request's id. */
export function createLog(name: string, config: Pick<Config, 'logLevel' | 'logFormat'>, destination?: DestinationStream): Log {
  const out = destination ?? pino.destination({ dest: 1, sync: true });
  return pino(
    {
      level: config.logLevel,
      base: { service: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: '********' },
      mixin: () => {
        const id = requests.getStore();
        return id === undefined ? {} : { request_id: id };
      },
    },
    config.logFormat === 'pretty' ? { write: (line: string) => out.write(prettyLine(line)) } : out,
  );
}
