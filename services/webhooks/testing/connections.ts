import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type createServer as createTcpServer, isIP, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { afterEach } from '@jest/globals';
import { certificateFile } from '../../../tools/testing/certificates/index.ts';
import { type ConnectorOptions, createAgents, type TlsOptions } from '../http/connect/connector.ts';
import { createPolicy, type PolicyOptions } from '../http/connect/policy.ts';
import type { Lookup } from '../http/connect/resolve.ts';
import { type Outcome, send } from '../http/send.ts';

export const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export const secure = () =>
  listening(
    createTlsServer(
      { key: readFileSync(certificateFile('server.key')), cert: readFileSync(certificateFile('server.pem')) },
      (request, response) => {
        request.resume();
        response.end(`hello ${request.headers.host}`);
      },
    ),
  );

export const plain = (answer = 'hello') =>
  listening(
    createServer((request, response) => {
      request.resume();
      response.end(`${answer} ${request.headers.host}`);
    }),
  );

/** Names to addresses; each look-up of a name gives the next. */
export function names(table: Record<string, string[][]>): Lookup {
  const asked = new Map<string, number>();
  return (host, _, done) => {
    const all = table[host];
    const turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    if (!all) return done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), []);
    done(
      null,
      all[Math.min(turn, all.length - 1)]!.map((address) => ({ address, family: isIP(address) })),
    );
  };
}

interface Attempt {
  policy?: Partial<PolicyOptions>;
  tls?: Partial<TlsOptions>;
  connector?: Partial<ConnectorOptions>;
  maxRedirects?: number;
}

export function sender({
  policy = {},
  tls = {},
  connector = {},
  maxRedirects = 0,
}: Attempt = {}): (url: string) => Promise<Outcome> {
  const agents = createAgents({
    policy: createPolicy({ allowPrivate: true, allow: [], deny: [], allowOnly: false, ...policy }),
    connectTimeoutMs: 2_000,
    connections: 4,
    caDir: dirname(certificateFile('ca.pem')),
    ...connector,
  });
  closing.push(() => agents.close());
  return (url) =>
    send(
      {
        method: 'POST',
        url: new URL(url),
        headers: [],
        body: Buffer.from('{}'),
        tls: { verify: true, caFile: null, ...tls },
      },
      { agents, totalTimeoutMs: 10_000, maxResponseBytes: 100, maxRedirects },
    );
}
