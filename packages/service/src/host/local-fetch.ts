import type { InjectOptions } from 'light-my-request';
import type { Here } from './neighbours.ts';

/** Bodies of answers without one (RFC 9110): `Response` takes none for them, not even an empty one. */
const bodiless = new Set([101, 204, 205, 304]);

/** Asks a service of this process, as `fetch` asks others. */
export async function localFetch(
  here: Pick<Here, 'http' | 'inside'> | undefined,
  path: string,
  { method = 'GET', headers, body, signal }: RequestInit = {},
): Promise<Response> {
  if (!here) throw new TypeError('the service does not answer yet, or no longer');
  const asked: InjectOptions = {
    method: method as NonNullable<InjectOptions['method']>,
    url: path,
    headers: Object.fromEntries(new Headers(headers)),
    ...(typeof body === 'string' ? { payload: body } : {}),
    ...(signal ? { signal } : {}),
  };
  // Loaded only where it is needed.
  const { inject } = await import('light-my-request');
  const { statusCode, rawPayload, headers: given } = await here.inside(() => inject(here.http as never, asked));
  const answered = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of [value].flat()) if (one !== undefined) answered.append(name, String(one));
  return new Response(bodiless.has(statusCode) ? null : new Uint8Array(rawPayload), {
    status: statusCode,
    headers: answered,
  });
}
