/** What an answer may be like that comes from a provider. */
export interface FetchLimits {
  timeoutMs: number;
  maxBytes: number;
}

type Init = Omit<RequestInit, 'body'> & { body?: unknown };

/** The headers of an answer that are used. */
const KEPT = ['content-type', 'cache-control', 'www-authenticate'];
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * `fetch` without redirects, with a timeout and a limit of size. @throws Error for an answer that is too large or too
 * late
 */
export const limitedFetch =
  ({ timeoutMs, maxBytes }: FetchLimits) =>
  async (url: string, { signal, ...init }: Init): Promise<Response> => {
    const late = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, {
      ...(init as RequestInit),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    });
    const body = await bytesOf(response, maxBytes);
    const headers = KEPT.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return new Response(WITHOUT_BODY.has(response.status) ? null : body, { status: response.status, headers });
  };

async function bytesOf({ body }: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error closes the connection.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most) throw new Error(`the answer of the provider is larger than ${most} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
