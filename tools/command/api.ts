/**
 * Sends requests to the API at an address. A path may have a query; the result is the parsed JSON, or undefined for an
 * empty answer.
 * @throws Error that shows the answer when its status is not a success
 */
export const senderTo =
  (base: string, authorization: string) =>
  async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 1000)}`);
    return text ? (JSON.parse(text) as unknown) : undefined;
  };

/** How long an answer may take, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Numbers from 1 to n. */
export const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
