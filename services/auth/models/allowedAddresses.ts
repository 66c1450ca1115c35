import { fails, type Field, type Json, list, type Parsed } from '@cadastre/model';
import ipaddr from 'ipaddr.js';

/** An address or prefix with its mask: `10.0.0.1` is stored as `10.0.0.1/32`. */
function prefixOf(value: Json): Parsed {
  const text = typeof value === 'string' ? value.trim() : '';
  const [address, mask, ...more] = text.split('/') as [string, ...string[]];
  if (
    more.length ||
    !(ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && !address.includes('%')))
  )
    return fails(wrong(value));
  const longest = address.includes(':') ? 128 : 32;
  if (mask !== undefined && (!/^\d{1,3}$/.test(mask) || Number(mask) > longest)) return fails(wrong(value));
  return { value: `${written(address)}/${mask === undefined ? longest : Number(mask)}` };
}

/** As short as it can be; an address of IPv4 inside one of IPv6 is written as such, as the reference writes it. */
function written(text: string): string {
  const address = ipaddr.parse(text);
  const six = address.kind() === 'ipv6' ? (address as ipaddr.IPv6) : undefined;
  return six?.isIPv4MappedAddress() ? `::ffff:${six.toIPv4Address().toString()}` : address.toString();
}

const wrong = (value: Json): string =>
  `${typeof value === 'string' ? value : JSON.stringify(value)} is not a valid IP address or prefix.`;

/** Addresses and prefixes from which a token may be used; none means all. Shape: array of strings. */
export const allowedAddresses = (): Field =>
  list({
    element: 'varchar(43)',
    optional: true,
    item: prefixOf,
    itemSchema: { type: 'string' },
    child: { type: 'nested object', required: true, read_only: false },
  });
