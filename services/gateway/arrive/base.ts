import type { IncomingMessage } from 'node:http';
import { within } from './addresses.ts';

/** What may stand in a URL between `//` and the path; keeps a crafted Host header out of every link that we write. */
const authority = /^([A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const first = (value: string | string[] | undefined) =>
  value === undefined ? undefined : String(value).split(',', 1)[0]!.trim();

/** Why a request has no base address: its Host cannot stand in a URL, or is not one of our hosts. */
export type NoBase = 'unusable' | 'foreign';

export interface BaseOptions {
  trustedProxies: readonly string[];
  /** The hosts that we answer to, as in ALLOWED_HOSTS. */
  allowedHosts: readonly string[];
}

/**
 * The address that the client used, such as `https://cadastre.example:8443`, for absolute URLs in answers. What a
 * proxy says about it counts only when the connection comes from one of `trustedProxies`.
 */
export function baseAddress({
  trustedProxies,
  allowedHosts,
}: BaseOptions): (req: IncomingMessage) => URL['origin'] | NoBase {
  const trusted = within(trustedProxies);
  const allowed = hostTest(allowedHosts);
  return (req) => {
    const { headers, socket } = req;
    let proto = 'encrypted' in socket && socket.encrypted ? 'https' : 'http';
    // HTTP/1.0 clients may leave Host out.
    let host =
      headers.host ??
      `${socket.localAddress?.includes(':') ? `[${socket.localAddress}]` : socket.localAddress}:${socket.localPort}`;
    const forwarded = headers['x-forwarded-host'] !== undefined || headers['x-forwarded-proto'] !== undefined;
    if (forwarded && trusted(socket.remoteAddress ?? '')) {
      host = first(headers['x-forwarded-host']) ?? host;
      const said = first(headers['x-forwarded-proto'])?.toLowerCase();
      if (said === 'http' || said === 'https') proto = said;
    }
    const name = authority.exec(host)?.[1];
    return name === undefined ? 'unusable' : allowed(name) ? `${proto}://${host}` : 'foreign';
  };
}

/**
 * Whether a host (without port) is in the list, where `.example.com` stands for the domain and its subdomains, and `*`
 * for any host.
 */
export function hostTest(allowed: readonly string[]): (name: string) => boolean {
  if (allowed.includes('*')) return () => true;
  const exact = new Set(allowed.map((one) => (one.startsWith('.') ? one.slice(1) : one)));
  const domains = allowed.filter((one) => one.startsWith('.'));
  return (name) => {
    // A name may be written with the dot of the root at its end.
    const host = name.toLowerCase().replace(/\.$/, '');
    return exact.has(host) || domains.some((domain) => host.endsWith(domain));
  };
}
