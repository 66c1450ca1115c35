import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import type { GrpcService } from '../grpc/service.ts';
import type { Log } from '../observe/log.ts';

/** What a service of this process offers to the others. */
export interface LocalService {
  readonly http: RequestListener;
  /** By full name, such as `cadastre.models.Models`. */
  readonly grpc: ReadonlyMap<string, GrpcService>;
  readonly log: Log;
  /** Runs work in the service's own async context, whoever called it: nothing of the caller's context is passed on. */
  inside<T>(work: () => T): T;
}

/** A caller that waits for a service that does not answer yet. */
type Waiting = (here: LocalService) => void;

/** The services that this process hosts. */
export interface LocalServices {
  /** Whether a service belongs to this process, ready or not. */
  hosts(service: string): boolean;
  /** The service while it answers, otherwise undefined. */
  here(service: string): LocalService | undefined;
  /** Resolves with the service when it answers. @throws the reason of the signal if that aborts first */
  ready(service: string, signal: AbortSignal): Promise<LocalService>;
  /** Called by the service, in its own context. Returns a function that withdraws the offer. */
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
