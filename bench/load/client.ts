import { senderTo } from '../../tools/command/api.ts';

/** A tiny API client for the benchmark. */
export interface Client {
  base: string;
  token: string;
  send(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** @throws Error with the answer's body when it is no success */
export const client = (base: string, token: string): Client => ({
  base,
  token,
  send: senderTo(base, `Token ${token}`),
});
