import ipaddr from 'ipaddr.js';
import { type Address, unwrapped } from './addresses.ts';
import { noInternalEndpoints, type InternalEndpoints } from './internalEndpoints.ts';

/** Where webhooks may connect to. Entries are addresses, networks, host names or `*.domain`. */
export interface PolicyOptions {
  allowPrivate: boolean;
  /**
   * Allowed although a later rule would refuse them. An entry that is a name does not allow link-local, metadata or
   * reserved addresses.
   */
  allow: readonly string[];
  /** Always refused, even when in `allow`. */
  deny: readonly string[];
  /** Refuse everything that is not in `allow`. */
  allowOnly: boolean;
  /** Endpoints of this system, which are always refused. */
  own?: InternalEndpoints;
}

/** The policy forbids a destination. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
}

/** Decides about one address that is about to be connected to. */
export interface Policy {
  /** The reason why the address, reached under this host name, is refused; null when it is allowed. */
  refusal(host: string, address: string): string | null;
  /** The reason why a host is refused whatever its address; for where the address is not known. */
  refusalOfName(host: string): string | null;
  /** The reason why a port of a host, and of its address where that is known, is always refused. */
  refusalOfPort(host: string, address: string | undefined, port: number): string | null;
}

type Network = [Address, number];

/** Hosts and networks. */
export interface Destinations {
  networks: readonly Network[];
  hosts: readonly string[];
}

// Link-local addresses, and those at which cloud providers serve credentials; they must not be reachable even where
// private addresses are.
const metadata = networks([
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'fd00:42::42/128',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
]);
// Prefixes that a gateway nearby translates into IPv4 addresses of its own choice: local NAT64, SIIT, site-local.
const translated = networks(['64:ff9b:1::/48', '::ffff:0:0:0/96', 'fec0::/10']);

const privateRanges = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

function networks(values: readonly string[]): Network[] {
  return values.map((value) => {
    const [address, bits] = value.includes('/') ? ipaddr.parseCIDR(value) : [ipaddr.parse(value), undefined];
    return [address, bits ?? (address.kind() === 'ipv4' ? 32 : 128)];
  });
}

export const destinationsOf = (values: readonly string[]): Destinations => {
  const isNetwork = (value: string) => ipaddr.isValid(value) || ipaddr.isValidCIDR(value);
  return { networks: networks(values.filter(isNetwork)), hosts: values.filter((value) => !isNetwork(value)) };
};

const within = (address: Address, list: readonly Network[]): boolean =>
  list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));

const nameOf = (host: string): string => host.toLowerCase().replace(/\.+$/, '');
const named = (host: string, hosts: readonly string[]): boolean =>
  hosts.some((entry) => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry));

/** Whether a host, by its name or as a literal address, is one of them. */
export function includes(destinations: Destinations, host: string): boolean {
  if (named(nameOf(host), destinations.hosts)) return true;
  return (
    ipaddr.isValid(host) &&
    (within(ipaddr.parse(host), destinations.networks) || within(unwrapped(ipaddr.parse(host)), destinations.networks))
  );
}

/** A policy; the lists are read once. */
export function createPolicy({
  allowPrivate,
  allow,
  deny,
  allowOnly,
  own = noInternalEndpoints,
}: PolicyOptions): Policy {
  const [allowed, denied] = [destinationsOf(allow), destinationsOf(deny)];
  return {
    refusal(host, address) {
      const name = nameOf(host);
      if (!ipaddr.isValid(address)) return `${address} is not an address`;
      const given = ipaddr.parse(address);
      const real = unwrapped(given);
      if (named(name, denied.hosts) || within(real, denied.networks) || within(given, denied.networks))
        return `${shown(name, address)} is on the deny list`;
      if (within(real, allowed.networks) || within(given, allowed.networks)) return null;
      const byName = named(name, allowed.hosts);
      if (allowOnly && !byName) return `${shown(name, address)} is not on the allow list`;
      // The address of a name can change at any time, so these are only reachable when the address itself is allowed.
      if (within(real, metadata)) return `${shown(name, address)} is a link-local or metadata address`;
      const range = within(given, translated) ? 'translated' : real.range();
      if (privateRanges.has(range))
        return allowPrivate || byName ? null : `${shown(name, address)} is a private address`;
      return range === 'unicast' ? null : `${shown(name, address)} is a reserved address (${range})`;
    },
    refusalOfName(host) {
      const name = nameOf(host);
      if (named(name, denied.hosts)) return `${name} is on the deny list`;
      return allowOnly && !includes(allowed, host) ? `${name} is not on the allow list` : null;
    },
    refusalOfPort(host, address, port) {
      return own.holds(host, address, port)
        ? `${shown(nameOf(host), address ?? nameOf(host))} port ${port} belongs to this system`
        : null;
    },
  };
}

const shown = (host: string, address: string) => (host === address ? address : `${host} (${address})`);
