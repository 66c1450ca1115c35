import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  at: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The requests to a path so far. */
  at(path: string): Received[];
  /** Answers with this status from now on. */
  answer(status: number): void;
  /** Leaves requests to a path without an answer until it is released. */
  hold(path: string): void;
  release(path: string): void;
  close(): Promise<void>;
}

/** Listens for webhook deliveries on a free port. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const held = new Map<string, ServerResponse[]>();
  let status = 200;
  const end = (response: ServerResponse) => response.writeHead(status).end('ok');
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        received.push({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
          at: Date.now(),
        });
        const waiting = held.get(request.url ?? '');
        if (waiting) waiting.push(response);
        else end(response);
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    answer: (next) => {
      status = next;
    },
    hold: (path) => {
      held.set(path, []);
    },
    release: (path) => {
      for (const response of held.get(path) ?? []) end(response);
      held.delete(path);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
