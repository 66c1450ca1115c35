import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Environment } from '@cadastre/service/read-settings';
import ipaddr from 'ipaddr.js';
import { unwrapped } from './addresses.ts';

/** Where a part of this system listens that is not for clients. */
export interface OwnPlace {
  host: string;
  port: number;
}

/** Knows what is ours: deliveries are no way into the system itself, nor to its health and metrics. */
export interface Own {
  /** Whether an address, reached under this host name, and a port are one of the system's own places. */
  holds(host: string, address: string | undefined, port: number): boolean;
}

export const nothingOwn: Own = { holds: () => false };

/** How long it counts which addresses the names of our places and this machine have, in milliseconds. */
const KNOWN_MS = 30_000;
const LOCAL_NAME = /^localhost$|\.localhost$/;
const isLocal = (host: string): boolean =>
  LOCAL_NAME.test(host) ||
  (isIP(host) !== 0 && ['loopback', 'unspecified'].includes(unwrapped(ipaddr.parse(host)).range()));

/** @param text `host:port`, an address of IPv6 in brackets */
export function placeIn(text: string): OwnPlace | undefined {
  const [, six, name, port] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text.trim().toLowerCase()) ?? [];
  const host = six ?? name;
  return host === undefined ? undefined : { host, port: Number(port) };
}

const placeOfUrl = (text: string): OwnPlace | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  const usual = { 'http:': 80, 'https:': 443, 'postgres:': 5432, 'postgresql:': 5432 }[protocol];
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) };
};

/**
 * The places that the environment of a process names: other services but the gateway, databases, the event log, its own
 * ports, and those in WEBHOOK_OWN_PLACES.
 */
export function ownPlaces(env: Environment, operationsPort: number, more: readonly string[]): OwnPlace[] {
  const urls = Object.entries(env).flatMap(([name, value]) =>
    value && /(?:_HTTP_URL|DATABASE_URL)$/.test(name) && name !== 'GATEWAY_HTTP_URL' ? [placeOfUrl(value)] : [],
  );
  const addresses = Object.entries(env).flatMap(([name, value]) =>
    value && name.endsWith('_GRPC_ADDRESS') ? [value] : [],
  );
  const listed = [...addresses, ...(env['KAFKA_BROKERS'] ?? '').split(','), ...more].map(placeIn);
  const ports = [operationsPort, Number(env['HTTP_PORT'] ?? 0), Number(env['GRPC_PORT'] ?? 0)];
  return [...urls, ...listed, ...ports.map((port) => ({ host: 'localhost', port }))].filter(
    (place): place is OwnPlace => place !== undefined && place.port > 0,
  );
}

type Lookup = (host: string) => Promise<{ address: string }[]>;

/** @param lookup and `addresses` of this machine, for tests */
export function createOwn(
  places: readonly OwnPlace[],
  lookup: Lookup = (host) => dnsLookup(host, { all: true }),
  addresses = (): string[] =>
    Object.values(networkInterfaces()).flatMap((some) => (some ?? []).map(({ address }) => address)),
): Own {
  const local = new Set(places.filter(({ host }) => isLocal(host)).map(({ port }) => port));
  const others = places.filter(({ host }) => !isLocal(host));
  const found = new Map<string, ReadonlySet<string>>();
  let machine: ReadonlySet<string> = new Set();
  let known = Number.NEGATIVE_INFINITY;

  /** Names may lead elsewhere later; what they led to before counts until that is known. */
  function refresh(): void {
    if (performance.now() - known < KNOWN_MS) return;
    known = performance.now();
    machine = new Set(addresses().map(plain));
    for (const { host } of others)
      if (isIP(host) === 0)
        lookup(host).then(
          (all) => found.set(host, new Set(all.map(({ address }) => plain(address)))),
          () => undefined,
        );
  }
  refresh();

  return {
    holds(given, address, port) {
      refresh();
      const host = given.toLowerCase().replace(/\.+$/, '');
      const real = address === undefined || !ipaddr.isValid(address) ? undefined : plain(address);
      if (local.has(port) && (isLocal(host) || (real !== undefined && (isLocal(real) || machine.has(real)))))
        return true;
      return others.some(
        (place) =>
          place.port === port &&
          // A cluster also knows a service under the names of its domains.
          (host === place.host ||
            (isIP(place.host) === 0 && host.startsWith(`${place.host}.`)) ||
            (real !== undefined && (real === plainOr(place.host) || found.get(place.host)?.has(real) === true))),
      );
    },
  };
}

const plain = (address: string): string => unwrapped(ipaddr.parse(address.split('%', 1)[0]!)).toString();
const plainOr = (host: string): string => (isIP(host) === 0 ? host : plain(host));
