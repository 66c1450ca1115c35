import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { basic } from './url-credentials.ts';

/** A proxy that connects on our behalf. */
export interface WebProxy {
  url: URL;
  /**
   * The proxy resolves names; otherwise they are resolved here, so that the address can be checked, and the proxy is
   * given that.
   */
  resolves: boolean;
}

/** The proxy cannot be reached, or refuses. */
class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

/** A connection through a proxy to `host:port`, by CONNECT, whatever is spoken over it. */
export const tunnel = ({ url }: WebProxy, authority: string, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const credentials = url.username === '' ? {} : { 'Proxy-Authorization': basic(url) };
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const asked = send({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...credentials },
      agent: false,
    });
    const timer = setTimeout(
      () =>
        asked.destroy(
          Object.assign(new ProxyError(`The proxy did not connect within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }),
        ),
      timeoutMs,
    );
    asked.on('connect', (answer, socket, head) => {
      clearTimeout(timer);
      if (answer.statusCode !== 200) {
        socket.destroy();
        reject(new ProxyError(`The proxy answered ${answer.statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    asked.on('response', (answer) => {
      answer.destroy();
      asked.destroy(new ProxyError(`The proxy answered ${answer.statusCode}`));
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(
        error instanceof ProxyError
          ? error
          : Object.assign(
              new ProxyError(`The proxy cannot be reached: ${error.message}`),
              error.code ? { code: error.code } : {},
            ),
      );
    });
    asked.end();
  });
