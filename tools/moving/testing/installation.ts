import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Thing } from '../json.ts';

/** Lists by their addresses, such as `/api/dcim/sites/`; `{base}` in a text stands for the server's address. */
export type Lists = Record<string, Thing[]>;

export interface Installation {
  base: string;
  /** The paths that were requested, with their queries. */
  asked: string[];
  close(): Promise<void>;
}

export interface InstallationOptions {
  lists: Lists;
  token: string;
  /** Whether lists can be read by ids, as in NetBox 4.6; otherwise `start` is ignored. */
  cursor?: boolean;
  mostAtOnce?: number;
  /** Answers a request instead, if it returns true. */
  instead?(request: IncomingMessage, response: ServerResponse, path: string): boolean;
}

/** Serves lists as NetBox does: the roots of the API, pages by offset or by ids, 401 without the token. */
export async function installation({
  lists,
  token,
  cursor = true,
  mostAtOnce = 1000,
  instead = () => false,
}: InstallationOptions): Promise<Installation> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://any');
    asked.push(request.url!);
    if (instead(request, response, pathname)) return;
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body).replaceAll('{base}', base));
    };
    if (request.headers.authorization !== `Token ${token}`) return send(401, { detail: 'Invalid token.' });
    const root = rootAt(lists, pathname);
    if (root) return send(200, root);
    const all = lists[pathname];
    if (!all) return send(404, { detail: 'Not found.' });
    const limit = Math.min(Number(searchParams.get('limit') ?? 50), mostAtOnce);
    const start = cursor ? searchParams.get('start') : null;
    const offset = Number(searchParams.get('offset') ?? 0);
    const left = start === null ? all.slice(offset) : all.toSorted(byId).filter((one) => idOf(one) >= Number(start));
    const results = left.slice(0, limit);
    const last = results.at(-1);
    const further = start === null || !last ? `offset=${offset + limit}` : `start=${idOf(last) + 1}`;
    const next = left.length > limit ? `{base}${pathname}?limit=${limit}&${further}` : null;
    send(200, { count: start === null ? all.length : null, next, previous: null, results });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const idOf = (object: Thing): number => Number(object['id']);
const byId = (a: Thing, b: Thing): number => idOf(a) - idOf(b);

/** The answer of the API at its root and at that of an app. */
function rootAt(lists: Lists, path: string): Thing | undefined {
  const names = [
    ...new Set(
      Object.keys(lists).flatMap((list) => (list.startsWith(path) ? [list.slice(path.length).split('/')[0]!] : [])),
    ),
  ];
  return path === '/api/' || (/^\/api\/[^/]+\/$/.test(path) && names.length > 0 && !lists[path])
    ? Object.fromEntries(names.map((name) => [name, `{base}${path}${name}/`]))
    : undefined;
}
