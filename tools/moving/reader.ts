import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';
import type { Json } from './json.ts';

/** Reads the API of an installation, here or elsewhere. */
export interface Reader {
  /** Its address, without a slash at the end. */
  base: string;
  /** @param path with its query, beginning with `/api/`. @throws Unreadable when it stays without an answer */
  get(path: string): Promise<Json>;
}

/** A list or object that was not answered; the message says where, how often it was tried, and what came back. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly status: number | undefined;
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

export interface ReaderOptions {
  /** Of the header Authorization. */
  authorization: string;
  /** How often a request is sent again that was not answered, or with 429 or 5xx. */
  retries?: number;
  /** How long the first pause is, in milliseconds; each is twice as long as the one before, up to a minute. */
  pauseMs?: number;
  timeoutMs?: number;
}

const LONGEST_PAUSE_MS = 60_000;
/** Long enough to see what went wrong, short enough for a line. */
const SHOWN = 300;

export function readerOf(
  base: string,
  { authorization, retries = 8, pauseMs = 500, timeoutMs = 120_000 }: ReaderOptions,
): Reader {
  async function once(path: string): Promise<Json> {
    const { ok, status, headers, text } = await answerTo(path).catch((error: Error) => {
      throw new Unreadable(`${base} does not answer (GET ${path}: ${reasonOf(error)})`, undefined, error);
    });
    if (ok) return parsed(path, text);
    const refused = new Unreadable(`GET ${base}${path} was answered with ${status}: ${text.slice(0, SHOWN)}`, status);
    if (status !== 429 && status < 500) throw new AbortError(refused);
    await sleep(askedToWait(headers.get('retry-after')));
    throw refused;
  }

  async function answerTo(path: string) {
    const response = await fetch(base + path, {
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { ok, status, headers } = response;
    return { ok, status, headers, text: await response.text() };
  }

  const parsed = (path: string, text: string): Json => {
    try {
      return JSON.parse(text) as Json;
    } catch {
      throw new AbortError(
        new Unreadable(`GET ${base}${path} was answered with something that is no JSON: ${text.slice(0, SHOWN)}`),
      );
    }
  };

  return {
    base,
    get: (path) =>
      pRetry(() => once(path), {
        retries,
        minTimeout: pauseMs,
        maxTimeout: LONGEST_PAUSE_MS,
        randomize: true,
      }),
  };
}

/** What fetch says of a connection that fails is in the cause. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

/** In milliseconds, as the header Retry-After asks in seconds; no longer than a minute. */
const askedToWait = (header: string | null): number =>
  header !== null && /^\d+$/.test(header) ? Math.min(Number(header) * 1000, LONGEST_PAUSE_MS) : 0;
