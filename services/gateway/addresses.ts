import { isIP } from 'node:net';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** A socket on `::` sees IPv4 clients as `::ffff:192.0.2.1`; everyone else writes `192.0.2.1`. */
const plain = (address: string) => (address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address);

/** An address as proxies write it: perhaps with a port, perhaps in brackets. Null when it is none. */
export function addressIn(text: string): string | null {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) ? plain(bare) : null;
}

/**
 * Finds the client's address: the first of the named headers that is present decides, even when it holds no address
 * (then the address is unknown, rather than one that somebody else chose); without any, or where the list says
 * `remote-addr`, it is the connection's.
 */
export function clientAddress(names: readonly string[]): (headers: IncomingHttpHeaders, remote: string | undefined) => string | null {
  return (headers, remote) => {
    for (const name of names) {
      if (name === 'remote-addr') break;
      const value = headers[name];
      if (value !== undefined) return addressIn(String(value).split(',', 1)[0]!.trim());
    }
    return addressIn(remote ?? '');
  };
}

/** Where a request comes from as far as that can be believed: headers count only when a trusted proxy sends them. */
export function believedAddress(headers: readonly string[], trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const said = clientAddress(headers), trusted = within(trustedProxies);
  return ({ headers: given, socket: { remoteAddress = '' } }) => (trusted(remoteAddress) ? said(given, remoteAddress) : null) ?? remoteAddress;
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Compiles a list of addresses, prefixes and names (`loopback`, `linklocal`, `uniquelocal`) to a test. Any other entry matches nothing. */
export function within(list: readonly string[]): (address: string) => boolean {
  const ranges = list.flatMap((text) => named[text] ?? [text]).flatMap((text) => range(text) ?? []);
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
