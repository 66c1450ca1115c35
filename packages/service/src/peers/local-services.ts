import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import type { GrpcService } from '../grpc/service.ts';
import type { Log } from '../observe/log.ts';

/** What a service of this process answers. */
export interface LocalService {
  readonly http: RequestListener;
  /** By full name, such as `cadastre.models.Models`. */
  readonly grpc: ReadonlyMap<string, GrpcService>;
  readonly log: Log;
  /** Runs work as the service's own, whoever asked for it: nothing of what the caller carries along goes with it. */
  inside<T>(work: () => T): T;
}

/** Somebody who waits for a service that does not answer yet. */
type Waiting = (here: LocalService) => void;

/** The services that this process hosts. */
export interface LocalServices {
  /** Whether a service belongs to this process, be it ready or not. */
  hosts(service: string): boolean;
  /** The service, once it answers and as long as it does. */
  here(service: string): LocalService | undefined;
  /** The same when it does. @throws the reason of the signal when that aborts first */
  ready(service: string, signal: AbortSignal): Promise<LocalService>;
  /** Called by the service, in its own context. Returns how it takes the offer back. */
  offer(service: string, offered: Omit<LocalService, 'inside' | 'grpc'> & { grpc: readonly GrpcService[] }): () => void;
}

export function localServices(hosted: readonly string[]): LocalServices {
  const names = new Set(hosted);
  const open = new Map<string, LocalService>();
  const waiting = new Map<string, Set<Waiting>>();
  return {
    hosts: (service) => names.has(service),
    here: (service) => open.get(service),
    ready(service, signal) {
      const here = open.get(service);
      if (here) return Promise.resolve(here);
      return new Promise((resolve, reject) => {
        const all = waiting.get(service) ?? new Set();
        waiting.set(service, all);
        const left = () => {
          all.delete(came);
          reject(signal.reason);
        };
        const came = (one: LocalService) => {
          signal.removeEventListener('abort', left);
          resolve(one);
        };
        if (signal.aborted) return left();
        signal.addEventListener('abort', left, { once: true });
        all.add(came);
      });
    },
    offer(service, { grpc, ...offered }) {
      const here: LocalService = {
        ...offered,
        grpc: new Map(grpc.map((one) => [one.service, one])),
        inside: AsyncLocalStorage.snapshot(),
      };
      open.set(service, here);
      for (const came of waiting.get(service) ?? []) came(here);
      waiting.delete(service);
      return () => {
        if (open.get(service) === here) open.delete(service);
      };
    },
  };
}
