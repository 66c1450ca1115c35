import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Environment } from '@cadastre/service/read-settings';
import ipaddr from 'ipaddr.js';
import { unwrapped } from './addresses.ts';

/** An endpoint of this system that is not meant for clients. */
export interface Endpoint {
  host: string;
  port: number;
}

/** The endpoints where this system itself listens, including health and metrics: no delivery goes there. */
export interface InternalEndpoints {
  /** Whether an address and port, reached under this host name, are one of them. */
  holds(host: string, address: string | undefined, port: number): boolean;
}

export const noInternalEndpoints: InternalEndpoints = { holds: () => false };

/** How long the addresses of these names and of this machine are remembered, in milliseconds. */
const KNOWN_MS = 30_000;
const LOCAL_NAME = /^localhost$|\.localhost$/;
const isLocal = (host: string): boolean =>
  LOCAL_NAME.test(host) ||
  (isIP(host) !== 0 && ['loopback', 'unspecified'].includes(unwrapped(ipaddr.parse(host)).range()));

/** @param text `host:port`, an address of IPv6 in brackets */
export function parseEndpoint(text: string): Endpoint | undefined {
  const [, six, name, port] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text.trim().toLowerCase()) ?? [];
  const host = six ?? name;
  return host === undefined ? undefined : { host, port: Number(port) };
}

const endpointOfUrl = (text: string): Endpoint | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  const usual = { 'http:': 80, 'https:': 443, 'postgres:': 5432, 'postgresql:': 5432 }[protocol];
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) };
};

/**
 * The endpoints in the environment of a process: other services except the gateway, databases, the event log, its own
 * ports, and those in WEBHOOK_OWN_ADDRESSES.
 */
export function configuredEndpoints(env: Environment, operationsPort: number, more: readonly string[]): Endpoint[] {
  const urls = Object.entries(env).flatMap(([name, value]) =>
    value && /(?:_HTTP_URL|DATABASE_URL)$/.test(name) && name !== 'GATEWAY_HTTP_URL' ? [endpointOfUrl(value)] : [],
  );
  const addresses = Object.entries(env).flatMap(([name, value]) =>
    value && name.endsWith('_GRPC_ADDRESS') ? [value] : [],
  );
  const listed = [...addresses, ...(env['KAFKA_BROKERS'] ?? '').split(','), ...more].map(parseEndpoint);
  const ports = [operationsPort, Number(env['HTTP_PORT'] ?? 0), Number(env['GRPC_PORT'] ?? 0)];
  return [...urls, ...listed, ...ports.map((port) => ({ host: 'localhost', port }))].filter(
    (one): one is Endpoint => one !== undefined && one.port > 0,
  );
}

type Lookup = (host: string) => Promise<{ address: string }[]>;

/** @param lookup and `addresses` of this machine, for tests */
export function internalEndpoints(
  endpoints: readonly Endpoint[],
  lookup: Lookup = (host) => dnsLookup(host, { all: true }),
  addresses = (): string[] =>
    Object.values(networkInterfaces()).flatMap((some) => (some ?? []).map(({ address }) => address)),
): InternalEndpoints {
  const local = new Set(endpoints.filter(({ host }) => isLocal(host)).map(({ port }) => port));
  const others = endpoints.filter(({ host }) => !isLocal(host));
  const found = new Map<string, ReadonlySet<string>>();
  let machine: ReadonlySet<string> = new Set();
  let known = Number.NEGATIVE_INFINITY;

  /**
   * Looks up the names again, as their addresses may change; until the result is known, the previous addresses count.
   */
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
        (one) =>
          one.port === port &&
          // A cluster also knows a service under the names of its domains.
          (host === one.host ||
            (isIP(one.host) === 0 && host.startsWith(`${one.host}.`)) ||
            (real !== undefined && (real === plainOr(one.host) || found.get(one.host)?.has(real) === true))),
      );
    },
  };
}

const plain = (address: string): string => unwrapped(ipaddr.parse(address.split('%', 1)[0]!)).toString();
const plainOr = (host: string): string => (isIP(host) === 0 ? host : plain(host));
