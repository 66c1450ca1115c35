import type { Wanted as WantedOfOutbox, Written } from '@cadastre/events';
import type { Reference } from '@cadastre/model';
import {
  type Asked,
  type Chunk,
  type Dependents,
  type DeletionPreview,
  type RemoteObjects,
  type TypedIds,
  type Owners,
  type Peers,
  type ObjectSnapshot,
  type RelatedObjects,
  type ReplicaRow,
  type Matching,
  type Requester,
  type Resolution,
  Unreachable,
  type Wanted,
} from '@cadastre/rest';
import type { Calls } from './calls.ts';
import { GrpcStatus, isUnreachable } from '../grpc/index.ts';

/** proto/models.proto. */
export interface ModelsApi {
  Resolve(request: { type: string; references: string; columns: string[]; requester: WireRequester }): {
    results: { id: number; error: string }[];
    rows: string;
  };
  Briefs(request: { type: string; ids: number[] }): { ids: number[]; briefs: string[] };
  Viewable(request: { questions: { requester: WireRequester; objects: TypedIds[] }[] }): {
    answers: { objects: TypedIds[] }[];
  };
  CountMatching(request: { types: string[]; constraints: string; user_id: number; id: number }): { counts: number[] };
  PrepareDeletion(request: { type: string; ids: number[]; by: string; requester: WireRequester }): Dependents;
  PreviewDeletion(request: { objects: readonly TypedIds[] }): DeletionPreview;
  ReleaseMarks(request: { by: string }): object;
  AwaitPublished(request: object): object;
  CommittedEvents(request: {
    first: number[];
    last: number[];
    types: string[];
    replicas: string[];
    relevant_keys: string[];
  }): { events: string[]; irrelevant_keys: string[] };
  UnrecordedEvents(request: { event_ids: readonly string[] }): Unrecorded;
  ObjectSnapshots(request: { type: string; ids: number[]; requester: WireRequester }): { objects: ObjectSnapshot[] };
  RelatedObjects(request: {
    type: string;
    field: string;
    to: string;
    ids: readonly number[];
    limit: number;
    requester: WireRequester;
  }): { of: number[]; ids: number[]; objects: ObjectSnapshot[] };
  ReplicaSnapshot(request: { types: WireColumns[] }): AsyncIterable<Chunk>;
  ReplicaRows(request: { wanted: WireColumns; ids: number[] }): { rows: string };
}

/** What is kept of a type. */
interface WireColumns {
  type: string;
  columns: string[];
}

/** Events of which the owner of the change log has no record. It keeps records for this many days; 0: for ever. */
export interface Unrecorded {
  event_ids: string[];
  kept_days: number;
}

export interface WireRequester {
  user_id: number;
  username: string;
  superuser: boolean;
  permissions_version: number;
}

export const MODELS = { proto: 'models.proto', service: 'cadastre.models.Models' } as const;

/**
 * How long a service may take to say what refers to objects, of which there may be thousands: less than the lifetime of
 * deletion marks.
 */
const REFERENCES_MS = 20_000;
/** How long to wait for a connection to a service before it counts as unreachable. */
const REACHED_MS = 1_000;
/** How long an owner may take for some rows. */
const ROWS_MS = 30_000;

/**
 * Objects of any type as events would describe them now, limited to those that the requester may view. @throws
 * Unreachable
 */
export type Show = (type: string, ids: number[], who: Requester) => Promise<ObjectSnapshot[]>;

