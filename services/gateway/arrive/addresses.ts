import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/** How a socket on `::` sees `192.0.2.1`. Most requests come so. */
const mapped = /^::ffff:(?=\d+\.[\d.]+$)/;

/** Normalizes an address, so that different spellings are one client. */
function plain(address: string): string {
  const v4 = address.replace(mapped, '');
  return v4.includes(':') ? ipaddr.process(v4).toString() : v4;
}

/** An address as proxies write it: perhaps with a port, perhaps in brackets. Null when it is not an address. */
export function addressIn(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) ? plain(bare) : null;
}

/** Finds where a request comes from; null when that cannot be known. */
export type ClientAddress = (headers: IncomingHttpHeaders, remote: string | undefined) => string | null;

/**
 * The one place that determines a client's address. Anybody can send a header, so headers count only if the connection
 * comes from a trusted proxy. Then the first of the configured headers that is present decides; if there is none, or
 * the list says `remote-addr`, the address of the connection is used.
 *
 * Proxies append to a list, and the client may have invented the entries before. So a list is read from its end, up to
 * the first address that is not a trusted proxy; if all are, the client is the first of them. If an entry on the way is
 * not an address, the client is unknown, as the entries before it cannot be trusted.
 */
export function clientAddress(names: readonly string[], trustedProxies: readonly string[]): ClientAddress {
  const trusted = within(trustedProxies);
  const believed = names.slice(0, names.includes('remote-addr') ? names.indexOf('remote-addr') : undefined);
  return (headers, remote = '') => {
    for (const name of believed) {
      const value = headers[name];
      if (value !== undefined) return trusted(remote) ? fromEnd(String(value).split(','), trusted) : addressIn(remote);
    }
    return addressIn(remote);
  };
}

function fromEnd(entries: readonly string[], trusted: (address: string) => boolean): string | null {
  let address: string | null = null;
  for (let i = entries.length - 1; i >= 0; i--) {
    address = addressIn(entries[i]!.trim());
    if (address === null || !trusted(address)) return address;
  }
  return address;
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Compiles a list of addresses, prefixes and names (`loopback`, `linklocal`, `uniquelocal`) to a test. Any other entry
 * matches nothing.
 */
export function within(list: readonly string[]): (address: string) => boolean {
  const ranges = list.flatMap((text) => named[text] ?? [text]).flatMap((text) => range(text) ?? []);
  return (text) => {
    if (ranges.length === 0 || !isIP(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
}

/** The number of bits before the IPv4 address in one that is written as IPv6. */
const MAPPED = 96;

function range(text: string): [[ipaddr.IPv4 | ipaddr.IPv6, number]] | null {
  if (ipaddr.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text);
    const six = network.kind() === 'ipv6' ? (network as ipaddr.IPv6) : undefined;
    return six?.isIPv4MappedAddress() && bits >= MAPPED ? [[six.toIPv4Address(), bits - MAPPED]] : [[network, bits]];
  }
  if (!isIP(text)) return null;
  const address = ipaddr.process(text);
  return [[address, address.kind() === 'ipv4' ? 32 : 128]];
}
