import { untilPublished, writtenIn } from '@cadastre/events';
import { columnsOf, type Reference } from '@cadastre/model';
import {
  addBriefs,
  answerDeletion,
  ANYBODY,
  BRIEF,
  briefTexts,
  countMatching,
  type Engine,
  type Matching,
  previewHere,
  objectSnapshots,
  Refusal,
  related,
  release,
  type Requester,
  type Resolution,
  resolveFor,
  rowsAt,
  secretsOf,
  snapshotOf,
  viewable,
} from '@cadastre/rest';
import { GrpcStatus } from '../grpc/index.ts';
import { type Callers, GrpcError, type GrpcService, grpcService } from '../grpc/service.ts';
import type { Identity } from '../security/identity.ts';
import { MODELS, type ModelsApi, type Unrecorded, type WireRequester } from '../peers/models.ts';
import { ASKED } from './consistency/writeFollower.ts';
import type { ReadAfterWrite } from './consistency/readAfterWrite.ts';

/** The answers of a service to other services about its objects. */
export function modelsGrpc(
  engine: Engine,
  requesterOf: (identity: Identity) => Promise<Requester>,
  consistency: Pick<ReadAfterWrite, 'awaitAllWrites'>,
  unrecorded?: (ids: readonly string[]) => Promise<Unrecorded>,
): GrpcService {
  const whoIs = async (requester: WireRequester): Promise<Requester> =>
    requester.superuser && !requester.user_id ? ANYBODY : requesterOf(identityOf(requester));
  return grpcService<ModelsApi>(MODELS, callersOf(engine.catalogue.services()), {
    async Resolve({ type, references, columns: wanted, requester }, { pendingWrites }) {
      await consistency.awaitAllWrites(pendingWrites, engine.catalogue.get(type));
      const model = engine.catalogue.get(type);
      const secret = secretsOf(model);
      const columns = columnsOf(model).filter((c) => wanted.includes(c.name) && !secret.has(c.name));
      const given = JSON.parse(references) as Reference[];
      const who = await whoIs(requester);
      const { results, rows } = await asAnswer(
        given,
        resolveFor(engine.tables, type, given, columns, who, engine.pool),
      );
      // The brief must be no older than the row, which another process may have changed a moment ago.
      if (wanted.includes(BRIEF) && rows.length) {
        await engine.invalidations.wait();
        await addBriefs(await engine.readContext(), type, rows);
      }
      return {
        results: results.map((r) => ('id' in r ? { id: r.id, error: '' } : { id: 0, error: r.error })),
        rows: JSON.stringify(rows),
      };
    },
    async Briefs({ type, ids }, { pendingWrites }) {
      if (!engine.tables.owns(type)) throw new GrpcError(GrpcStatus.NOT_FOUND, `no ${type} here`);
      await consistency.awaitAllWrites(pendingWrites, engine.catalogue.get(type));
      await engine.invalidations.wait();
      const briefs = [...(await briefTexts(await engine.readContext(), type, ids.map(String)))];
      return { ids: briefs.map(([id]) => Number(id)), briefs: briefs.map(([, text]) => text) };
    },
    async Viewable({ questions }, { pendingWrites }) {
      await consistency.awaitAllWrites(pendingWrites);
      const asked = await Promise.all(
        questions.map(async ({ requester, objects }) => ({ who: await whoIs(requester), objects })),
      );
      return { answers: (await viewable(engine.tables, asked, engine.pool)).map((objects) => ({ objects })) };
    },
    async CountMatching({ types, constraints, user_id, id }, { pendingWrites }) {
      await consistency.awaitAllWrites(pendingWrites);
      const matching = {
        types,
        constraints: JSON.parse(constraints) as Matching['constraints'],
        userId: user_id || null,
        id: id || undefined,
      };
      return { counts: await countMatching(engine.tables, matching, engine.pool) };
    },
    async PrepareDeletion({ type, ids, by, requester }, { signal, pendingWrites }) {
      await consistency.awaitAllWrites(pendingWrites);
      return {
        cascaded: [],
        busy: false,
        clashing: [],
        ...(await answerDeletion(engine, type, ids, by, await whoIs(requester), signal)),
      };
    },
    async PreviewDeletion({ objects }, { pendingWrites }) {
      await consistency.awaitAllWrites(pendingWrites);
      return previewHere(engine, objects);
    },
    async ReleaseMarks({ by }) {
      await release(by, engine.pool);
      return {};
    },
    ReplicaSnapshot: ({ types }) => snapshotOf(engine, types),
    ReplicaRows: async ({ wanted, ids }) => ({ rows: await rowsAt(engine, wanted, ids) }),
    UnrecordedEvents({ event_ids }) {
      if (!unrecorded) throw new GrpcError(GrpcStatus.UNIMPLEMENTED, 'no change records are kept here');
      return unrecorded(event_ids);
    },
    async AwaitPublished(_, { signal, pendingWrites }) {
      // What follows here from writes in other services is then published as well.
      await consistency.awaitAllWrites(pendingWrites, undefined, false);
      // Limited even if the caller would wait longer: calls must not pile up when a relay is stuck.
      await untilPublished(engine.pool, AbortSignal.any([signal, AbortSignal.timeout(PUBLISHED_MS)]));
      return {};
    },
    async CommittedEvents({ first, last, types, replicas, relevant_keys: relevant }) {
      const { events, irrelevantKeys } = await writtenIn(
        engine.pool,
        {
          spans: first.map((one, i) => ({ first: one, last: last[i]! })),
          types: types.length ? types : null,
          replicas,
          relevantKeys: new Set(relevant),
        },
        ASKED,
      );
      return { events, irrelevant_keys: irrelevantKeys };
    },
    async ObjectSnapshots({ type, ids, requester }) {
      return { objects: await objectSnapshots(engine, engine.catalogue.get(type), ids, await whoIs(requester)) };
    },
    async RelatedObjects({ requester, ...asked }) {
      const { pairs, objects } = await related(engine, asked, await whoIs(requester));
      return { of: pairs.map(([of]) => of), ids: pairs.map(([, id]) => id), objects };
    },
  });
}

