/** A tiny API client for the benchmark. */
export interface Client { base: string; token: string; send(method: string, path: string, body?: unknown): Promise<unknown> }

/** @throws Error with the answer's body when it is no success */
export function client(base: string, token: string): Client {
  return {
    base, token,
    async send(method, path, body) {
      const response = await fetch(base + path, {
        method, headers: { authorization: `Token ${token}`, 'content-type': 'application/json' }, ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} → ${response.status} ${text.slice(0, 500)}`);
      return text ? JSON.parse(text) : undefined;
    },
  };
}

/** Numbers from 1 to n. */
export const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
