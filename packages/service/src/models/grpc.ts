import { columnsOf, quote, type Reference } from '@cadastre/model';
import { type Engine, lockKey, protectorsOf, type Requester, resolveOwn, rowsOf, storedValue, transaction } from '@cadastre/rest';
import { type GrpcService, grpcService } from '../grpc-server.ts';
import type { Identity } from '../identity.ts';
import { MODELS, type ModelsApi, type WireRequester } from './peers.ts';

/** What a service answers to its neighbours about its objects. */
export function modelsGrpc(engine: Engine, requesterOf: (identity: Identity) => Promise<Requester>): GrpcService {
  return grpcService<ModelsApi>(MODELS, {
    async Resolve({ type, references, columns, requester }) {
      const { tables } = engine, wanted = JSON.parse(references) as Reference[];
      const who = await requesterOf(identityOf(requester));
      return transaction(engine.pool, async (client) => {
        const { results } = await resolveOwn(tables, type, wanted, who, client);
        const ids = [...new Set(results.flatMap((r) => ('id' in r ? [r.id] : [])))];
        return { results: results.map((r) => ('id' in r ? { id: r.id, error: '' } : { id: 0, error: r.error })), rows: JSON.stringify(await rows(engine, type, ids, columns, client)) };
      });
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

async function rows(engine: Engine, type: string, ids: number[], wanted: string[], executor: Parameters<typeof rowsOf>[0]): Promise<unknown[]> {
  const model = engine.catalogue.get(type), columns = columnsOf(model).filter((c) => wanted.includes(c.name));
  const found = await rowsOf(executor, { text: `select ${columns.map((c) => quote(c.name)).join(', ')} from ${engine.tables.nameOf(type)} where id = any($1::bigint[])`, values: [ids] });
  return found.map((cells) => Object.fromEntries(columns.map((c, i) => [c.name, storedValue(c.type, cells[i] ?? null)])));
}
