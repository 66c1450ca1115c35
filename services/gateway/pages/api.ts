import { randomUUID } from 'node:crypto';
import { HttpError, unavailable } from '@cadastre/service/errors';
import { identityHeader } from '@cadastre/service/identity';
import type { PeerFetch } from '@cadastre/service/peer-http';
import { unseenHeader } from '@cadastre/service/written';
import type { Admitted } from '../admission.ts';
import type { Operations } from '../operations/operation.ts';
import { pathOf, type Route } from '../routes.ts';
import { takeNote, type Unseen } from '../unseen.ts';

/** The API as one user sees it: the same services decide the same things as for that user's own requests. */
export interface Api {
  /** @throws HttpError as the API refuses it */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  remove(path: string): Promise<void>;
}

export interface ApiOptions {
  find(path: string): Route | null;
  fetch: PeerFetch;
  operations: Operations;
  timeoutMs: number;
  unseen: Unseen;
}

/** Asks services, and what this process answers itself, in somebody's name. */
export const apiOf =
  ({ find, fetch, operations, timeoutMs, unseen }: ApiOptions) =>
  (admitted: Admitted, requestId: string = randomUUID()): Api => {
    async function ask(method: string, url: string, body?: unknown): Promise<unknown> {
      const path = pathOf(url) ?? '';
      if (operations.covers(path)) return (await operations.ask(admitted, method, url)).body;
      const service = find(path)?.service;
      if (service === undefined) throw new HttpError(404, { detail: 'Not found.' });
      const before = unseen.for(service);
      const response = await fetch(service, url, {
        method,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          accept: 'application/json',
          'x-request-id': requestId,
          [identityHeader]: admitted.signed,
          'x-cadastre-client-ip': admitted.clientIp,
          'x-cadastre-base': admitted.base,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(before === undefined ? {} : { [unseenHeader]: before }),
        },
      }).catch(() => {
        throw unavailable(`The ${service} service is not available. Please try again.`);
      });
      takeNote(unseen, service, Object.fromEntries(response.headers));
      const text = await response.text();
      const answer: unknown = text === '' ? undefined : JSON.parse(text);
      if (!response.ok) throw new HttpError(response.status, answer);
      return answer;
    }
    return {
      get: <T>(path: string) => ask('GET', path) as Promise<T>,
      post: <T>(path: string, body: unknown = {}) => ask('POST', path, body) as Promise<T>,
      remove: async (path) => {
        await ask('DELETE', path);
      },
    };
  };

/** What an API refusal says, by field; what is about none is under the empty name. */
export function problemsOf(error: HttpError): Record<string, string> {
  const body = (typeof error.body === 'object' && error.body !== null ? error.body : {}) as Record<string, unknown>;
  const text = (value: unknown): string =>
    Array.isArray(value)
      ? value.map(text).join(' ')
      : typeof value === 'object' && value !== null
        ? Object.values(value).map(text).join(' ')
        : String(value);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      ['detail', 'non_field_errors', '__all__'].includes(name) ? '' : name,
      text(value),
    ]),
  );
}
