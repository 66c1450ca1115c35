import { columnsOf, type Reference } from '@cadastre/model';
import { type Engine, lockKey, protectorsOf, type Requester, resolveFor, rowsOf, transaction } from '@cadastre/rest';
import { type GrpcService, grpcService } from '../grpc-server.ts';
import type { Identity } from '../identity.ts';
import { MODELS, type ModelsApi, type WireRequester } from './peers.ts';

/** What a service answers to its neighbours about its objects. */
export function modelsGrpc(engine: Engine, requesterOf: (identity: Identity) => Promise<Requester>): GrpcService {
  return grpcService<ModelsApi>(MODELS, {
    async Resolve({ type, references, columns: wanted, requester }) {
      const columns = columnsOf(engine.catalogue.get(type)).filter((c) => wanted.includes(c.name));
      const { results, rows } = await resolveFor(engine.tables, type, JSON.parse(references) as Reference[], columns, await requesterOf(identityOf(requester)), engine.pool);
      return { results: results.map((r) => ('id' in r ? { id: r.id, error: '' } : { id: 0, error: r.error })), rows: JSON.stringify(rows) };
    },
    async CountReferences({ type, ids }) {
      // Writers that hold references to these objects in open transactions finish first; their rows are seen then.
      return transaction(engine.pool, async (client) => {
        await rowsOf(client, { text: 'select pg_advisory_xact_lock(k) from unnest($1::bigint[]) k', values: [ids.map((id) => lockKey(type, id)).sort()] });
        return protectorsOf(engine.tables, type, ids, client);
      });
    },
  });
}

const identityOf = ({ user_id: userId, username, superuser, permissions_version: permissionsVersion }: WireRequester): Identity =>
  (userId ? { anonymous: false, userId, username, superuser, permissionsVersion, tokenId: null, writeEnabled: true } : { anonymous: true });
