import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Here } from './neighbours.ts';

/** Statuses of answers without a body (RFC 9110): `Response` takes none for them, not even an empty one. */
const bodiless = new Set([204, 205, 304]);

/** They listen nowhere: connections are put into them. */
const servers = new WeakMap<RequestListener, Server>();

function serverOf(listener: RequestListener): Server {
  let server = servers.get(listener);
  if (!server) servers.set(listener, (server = createServer(listener)));
  return server;
}

/** Asks a service of this process, as `fetch` asks others: by HTTP, over a connection in memory. */
export async function localFetch(
  here: Pick<Here, 'http' | 'inside'> | undefined,
  path: string,
  { method = 'GET', headers, body, signal }: RequestInit = {},
): Promise<Response> {
  if (!here) throw new TypeError('the service does not answer yet, or no longer');
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('a body must be a text or bytes');
  const [ours, theirs] = duplexPair();
  here.inside(() => serverOf(here.http).emit('connection', theirs));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(
      {
        method,
        path,
        createConnection: () => ours,
        headers: {
          host: 'localhost',
          ...Object.fromEntries(new Headers(headers)),
          // Said by hand: of a DELETE, Node says neither that it has a body nor how long that is.
          ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
          connection: 'close',
        },
        ...(signal ? { signal } : {}),
      },
      resolve,
    );
    asked.once('error', reject).end(body ?? undefined);
  });
  const { statusCode: status = 500 } = answer;
  const bytes = await buffer(answer);
  const given = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) given.append(name, value);
  return new Response(bodiless.has(status) ? null : new Uint8Array(bytes), { status, headers: given });
}
