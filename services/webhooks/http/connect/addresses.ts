import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The IPv4 address that is embedded in an IPv6 address for the same destination. */
export function unwrapped(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const six = address as ipaddr.IPv6;
  if (six.isIPv4MappedAddress()) return six.toIPv4Address();
  const bytes = six.toByteArray();
  // ::a.b.c.d, NAT64 (64:ff9b::/96), 6to4 (2002::/16) and ISATAP (…:0:5efe:a.b.c.d)
  const compatible = bytes.slice(0, 12).every((byte) => byte === 0) && !bytes.slice(12, 15).every((byte) => byte === 0);
  const isatap = (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  if (compatible || isatap || six.range() === 'rfc6052') return new ipaddr.IPv4(bytes.slice(12));
  return six.range() === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : six;
}