/** The other services, over gRPC. */
export function grpcPeers(
  calls: Calls,
  reachedMs = REACHED_MS,
): {
  peers: Peers;
  owners: Owners;
  neighbours: RemoteObjects;
  show(service: string, ...asked: Parameters<Show>): ReturnType<Show>;
  published(service: string, withinMs: number): Promise<void>;
  written(service: string, wanted: WantedOfOutbox, timeoutMs: number): Promise<Written>;
  matchingAt(service: string, matching: Matching): Promise<number[]>;
  unrecorded(service: string, ids: readonly string[]): Promise<Unrecorded>;
} {
  const client = (service: string) => calls.to<ModelsApi>(service, MODELS);
  // A service that has just started is reachable again within half a second. Each of these calls may be made twice:
  // setting marks that are already set changes nothing.
  const reaching = async <T>(service: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call().catch(async (error: { code?: number }) => {
        if (error.code !== GrpcStatus.UNAVAILABLE) throw error;
        await client(service)
          .ready(reachedMs)
          .catch(() => {
            throw error;
          });
        return call();
      });
    } catch (error) {
      throw isUnreachable(error) ? new Unreachable(service, error) : error;
    }
  };
  const rowsAt = async (
    owner: string,
    wanted: Wanted,
    ids: readonly number[],
    how: { failFast?: boolean } = {},
  ): Promise<string> =>
    (await client(owner).ReplicaRows({ wanted: wireColumns(wanted), ids: [...ids] }, { ...how, timeoutMs: ROWS_MS }))
      .rows;
  const peers: Peers = {
    async resolve(service, type, references: Reference[], columns, who): Promise<Resolution> {
      const answer = await reaching(service, () =>
        client(service).Resolve(
          { type, references: JSON.stringify(references), columns, requester: wire(who) },
          { failFast: true },
        ),
      );
      return {
        results: answer.results.map(({ id, error }) => (id ? { id } : { error })),
        rows: JSON.parse(answer.rows) as ReplicaRow[],
      };
    },
    async briefs(service, type, ids) {
      const answer = await reaching(service, () =>
        client(service)
          .Briefs({ type, ids: [...ids] }, { failFast: true })
          .catch(orNotYet),
      );
      return new Map(answer.ids.map((id, i) => [id, answer.briefs[i]!]));
    },
    async viewable(service, questions) {
      const asked = {
        questions: questions.map(({ who, objects }) => ({ requester: wire(who), objects: [...objects] })),
      };
      return (
        await reaching(service, () => client(service).Viewable(asked, { failFast: true }).catch(orNotYet))
      ).answers.map(({ objects }) => objects);
    },
    rows: async (service, type, columns, ids) =>
      JSON.parse(
        await reaching(service, () => rowsAt(service, { type, columns }, ids, { failFast: true })),
      ) as ReplicaRow[],
    prepareDeletion: (service, type, ids, by, who) =>
      reaching(service, () =>
        client(service).PrepareDeletion(
          { type, ids, by, requester: wire(who) },
          { failFast: true, timeoutMs: REFERENCES_MS },
        ),
      ),
    preview: (service, objects) =>
      reaching(service, () =>
        client(service).PreviewDeletion({ objects }, { failFast: true, timeoutMs: REFERENCES_MS }),
      ),
    releaseMarks: async (service, by) => {
      await client(service).ReleaseMarks({ by }, { failFast: true });
    },
  };
  const show = async (service: string, ...[type, ids, who]: Parameters<Show>): Promise<ObjectSnapshot[]> =>
    (
      await reaching(service, () =>
        client(service).ObjectSnapshots({ type, ids, requester: wire(who) }, { failFast: true }),
      )
    ).objects;
  const matchingAt = async (service: string, { types, constraints, userId, id }: Matching): Promise<number[]> =>
    (
      await reaching(service, () =>
        client(service).CountMatching(
          { types: [...types], constraints: JSON.stringify(constraints), user_id: userId ?? 0, id: id ?? 0 },
          { failFast: true },
        ),
      )
    ).counts;
  const related = async (service: string, { ids, ...asked }: Asked, who: Requester): Promise<RelatedObjects> => {
    const {
      of,
      ids: found,
      objects,
    } = await reaching(service, () =>
      client(service).RelatedObjects({ ...asked, ids, requester: wire(who) }, { failFast: true }),
    );
    return { pairs: of.map((id, i) => [id, found[i]!]), objects };
  };
  const published = async (service: string, timeoutMs: number): Promise<void> => {
    await client(service).AwaitPublished({}, { failFast: true, timeoutMs });
  };
  const written = async (
    service: string,
    { spans, types, replicas, relevantKeys }: WantedOfOutbox,
    timeoutMs: number,
  ): Promise<Written> => {
    const { events, irrelevant_keys: irrelevantKeys } = await client(service).CommittedEvents(
      {
        first: spans.map(({ first }) => first),
        last: spans.map(({ last }) => last),
        types: [...(types ?? [])],
        replicas: [...replicas],
        relevant_keys: [...relevantKeys],
      },
      { failFast: true, timeoutMs },
    );
    return { events, irrelevantKeys };
  };
  const owners: Owners = {
    snapshot: (owner, wanted, signal) =>
      client(owner).ReplicaSnapshot(
        { types: wanted.map(wireColumns) },
        { failFast: true, ...(signal ? { signal } : {}) },
      ),
    rowsAt: (owner, wanted, ids) => rowsAt(owner, wanted, ids),
  };
  const unrecorded = (service: string, ids: readonly string[]): Promise<Unrecorded> =>
    client(service).UnrecordedEvents({ event_ids: ids }, { failFast: true });
  return { peers, owners, neighbours: { show, related }, show, matchingAt, published, written, unrecorded };
}

/** A peer of an older version, while services are upgraded one by one, is treated like one that cannot be reached. */
function orNotYet(error: { code?: number }): never {
  throw error.code === GrpcStatus.UNIMPLEMENTED
    ? Object.assign(new Error('not yet', { cause: error }), { code: GrpcStatus.UNAVAILABLE })
    : error;
}

const wireColumns = ({ type, columns }: { type: string; columns: readonly string[] }): WireColumns => ({
  type,
  columns: [...columns],
});

/**
 * Only what the owner needs to look up the requester's permissions: it asks the auth service itself, once per version.
 */
const wire = (who: Requester): WireRequester => ({
  user_id: who.userId ?? 0,
  username: who.username,
  superuser: who.grants.superuser,
  permissions_version: who.grantsVersion ?? 0,
});
