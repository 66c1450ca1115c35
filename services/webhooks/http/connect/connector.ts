import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { readCertificates } from './certificates.ts';
import { type Policy, PolicyError } from './policy.ts';
import { allowedAddress, allowedName, guardedLookup, type Lookup } from './resolve.ts';
import { type WebProxy, tunnel } from './tunnel.ts';

/** How connections to destinations are made. */
export interface ConnectorOptions {
  policy: Policy;
  connectTimeoutMs: number;
  /** The most connections to one destination. */
  connections: number;
  /** The proxy to go through, where there is one for a host. */
  proxyFor?(host: string): WebProxy | null;
  lookup?: Lookup;
  /** The folder that CA files are read from; without it none is. */
  caDir?: string;
}

/** The part of a webhook that decides which connections it can share. */
export interface TlsOptions {
  verify: boolean;
  caFile: string | null;
}

/** Keep-alive agents by their TLS options. */
export interface Agents {
  /** @throws CertificateError */
  agent(tls: TlsOptions): Agent;
  /** Forgets the agents, and with them the contents of CA files; requests under way end first. */
  renew(): void;
  close(): Promise<void>;
}

// A receiver may close an idle connection just when a delivery is written to it; short idle times make that rare.
const idleMs = 1_000;

type Options = Parameters<buildConnector.connector>[0];
type Done = Parameters<buildConnector.connector>[1];

const portOf = ({ port, protocol }: Pick<Options, 'port' | 'protocol'>): number =>
  Number(port || (protocol === 'https:' ? 443 : 80));

function guardedConnector(
  { policy, connectTimeoutMs, proxyFor, lookup, caDir }: ConnectorOptions,
  { verify, caFile }: TlsOptions,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: guardedLookup(policy, lookup),
    rejectUnauthorized: verify,
    ...(verify && caFile ? { ca: readCertificates(caDir, caFile) } : {}),
  });

  const direct = (options: Options, host: string, done: Done): void =>
    connect(options, (...result) => {
      const [error, socket] = result;
      // Nothing has been sent yet.
      const late =
        error || !socket?.remoteAddress
          ? null
          : (policy.refusal(host, socket.remoteAddress) ??
            policy.refusalOfPort(host, socket.remoteAddress, portOf(options)));
      if (!late || !socket) return done(...result);
      socket.destroy();
      done(new PolicyError(late), null);
    });

  const through = async (proxy: WebProxy, options: Options, host: string, done: Done): Promise<void> => {
    try {
      const to =
        proxy.resolves && isIP(host) === 0 ? allowedName(policy, host) : await allowedAddress(policy, host, lookup);
      const refusal = policy.refusalOfPort(host, isIP(to) === 0 ? undefined : to, portOf(options));
      if (refusal) throw new PolicyError(refusal);
      const socket = await tunnel(proxy, `${isIP(to) === 6 ? `[${to}]` : to}:${portOf(options)}`, connectTimeoutMs);
      // TLS runs through the tunnel to the destination, so its certificate is checked against the name of the
      // destination.
      if (options.protocol === 'https:') connect({ ...options, httpSocket: socket }, done);
      else done(null, socket);
    } catch (error) {
      done(error as Error, null);
    }
  };

  return (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const proxy = proxyFor?.(host);
    if (proxy) return void through(proxy, options, host, done);
    const address = isIP(host) === 0 ? undefined : host;
    const refusal =
      (address === undefined ? null : policy.refusal(host, address)) ??
      policy.refusalOfPort(host, address, portOf(options));
    if (refusal) return done(new PolicyError(refusal), null);
    direct(options, host, done);
  };
}

/** Agents that only connect where the policy allows. */
export function createAgents(options: ConnectorOptions): Agents {
  let agents = new Map<string, Agent>();
  return {
    agent(tls) {
      const key = JSON.stringify([tls.verify, tls.verify ? tls.caFile : null]);
      const known = agents.get(key);
      if (known) return known;
      const made = new Agent({
        connect: guardedConnector(options, tls),
        connections: options.connections,
        pipelining: 1,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
        allowH2: false,
      });
      agents.set(key, made);
      return made;
    },
    renew() {
      for (const agent of agents.values()) void agent.close();
      agents = new Map();
    },
    async close() {
      const all = [...agents.values()];
      agents = new Map();
      await Promise.all(all.map((agent) => agent.destroy()));
    },
  };
}
