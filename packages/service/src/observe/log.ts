import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../settings/config.ts';
import { prettyLine } from './pretty.ts';
import { limitRepeats } from './repeats.ts';
import { currentRequestId } from '../request/request-context.ts';

export { currentRequestId, withRequestId } from '../request/request-context.ts';

export type Log = Logger;

const secretPaths = ['password', 'token', 'key', 'secret', 'pepper', 'authorization', 'cookie', 'plaintext'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
);

/**
 * The logger of one process: JSON lines (or readable ones) with the service's name and the request's id. The same error
 * is logged at most once a second.
 */
export function createLog(
  name: string,
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  destination?: DestinationStream,
): Log {
  const out = destination ?? pino.destination({ dest: 1, sync: true });
  return pino(
    {
      level: config.logLevel,
      base: { service: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { logMethod: limitRepeats() },
      redact: { paths: secretPaths, censor: '********' },
      mixin: () => {
        const id = currentRequestId();
        return id === undefined ? {} : { request_id: id };
      },
    },
    config.logFormat === 'pretty' ? { write: (line: string) => out.write(prettyLine(line)) } : out,
  );
}
