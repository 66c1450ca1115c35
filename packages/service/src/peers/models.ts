import type { Wanted as WantedOfOutbox, Written } from '@cadastre/events';
import type { Reference } from '@cadastre/model';
import {
  type Asked,
  type Chunk,
  type Dependents,
  type DeletionPreview,
  type Neighbours,
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
  CountReferences(request: { type: string; ids: number[]; by: string; requester: WireRequester }): Dependents;
  Foresee(request: { objects: readonly TypedIds[] }): DeletionPreview;
  Release(request: { by: string }): object;
  Published(request: object): object;
  Written(request: { first: number[]; last: number[]; types: string[]; aside: string[]; heeded: string[] }): {
    events: string[];
    aside: string[];
  };
  Unrecorded(request: { event_ids: readonly string[] }): Unrecorded;
  Show(request: { type: string; ids: number[]; requester: WireRequester }): { objects: ObjectSnapshot[] };
  Related(request: {
    type: string;
    field: string;
    to: string;
    ids: readonly number[];
    limit: number;
    requester: WireRequester;
  }): { of: number[]; ids: number[]; objects: ObjectSnapshot[] };
  Snapshot(request: { kept: WireKept[] }): AsyncIterable<Chunk>;
  Rows(request: { kept: WireKept; ids: number[] }): { rows: string };
}

/** What is kept of a type. */
interface WireKept {
  type: string;
  columns: string[];
}

/**
 * Events that the keeper of the change records has no record of; those older than so many days (0: any age) it would
 * not keep.
 */
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

/** How long a service may take to say what refers to objects, which may be thousands: less than their marks last. */
const REFERENCES_MS = 20_000;
/** How long to wait for a connection to a service before it counts as unreachable. */
const REACHED_MS = 1_000;
/** How long an owner may take for some rows. */
const ROWS_MS = 30_000;

/** Objects of any type as events would tell of them now, those that the requester may view. @throws Unreachable */
export type Show = (type: string, ids: number[], who: Requester) => Promise<ObjectSnapshot[]>;

/** The other services, over gRPC. */
export function grpcPeers(
  calls: Calls,
  reachedMs = REACHED_MS,
): {
  peers: Peers;
  owners: Owners;
  neighbours: Neighbours;
  show(service: string, ...asked: Parameters<Show>): ReturnType<Show>;
  published(service: string, withinMs: number): Promise<void>;
  written(service: string, wanted: WantedOfOutbox, timeoutMs: number): Promise<Written>;
  matchingAt(service: string, matching: Matching): Promise<number[]>;
  unrecorded(service: string, ids: readonly string[]): Promise<Unrecorded>;
} {
  const client = (service: string) => calls.to<ModelsApi>(service, MODELS);
  // A service that has just started is found again within half a second. All of these may be asked twice: marks that
  // are there are there.
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
    (await client(owner).Rows({ kept: wireKept(wanted), ids: [...ids] }, { ...how, timeoutMs: ROWS_MS })).rows;
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
    countReferences: (service, type, ids, by, who) =>
      reaching(service, () =>
        client(service).CountReferences(
          { type, ids, by, requester: wire(who) },
          { failFast: true, timeoutMs: REFERENCES_MS },
        ),
      ),
    preview: (service, objects) =>
      reaching(service, () => client(service).Foresee({ objects }, { failFast: true, timeoutMs: REFERENCES_MS })),
    release: async (service, by) => {
      await client(service).Release({ by }, { failFast: true });
    },
  };
  const show = async (service: string, ...[type, ids, who]: Parameters<Show>): Promise<ObjectSnapshot[]> =>
    (await reaching(service, () => client(service).Show({ type, ids, requester: wire(who) }, { failFast: true })))
      .objects;
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
      client(service).Related({ ...asked, ids, requester: wire(who) }, { failFast: true }),
    );
    return { pairs: of.map((id, i) => [id, found[i]!]), objects };
  };
  const published = async (service: string, timeoutMs: number): Promise<void> => {
    await client(service).Published({}, { failFast: true, timeoutMs });
  };
  const written = (
    service: string,
    { spans, types, aside, heeded }: WantedOfOutbox,
    timeoutMs: number,
  ): Promise<Written> =>
    client(service).Written(
      {
        first: spans.map(({ first }) => first),
        last: spans.map(({ last }) => last),
        types: [...(types ?? [])],
        aside: [...aside],
        heeded: [...heeded],
      },
      { failFast: true, timeoutMs },
    );
  const owners: Owners = {
    snapshot: (owner, wanted, signal) =>
      client(owner).Snapshot({ kept: wanted.map(wireKept) }, { failFast: true, ...(signal ? { signal } : {}) }),
    rowsAt: (owner, wanted, ids) => rowsAt(owner, wanted, ids),
  };
  const unrecorded = (service: string, ids: readonly string[]): Promise<Unrecorded> =>
    client(service).Unrecorded({ event_ids: ids }, { failFast: true });
  return { peers, owners, neighbours: { show, related }, show, matchingAt, published, written, unrecorded };
}

/** A neighbour of an older version, while services are replaced one by one, is like one that is away. */
function orNotYet(error: { code?: number }): never {
  throw error.code === GrpcStatus.UNIMPLEMENTED
    ? Object.assign(new Error('not yet', { cause: error }), { code: GrpcStatus.UNAVAILABLE })
    : error;
}

const wireKept = ({ type, columns }: { type: string; columns: readonly string[] }): WireKept => ({
  type,
  columns: [...columns],
});

/**
 * Only what the owner needs to find the requester's permissions again: it asks the auth service itself, once for each
 * version.
 */
const wire = (who: Requester): WireRequester => ({
  user_id: who.userId ?? 0,
  username: who.username,
  superuser: who.grants.superuser,
  permissions_version: who.grantsVersion ?? 0,
});
