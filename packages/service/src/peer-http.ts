import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Config } from './config.ts';
import { minVersion, peerTls } from './tls.ts';

type PeerConfig = Parameters<typeof peerTls>[0] & Pick<Config, 'peers'>;

/** Asks a service, as `fetch` does, under an address of it. */
export type PeerFetch = (service: string, url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * How this process connects to other services' HTTP servers. With TLS it shows its certificate, and believes only one
 * that is for the service that it wants.
 */
export interface PeerHttp {
  /** Connections of a service, kept alive. */
  agent(service: string, options: AgentOptions): HttpAgent;
  fetch: PeerFetch;
}

export function peerHttp(config: PeerConfig): PeerHttp {
  const tls = peerTls(config);
  if (!tls)
    return { agent: (_service, options) => new HttpAgent(options), fetch: (_service, url, init) => fetch(url, init) };
  const by = (service: string) => ({ ...tls, minVersion, servername: service }) as const;
  const fetchers = new Map<string, Promise<(url: string | URL, init?: RequestInit) => Promise<Response>>>();
  return {
    agent: (service, options) => new HttpsAgent({ ...options, ...by(service) }),
    async fetch(service, url, init) {
      if (!fetchers.has(service)) fetchers.set(service, fetcher(by(service)));
      return (await fetchers.get(service)!)(url, init);
    },
  };
}

/** Node's own has no certificates of clients. It is loaded only where it is needed. */
async function fetcher(connect: object): Promise<(url: string | URL, init?: RequestInit) => Promise<Response>> {
  const { Agent, fetch: by } = await import('undici'),
    dispatcher = new Agent({ connect });
  return (url, init) => by(url, { ...init, dispatcher } as Parameters<typeof by>[1]) as unknown as Promise<Response>;
}
