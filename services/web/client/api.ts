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
  /** What the request has written so far, for the next service that is asked. */
  written(): string;
  /** The answer as it is, refusals too. @throws HttpError 404, 503 where the service does not answer */
  plain(method: string, path: string, options?: AskOptions): Promise<Plain>;
  /** What is answered as text. @throws HttpError as the API refuses it */
  text(path: string, headers?: Record<string, string>): Promise<string>;
  /** What a service finds of its types that fits a text. @throws HttpError as the service refuses it */
  found<T>(service: string, query: URLSearchParams): Promise<T>;
  /** A file that the API makes, as text. @throws HttpError as the API refuses it */
  file(path: string): Promise<{ text: string; headers: PeerHeaders }>;
}

/** An answer as it came. */
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
  /** Whether the second service follows the first, and so has to wait for what was written there. */
  follows(owner: string, service: string): boolean;
}

/** Of the request for a page, as far as the services that are asked for it need them. */
export interface Asking {
  identity: string;
  clientIp: string;
  base: string;
  requestId: string;
  /** What had been written before, anywhere. */
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

    /** The same, where only what works is an answer. */
    const working = async (...asked: Parameters<typeof plain>): Promise<Plain> => worked(await plain(...asked));

    /** JSON, unless it is text or bytes already. */
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
