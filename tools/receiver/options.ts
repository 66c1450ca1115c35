import { parseArgs } from 'node:util';

export interface ReceiverOptions {
  port: number;
  host: string;
  /** One JSON object on each line instead of text for people. */
  json: boolean;
  /** Answer with this status. */
  status: number;
  delayMs: number;
  /** Verify signatures with it. */
  secret: string | null;
  /** The system whose webhooks it waits for. */
  url: string | undefined;
  help: boolean;
}

export const help = `Prints the headers and the body of every request that it gets, to see webhooks arrive.

  npm run receiver -- [options]

  --port 9000       the port to listen on
  --host 127.0.0.1  the address to listen on
  --json            one JSON object for each request
  --fail 500        answer with this status
  --delay 2s        wait before answering (ms, s or m; at most an hour)
  --secret TEXT     verify X-Hook-Signature and the signatures of Standard Webhooks
  --url ADDRESS     the system whose webhooks you wait for; otherwise the one that npm start runs on DATA_DIR
`;

/** The command line cannot be used; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 };
const longestMs = 3_600_000;

/** @throws UsageError */
export function readOptions(args: readonly string[]): ReceiverOptions {
  let values: Partial<Record<'port' | 'host' | 'fail' | 'delay' | 'secret' | 'url', string>> & {
    json?: boolean;
    help?: boolean;
  };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        fail: { type: 'string' },
        delay: { type: 'string' },
        secret: { type: 'string' },
        url: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const delay = /^(\d{1,7})(ms|s|m)?$/.exec(values.delay ?? '0');
  if (!delay) throw new UsageError(`--delay must be like 500ms, 2s or 1m, not ${values.delay}`);
  const delayMs = Number(delay[1]) * (units[delay[2] ?? 'ms'] ?? 1);
  if (delayMs > longestMs) throw new UsageError(`--delay must be an hour at most, not ${values.delay}`);
  return {
    port: whole('--port', values.port ?? '9000', 0, 65_535),
    host: values.host ?? '127.0.0.1',
    json: values.json ?? false,
    status: whole('--fail', values.fail ?? '200', 200, 599),
    delayMs,
    secret: values.secret ?? null,
    url: values.url,
    help: values.help ?? false,
  };
}

function whole(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value) || value < min || value > max)
    throw new UsageError(`${name} must be a number from ${min} to ${max}, not ${text}`);
  return value;
}
