import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';

export interface RequestOptions {
  /** The value of the header Authorization. */
  authorization: string;
  /** How often a request is repeated that was not answered, or was answered with 429 or 5xx. */
  retries?: number;
  /** How long the first pause is, in milliseconds; each is twice as long as the one before, up to a minute. */
  pauseMs?: number;
  /** For a whole answer, in milliseconds, so that an answer that never ends does not block a move. */
  timeoutMs?: number;
  /** The largest answer in bytes, decompressed. */
  maxBytes?: number;
}

/** How one side of a move reports failed requests. */
export interface Failing {
  /** @param status of a refusal; undefined without an answer */
  failure(message: string, status?: number, cause?: unknown): Error;
  /** The part of a refusal's text that goes into messages. */
  told(text: string): string;
}

/** Sends a request until it is answered. @throws what `failure` makes */
export type Send = (method: string, path: string, body?: string) => Promise<Buffer>;

const LONGEST_PAUSE_MS = 60_000;
/** The default limit of one answer in bytes, decompressed: a page of a thousand objects has a few million. */
export const ANSWER_MAX_BYTES = 256 * 1024 * 1024;
/** How much of the text of a refusal is read. */
const REFUSAL_BYTES = 64 * 1024;
/** Long enough to see what went wrong, short enough for a line. */
export const SHOWN = 300;

/** Requests to one of the two installations of a move. Bodies are JSON. */
export function requestsTo(
  base: string,
  { authorization, retries = 8, pauseMs = 500, timeoutMs = 120_000, maxBytes = ANSWER_MAX_BYTES }: RequestOptions,
  { failure, told }: Failing,
): Send {
  async function answerTo(method: string, path: string, body: string | undefined) {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { ok, status, headers } = response;
    const { bytes, isWhole } = await beginningOf(response, ok ? maxBytes : REFUSAL_BYTES);
    return { ok, status, after: headers.get('retry-after'), bytes, isTooLarge: ok && !isWhole };
  }

  const once = async (isLast: boolean, ...[method, path, body]: Parameters<Send>): Promise<Buffer> => {
    const { ok, status, after, bytes, isTooLarge } = await answerTo(method, path, body).catch((error: Error) => {
      throw failure(`${base} does not answer (${method} ${path}: ${reasonOf(error)})`, undefined, error);
    });
    // It would be as large the next time.
    if (isTooLarge)
      throw new AbortError(
        failure(`${method} ${base}${path} was answered with more than ${maxBytes} bytes (--max-answer)`, status),
      );
    if (ok) return bytes;
    const refused = failure(`${method} ${base}${path} was answered with ${status}: ${told(bytes.toString())}`, status);
    if (status !== 429 && status < 500) throw new AbortError(refused);
    if (!isLast) await sleep(askedToWait(after));
    throw refused;
  };

  return (method, path, body) =>
    pRetry((attempt) => once(attempt > retries, method, path, body), {
      retries,
      minTimeout: pauseMs,
      maxTimeout: LONGEST_PAUSE_MS,
      randomize: true,
    });
}

/**
 * The first bytes of an answer, decompressed as they arrive; the rest is neither awaited nor decompressed. The server
 * is not trusted, and a little compressed data may become any amount.
 */
async function beginningOf({ body }: Response, most: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), isWhole: false };
  }
  return { bytes: Buffer.concat(chunks, size), isWhole: true };
}

/** fetch gives the reason of a failed connection in the cause. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

/** In milliseconds, from the header Retry-After, which is in seconds; a minute at most. */
const askedToWait = (header: string | null): number =>
  header !== null && /^\d+$/.test(header) ? Math.min(Number(header) * 1000, LONGEST_PAUSE_MS) : 0;
