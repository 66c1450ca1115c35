import type { Answer, Api, AskOptions } from '@cadastre/pages';
import { REAUTHENTICATION_REQUIRED } from '@cadastre/rest/core/reauthentication';
import { HttpError, unavailable } from '@cadastre/service/errors';
import { identityHeader } from '@cadastre/service/identity';
import type { PeerFetch, PeerHeaders } from '@cadastre/service/peer-http';
import {
  parsePositions,
  pendingHeader,
  type WritePosition,
  writtenHeader,
  positionTexts,
} from '@cadastre/service/write-positions';
import { ReauthenticationRequired } from './reauthenticationRequired.ts';

/** The API for one request. */
export interface RequestApi extends Api {
  /** The write positions of the request so far, for the next service that is asked. */
  written(): string;
  /** The answer unchanged, even when it is a refusal. @throws HttpError 404, 503 when the service does not answer */
  plain(method: string, path: string, options?: AskOptions): Promise<Plain>;
  /** The body of the answer as text. @throws HttpError if the API refuses the request */
  text(path: string, headers?: Record<string, string>): Promise<string>;
  /** The objects of one service that match a search text. @throws HttpError if the service refuses the request */
  found<T>(service: string, query: URLSearchParams): Promise<T>;
  /** A file that the API generates, as text. @throws HttpError if the API refuses the request */
  file(path: string): Promise<{ text: string; headers: PeerHeaders }>;
}

/** An answer, unchanged. */
export interface Plain {
  status: number;
  headers: PeerHeaders;
  text: string;
}

export interface ApiOptions {
  /** The service that answers for a path of the API. */
  serviceOf(path: string): string | undefined;
  fetch: PeerFetch;
  timeoutMs: number;
  /** Whether a request to `service` has to wait until it knows what was written in `owner`. */
  follows(owner: string, service: string): boolean;
}

/** The parts of the page request that the services need in order to answer. */
export interface Asking {
  identity: string;
  clientIp: string;
  base: string;
  requestId: string;
  /** What earlier requests had written, in any service. */
  pendingWrites: string | undefined;
}

/** Asks services in the name of the user who asked for the page. */
export function apiOf({ serviceOf, fetch, timeoutMs, follows }: ApiOptions): (asking: Asking) => RequestApi {
  return ({ identity, clientIp, base, requestId, pendingWrites }) => {
    const before = parsePositions(pendingWrites);
    const here: WritePosition[] = [];

    async function plain(
      method: string,
      path: string,
      body?: string | Uint8Array,
      headers?: Record<string, string>,
    ): Promise<Plain> {
      const service = serviceOf(path);
      if (service === undefined) throw new HttpError(404, { detail: 'Not found.' });
      return askOf(service, method, path, body, headers);
    }

    async function askOf(
      service: string,
      method: string,
      path: string,
      body?: string | Uint8Array,
      headers?: Record<string, string>,
    ): Promise<Plain> {
      const toSee = [...before, ...here].filter((one) => follows(one.service, service));
      const response = await fetch(service, path, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
        headers: {
          accept: 'application/json',
          'x-request-id': requestId,
          [identityHeader]: identity,
          'x-cadastre-client-ip': clientIp,
          'x-cadastre-base': base,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(toSee.length ? { [pendingHeader]: positionTexts(toSee) } : {}),
          ...headers,
        },
      }).catch(() => {
        throw unavailable(`The ${service} service is not available. Please try again.`);
      });
      here.push(...parsePositions(response.headers.get(writtenHeader) ?? undefined));
      return { status: response.status, headers: response.headers, text: await response.text() };
    }

    /** Like `plain`, but a refusal is thrown. */
    const working = async (...asked: Parameters<typeof plain>): Promise<Plain> => worked(await plain(...asked));

    /** Serialised as JSON, except for bytes. */
    const sentAs = (body: unknown): string | Uint8Array | undefined =>
      body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);

    async function ask<T>(method: string, path: string, { body, headers }: AskOptions = {}): Promise<Answer<T>> {
      const { status, headers: told, text } = await working(method, path, sentAs(body), headers);
      return { status, body: (text === '' ? undefined : JSON.parse(text)) as T, headers: told };
    }
    return {
      ask,
      plain: (method, path, { body, headers } = {}) =>
        plain(method, path, typeof body === 'string' ? body : sentAs(body), headers),
      found: async <T>(service: string, query: URLSearchParams) =>
        JSON.parse(worked(await askOf(service, 'GET', `/internal/found?${query}`)).text) as T,
      text: async (path, headers) => (await working('GET', path, undefined, headers)).text,
      file: (path) => working('GET', path),
      get: async <T>(path: string) => (await ask<T>('GET', path)).body,
      written: () => positionTexts(here),
    };
  };
}

function worked(answer: Plain): Plain {
  if (answer.status === 403 && answer.text.includes(REAUTHENTICATION_REQUIRED)) throw new ReauthenticationRequired();
  if (answer.status >= 400)
    throw new HttpError(answer.status, answer.text === '' ? undefined : JSON.parse(answer.text));
  return answer;
}
