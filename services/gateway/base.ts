import type { IncomingMessage } from 'node:http';
import { within } from './addresses.ts';

/** What may stand in a URL between `//` and the path; keeps a crafted Host header out of every link that we write. */
const authority = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const first = (value: string | string[] | undefined) => (value === undefined ? undefined : String(value).split(',', 1)[0]!.trim());

/**
 * The address that the client used, such as `https://cadastre.example:8443`, for absolute URLs in answers. What a
 * proxy says about it counts only when the connection comes from one of `trustedProxies`. Null for an unusable Host.
 */
export function baseAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string | null {
  const trusted = within(trustedProxies);
  return (req) => {
    const { headers, socket } = req;
    let proto = 'encrypted' in socket && socket.encrypted ? 'https' : 'http';
    // HTTP/1.0 clients may leave Host out.
    let host = headers.host ?? `${socket.localAddress?.includes(':') ? `[${socket.localAddress}]` : socket.localAddress}:${socket.localPort}`;
    const forwarded = headers['x-forwarded-host'] !== undefined || headers['x-forwarded-proto'] !== undefined;
    if (forwarded && trusted(socket.remoteAddress ?? '')) {
      host = first(headers['x-forwarded-host']) ?? host;
      const said = first(headers['x-forwarded-proto'])?.toLowerCase();
      if (said === 'http' || said === 'https') proto = said;
    }
    return authority.test(host) ? `${proto}://${host}` : null;
  };
}
