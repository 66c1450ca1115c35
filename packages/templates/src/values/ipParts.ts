// What templates ask of an address with its mask, as netaddr's networks answer it: `primary_ip4.address.ip`.
import { addressText, bitsOf, type Network, networkOf, sizeOf, spanOf } from '@cadastre/model/network';

const hostsOf = ({ family, length }: Network): bigint => sizeOf(family, length) - 1n;
const all = (family: Network['family']): bigint => (1n << BigInt(bitsOf(family))) - 1n;

const parts: Readonly<Record<string, (network: Network) => unknown>> = {
  ip: ({ family, address }) => addressText(family, address),
  prefixlen: ({ length }) => length,
  version: ({ family }) => family,
  network: (network) => addressText(network.family, spanOf(network).first),
  netmask: (network) => addressText(network.family, all(network.family) - hostsOf(network)),
  hostmask: (network) => addressText(network.family, hostsOf(network)),
  broadcast: (network) => (network.family === 4 && network.length < 31 ? addressText(4, spanOf(network).last) : null),
  cidr: (network) => `${addressText(network.family, spanOf(network).first)}/${network.length}`,
};

/** The longest text that can be an address with its mask. */
const longest = 96;

/** A part of an address that is written as a text; undefined for other texts and other names. */
export function ipPart(text: string, name: string): unknown {
  if (!Object.hasOwn(parts, name) || text.length > longest) return undefined;
  const network = networkOf(text);
  return network && parts[name]!(network);
}