/**
 * The services that own models call each other about objects: custom fields and generic relations let objects of any of
 * them refer to those of any other. No other service does.
 */
const callersOf = (owners: readonly string[]): Callers<ModelsApi> => ({
  Resolve: owners,
  Briefs: owners,
  Viewable: owners,
  // Called when permissions are created: the result reveals field values, regardless of who may view them.
  CountMatching: ['auth'],
  PrepareDeletion: owners,
  PreviewDeletion: owners,
  ReleaseMarks: owners,
  ReplicaSnapshot: owners,
  ReplicaRows: owners,
  UnrecordedEvents: owners,
  AwaitPublished: owners,
  CommittedEvents: owners,
  ObjectSnapshots: owners,
  RelatedObjects: owners,
});

/** How long a caller may wait for events that are still to be published. */
const PUBLISHED_MS = 60_000;

/** An error of the client's query is returned as the result of its references: it is not a failure of this service. */
async function asAnswer(given: Reference[], resolution: Promise<Resolution>): Promise<Resolution> {
  try {
    return await resolution;
  } catch (error) {
    const reason =
      (error as { code?: string }).code === '57014'
        ? 'The search for the related object took too long.'
        : error instanceof Refusal
          ? (error.body as { detail?: string }).detail
          : undefined;
    if (reason === undefined) throw error;
    return { results: given.map(() => ({ error: reason })), rows: [] };
  }
}

const identityOf = ({
  user_id: userId,
  username,
  superuser,
  permissions_version: permissionsVersion,
}: WireRequester): Identity =>
  userId
    ? { anonymous: false, userId, username, superuser, permissionsVersion, tokenId: null, writeEnabled: true }
    : { anonymous: true };
