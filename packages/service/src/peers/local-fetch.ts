import type { ServerResponse } from 'node:http';
import { localRequest, localResponse } from './local-exchange.ts';
import type { LocalService } from './local-services.ts';

/** Headers of an answer, with the interface of those of `fetch`. */
export interface PeerHeaders extends Iterable<[name: string, value: string]> {
  get(name: string): string | null;
  getSetCookie(): string[];
}

/** An answer of another service, with the interface of `fetch`. */
export interface PeerAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: PeerHeaders;
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

const answerOf = (response: ServerResponse, bytes: Buffer): PeerAnswer => ({
  status: response.statusCode,
  ok: response.statusCode >= 200 && response.statusCode < 300,
  headers: headersOf(response),
  bytes: async () => bytes,
  text: async () => bytes.toString('utf8'),
  json: async () => JSON.parse(bytes.toString('utf8')),
});

function headersOf(response: ServerResponse): PeerHeaders {
  const valuesOf = (name: string): string[] => {
    const value = response.getHeader(name);
    return value === undefined ? [] : [value].flat().map(String);
  };
  return {
    get: (name) => (response.hasHeader(name) ? valuesOf(name).join(', ') : null),
    getSetCookie: () => valuesOf('set-cookie'),
    *[Symbol.iterator]() {
      for (const name of response.getHeaderNames().sort()) yield [name, valuesOf(name).join(', ')];
    },
  };
}

/** Header names in lower case, as Node has them in a request. */
const lower = (headers: RequestInit['headers']): Record<string, string> => {
  const all: Record<string, string> = {};
  const entries = headers instanceof Headers || Array.isArray(headers) ? headers : Object.entries(headers ?? {});
  for (const [name, value] of entries) all[name!.toLowerCase()] = String(value);
  return all;
};

/**
 * Calls a service of this process with the interface of `fetch`. The service gets a request and a response like those
 * of its server, but nothing is serialized as HTTP and parsed again: a page makes a dozen such calls.
 */
export async function localFetch(
  here: Pick<LocalService, 'http' | 'inside'> | undefined,
  path: string,
  { method = 'GET', headers, body, signal }: RequestInit = {},
): Promise<PeerAnswer> {
  if (!here) throw new TypeError('the service does not answer yet, or no longer');
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('a body must be a text or bytes');
  const given = {
    ...lower(headers),
    host: 'localhost',
    ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
  };
  const request = localRequest(method, path, given, body || undefined);
  const { response, written } = localResponse(request, signal);
  here.inside(() => here.http(request, response));
  return answerOf(response, await written);
}
