import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Config, peerHttpUrl } from '../settings/config.ts';
import { localFetch, type PeerAnswer, type PeerHeaders } from './local-fetch.ts';
import type { LocalService, LocalServices } from './local-services.ts';
import { minVersion, peerTls } from '../security/tls.ts';

type PeerConfig = Parameters<typeof peerTls>[0] & Pick<Config, 'peers'>;

/** Sends a request to a path of a service, like `fetch`. It rejects when the service does not answer. */
export type PeerFetch = (service: string, path: string, init?: RequestInit) => Promise<PeerAnswer>;

export type { PeerHeaders };

/** Where the HTTP side of a service is: in this process, or at an address with a connection pool of its own. */
export type Way =
  | { readonly here: () => Pick<LocalService, 'http' | 'inside'> | undefined }
  | { readonly url: URL; readonly agent: (options: AgentOptions) => HttpAgent };

/**
 * The HTTP servers of other services. With TLS this process presents its certificate, and accepts only a server
 * certificate for the service that it calls.
 */
export interface PeerHttp {
  /**
   * The shortest way to a service. @throws ConfigError when it is in another process and the settings have no address
   * for it
   */
  way(service: string): Way;
  fetch: PeerFetch;
}

export function peerHttp(config: PeerConfig, neighbours?: LocalServices): PeerHttp {
  const tls = peerTls(config);
  const by = (service: string) => ({ ...tls, minVersion, servername: service }) as const;
  const fetchers = new Map<string, Promise<typeof fetch>>();
  const fetchBy = (service: string): Promise<typeof fetch> => {
    if (!tls) return Promise.resolve(fetch);
    if (!fetchers.has(service)) fetchers.set(service, fetcher(by(service)));
    return fetchers.get(service)!;
  };
  const wayTo = (service: string): Way =>
    neighbours?.hosts(service)
      ? { here: () => neighbours.here(service) }
      : {
          url: new URL(peerHttpUrl(config, service)),
          agent: (options) => (tls ? new HttpsAgent({ ...options, ...by(service) }) : new HttpAgent(options)),
        };
  const ways = new Map<string, Way>();
  const way = (service: string): Way => {
    let known = ways.get(service);
    if (!known) ways.set(service, (known = wayTo(service)));
    return known;
  };
  return {
    way,
    async fetch(service, path, init) {
      const to = way(service);
      return 'here' in to ? localFetch(to.here(), path, init) : (await fetchBy(service))(new URL(path, to.url), init);
    },
  };
}

/** Node's built-in `fetch` supports no client certificates. This one is loaded only where it is needed. */
async function fetcher(connect: object): Promise<typeof fetch> {
  const { Agent, fetch: by } = await import('undici');
  const dispatcher = new Agent({ connect });
  return ((url: URL, init?: RequestInit) =>
    by(url, { ...init, dispatcher } as Parameters<typeof by>[1])) as unknown as typeof fetch;
}
