import type { Reference } from '@cadastre/model';
import { type Dependents, type Peers, type ReplicaRow, type Requester, type Resolution, Unreachable } from '@cadastre/rest';
import { type Config, peerGrpcAddress } from '../config.ts';
import { type GrpcClient, grpcClient } from '../grpc-client.ts';
import { isUnreachable } from '../grpc.ts';

/** proto/models.proto. */
export interface ModelsApi {
  Resolve(request: { type: string; references: string; columns: string[]; requester: WireRequester }): { results: { id: number; error: string }[]; rows: string };
  CountReferences(request: { type: string; ids: number[]; by: string }): Dependents;
  Release(request: { by: string }): object;
  Published(request: object): object;
}

export interface WireRequester { user_id: number; username: string; superuser: boolean; permissions_version: number }

export const MODELS = { proto: 'models.proto', service: 'cadastre.models.Models' } as const;

/** The other services, over gRPC. */
export function grpcPeers(from: string, config: Config): { peers: Peers; published(service: string, withinMs: number): Promise<void>; close(): void } {
  const clients = new Map<string, GrpcClient<ModelsApi>>();
  const client = (service: string): GrpcClient<ModelsApi> => {
    let known = clients.get(service);
    if (!known) clients.set(service, (known = grpcClient<ModelsApi>({ ...MODELS, address: peerGrpcAddress(config, service), from, config })));
    return known;
  };
  const reaching = async <T>(service: string, call: Promise<T>): Promise<T> => {
    try { return await call; } catch (error) { throw isUnreachable(error) ? new Unreachable(service, error) : error; }
  };
  const peers: Peers = {
    async resolve(service, type, references: Reference[], columns, who): Promise<Resolution> {
      const answer = await reaching(service, client(service).Resolve({ type, references: JSON.stringify(references), columns, requester: wire(who) }, { failFast: true }));
      return { results: answer.results.map(({ id, error }) => (id ? { id } : { error })), rows: JSON.parse(answer.rows) as ReplicaRow[] };
    },
    countReferences: (service, type, ids, by) => reaching(service, client(service).CountReferences({ type, ids, by }, { failFast: true })),
    release: async (service, by) => { await client(service).Release({ by }, { failFast: true }); },
  };
  const published = async (service: string, timeoutMs: number): Promise<void> => { await client(service).Published({}, { failFast: true, timeoutMs }); };
  return { peers, published, close: () => { for (const one of clients.values()) one.close(); } };
}

/** Only what the owner needs to find the requester's permissions again; it asks the auth service itself. */
const wire = (who: Requester): WireRequester => ({ user_id: who.userId ?? 0, username: who.username, superuser: who.grants.superuser, permissions_version: 0 });
