import { createServer, request as requestTo } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIdentitySigner, type Identity, identityHeader } from '@cadastre/service/identity';
import type { SigningKey } from '@cadastre/service/key-pairs';

export interface Front {
  readonly base: string;
  close(): Promise<void>;
}

/** How long a signed identity is valid, in seconds. */
const TTL = 30;

/**
 * Replaces the gateway: services trust only what it has signed, and for some seconds only. All requests to the front
 * are forwarded to the service on behalf of one user.
 */
export async function startFront(to: string, as: Identity, key: SigningKey, port: number): Promise<Front> {
  const sign = createIdentitySigner(key, TTL);
  const server = createServer(async (request, response) => {
    const { method, headers, url } = request;
    const base = `http://${headers.host ?? 'localhost'}`;
    const onward = requestTo(
      new URL(url!, to),
      { method: method!, headers: { ...headers, [identityHeader]: await sign(as), 'x-cadastre-base': base } },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', (error) => {
      if (!response.headersSent) response.writeHead(502);
      response.end(`${error.message}\n`);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
