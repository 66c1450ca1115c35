import ipaddr from 'ipaddr.js';

/** IP addresses and networks as numbers. An address is a bigint, so that IPv6 is exact. */

export type IpFamily = 4 | 6;

/** An address with the length of its mask: a network when no host bit is set. */
export interface Network {
  family: IpFamily;
  address: bigint;
  length: number;
}

/** Addresses from the first to the last, both included. */
export interface Span {
  first: bigint;
  last: bigint;
}

/** Bits of an address. */
export const bitsOf = (family: IpFamily): 32 | 128 => (family === 4 ? 32 : 128);

/**
 * An address in text form as a number; undefined when it is not an address. Zones, octal digits and short forms are not accepted.
 */
export function addressOf(text: string): { family: IpFamily; address: bigint } | undefined {
  const four = ipaddr.IPv4.isValidFourPartDecimal(text);
  if (!four && (text.includes('%') || !ipaddr.IPv6.isValid(text))) return undefined;
  // The usual case, and there may be thousands in a request: numbers of 32 bits need no bigint on the way.
  if (four) return { family: 4, address: BigInt(text.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)) };
  let address = 0n;
  for (const byte of ipaddr.parse(text).toByteArray()) address = (address << 8n) | BigInt(byte);
  return { family: 6, address };
}

/** `10.0.0.1/24`, `10.0.0.1/255.255.255.0`, or an address alone, which means that one host. */
export function networkOf(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const parsed = addressOf(slash < 0 ? text : text.slice(0, slash));
  if (!parsed) return undefined;
  const length = slash < 0 ? bitsOf(parsed.family) : lengthOf(text.slice(slash + 1), parsed.family);
  return length === undefined ? undefined : { ...parsed, length };
}

function lengthOf(text: string, family: IpFamily): number | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text) <= bitsOf(family) ? Number(text) : undefined;
  const mask = addressOf(text);
  if (!mask || mask.family !== family) return undefined;
  // A netmask is ones and then zeros; a host mask the other way round.
  const all = (1n << BigInt(bitsOf(family))) - 1n;
  for (const zeros of [all ^ mask.address, mask.address]) {
    if ((zeros & (zeros + 1n)) === 0n) return bitsOf(family) - (zeros === 0n ? 0 : zeros.toString(2).length);
  }
  return undefined;
}

/** An address as text, in its shortest form. */
export function addressText(family: IpFamily, address: bigint): string {
  if (family === 4) {
    const number = Number(address);
    return `${(number >>> 24) & 255}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
  }
  const bytes: number[] = [];
  for (let shift = BigInt(bitsOf(family)) - 8n; shift >= 0n; shift -= 8n)
    bytes.push(Number((address >> shift) & 0xffn));
  return ipaddr.fromByteArray(bytes).toString();
}

export const networkText = ({ family, address, length }: Network): string =>
  `${addressText(family, address)}/${length}`;

/** How many addresses a network of this length has. */
export const sizeOf = (family: IpFamily, length: number): bigint => 1n << BigInt(bitsOf(family) - length);

/** The first and the last address of the network that an address with its mask lies in. */
export function spanOf({ family, address, length }: Network): Span {
  const size = sizeOf(family, length);
  const first = address - (address % size);
  return { first, last: first + size - 1n };
}

/**
 * The addresses that hosts in a network can have. The first one stands for the network itself (in IPv6 for its routers),
 * the last one of IPv4 for all hosts in it; networks of one or two addresses have neither.
 */
export function hostsOf(network: Network): Span {
  const { first, last } = spanOf(network);
  if (bitsOf(network.family) - network.length <= 1) return { first, last };
  return { first: first + 1n, last: network.family === 6 ? last : last - 1n };
}

/** The fewest networks that make up a span, in order: from its start, always the largest that is aligned and fits. */
export function networksOf(family: IpFamily, { first, last }: Span): Network[] {
  const networks: Network[] = [];
  const bits = bitsOf(family);
  for (let at = first; at <= last; ) {
    let length = bits;
    while (length > 0) {
      const size = sizeOf(family, length - 1);
      if (at % size !== 0n || at + size - 1n > last) break;
      length -= 1;
    }
    networks.push({ family, address: at, length });
    at += sizeOf(family, length);
  }
  return networks;
}

/** What of a span none of the others covers. The others come in order of their first address. */
export function* gaps(span: Span, taken: Iterable<Span>): Generator<Span> {
  let at = span.first;
  for (const { first, last } of taken) {
    if (first > span.last) break;
    if (first > at) yield { first: at, last: first - 1n };
    if (last >= at) at = last + 1n;
  }
  if (at <= span.last) yield { first: at, last: span.last };
}
