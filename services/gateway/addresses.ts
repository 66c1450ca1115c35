import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/** A socket on `::` sees IPv4 clients as `::ffff:192.0.2.1`; everyone else writes `192.0.2.1`. */
const plain = (address: string) => (address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address);

/** An address as proxies write it: perhaps with a port, perhaps in brackets. Null when it is none. */
export function addressIn(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) ? plain(bare) : null;
}

/**
 * Finds the client's address by the settings' list of places, in their order: `REMOTE_ADDR` is the connection, anything
 * else a header, written `X-Real-IP` or as WSGI does, `HTTP_X_REAL_IP`. A place that is present decides, even when it
 * holds no address: then the address is unknown, rather than one that somebody else chose.
 */
export function clientAddress(places: readonly string[]): (headers: IncomingHttpHeaders, remote: string | undefined) => string | null {
  const names = places.map((place) => (place === 'REMOTE_ADDR' ? null : place.replace(/^HTTP_/, '').replaceAll('_', '-').toLowerCase()));
  return (headers, remote) => {
    for (const name of names) {
      const value = name === null ? remote : headers[name];
      if (value === undefined) continue;
      return addressIn(String(value).split(',', 1)[0]!.trim());
    }
    return null;
  };
}

/** Compiles a list of addresses and prefixes to a test. An entry that is neither matches nothing. */
export function within(list: readonly string[]): (address: string) => boolean {
  const ranges = list.flatMap((text) => range(text) ?? []);
  return (text) => {
    if (ranges.length === 0 || !isIP(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
}

function range(text: string): [[ipaddr.IPv4 | ipaddr.IPv6, number]] | null {
  if (ipaddr.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text);
    return [[network, bits]];
  }
  if (!isIP(text)) return null;
  const address = ipaddr.process(text);
  return [[address, address.kind() === 'ipv4' ? 32 : 128]];
}
