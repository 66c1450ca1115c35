import { type LookupAddress, lookup as dnsLookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type Policy, PolicyError } from './policy.ts';

/** How connections to destinations are made. */
export interface ConnectorOptions {
  policy: Policy;
  connectTimeoutMs: number;
  /** The most connections to one destination. */
  connections: number;
}

/** The part of a webhook that decides which connections it can share. */
export interface TlsOptions {
  verify: boolean;
  caFile: string | null;
}

/** Keep-alive agents by their TLS options. */
export interface Agents {
  agent(tls: TlsOptions): Agent;
  /** Forgets the agents, and with them the contents of CA files; requests under way end first. */
  renew(): void;
  close(): Promise<void>;
}

// A receiver may close an idle connection just when a delivery is written to it; short idle times make that rare.
const idleMs = 1_000;

/** Resolves a name to those of its addresses that the policy allows: what is checked is what is connected to. */
const guardedLookup = (policy: Policy): LookupFunction => (host, options, done) => {
  dnsLookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return done(error, '', 0);
    const allowed = found.filter(({ address }) => policy.refusal(host, address) === null);
    const [first] = allowed;
    if (!first) return done(new PolicyError(found[0] ? (policy.refusal(host, found[0].address) ?? '') : `${host} has no address`), '', 0);
    if (options.all) done(null, allowed);
    else done(null, first.address, first.family);
  });
};

function guardedConnector({ policy, connectTimeoutMs }: ConnectorOptions, { verify, caFile }: TlsOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(policy),
    rejectUnauthorized: verify,
    ...(verify && caFile ? { ca: readFileSync(caFile) } : {}),
  });
  return (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const refusal = isIP(host) === 0 ? null : policy.refusal(host, host);
    if (refusal) return done(new PolicyError(refusal), null);
    connect(options, (...result) => {
      const [error, socket] = result;
      const late = error || !socket?.remoteAddress ? null : policy.refusal(host, socket.remoteAddress);
      if (!late || !socket) return done(...result);
      socket.destroy();
      done(new PolicyError(late), null);
    });
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
      const made = new Agent({ connect: guardedConnector(options, tls), connections: options.connections, pipelining: 1, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs });
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
