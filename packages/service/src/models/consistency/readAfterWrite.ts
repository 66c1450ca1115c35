import {
  type RelevanceFilter,
  type ChangeEvent,
  parseEvent,
  type Span,
  type Wanted,
  type Written as WrittenEvents,
  writtenIn,
} from '@cadastre/events';
import { type Model, typeId } from '@cadastre/model';
import { concerns, type CustomFieldDefinitions, type Engine, type Requester, referencedTypes } from '@cadastre/rest';
import { Counter, Histogram, type Registry } from 'prom-client';
import { GrpcStatus } from '../../grpc/index.ts';
import { type WritePosition, positionReader, positionText } from '../../request/write-positions.ts';
import { ASKED, type RequestScope, writeFollower } from './writeFollower.ts';

export interface ReadAfterWriteOptions {
  engine: Engine;
  registry: Registry;
  withinMs: number;
  /** Whether this service also follows changes of its own objects. */
  followsItself: boolean;
  relevance: RelevanceFilter | undefined;
  /** Asks another service for events of its outbox. */
  written(service: string, wanted: Wanted, ms: number): Promise<WrittenEvents>;
  apply(events: readonly ChangeEvent[]): Promise<void>;
  followOwner(owner: string, ms: number): Promise<boolean>;
  followAll(services: readonly string[], ms: number): Promise<boolean>;
}

/** How this service sees writes that were made in other services before a request. */
export interface ReadAfterWrite {
  /**
   * Takes the text of `pendingHeader`, waits for the writes that matter to a request for objects of the model (without
   * a model, for all of them), and returns the writes that are known here from now on, in the same format.
   */
  awaitWrites(pendingWrites: string, model: Model | undefined, who?: Requester): Promise<string>;
  /**
   * The same for calls of other services. With `onwards: false` it does not wait for what has followed from the writes
   * in third services.
   */
  awaitAllWrites(pendingWrites: string | undefined, model?: Model, onwards?: boolean): Promise<void>;
  has(event: ChangeEvent): boolean;
}

const CUSTOM_FIELD = typeId('extras.customfield');

export function readAfterWrite({
  engine,
  registry,
  withinMs,
  followsItself,
  relevance: relevance,
  written,
  apply,
  followOwner,
  followAll,
}: ReadAfterWriteOptions): ReadAfterWrite {
  const { catalogue, tables } = engine;
  const names = new Map([...catalogue.models.keys()].map((type) => [typeId(type), type]));
  const wanted = tables.keepsAnyObject ? null : [...names.values()].filter((type) => concerns(engine, type));
  const numbers = wanted && new Set(wanted.map(typeId));
  const late = new Counter({
    name: 'read_after_write_late_total',
    help: 'Requests that were answered without what another service had written before',
    labelNames: ['owner'],
    registers: [registry],
  });
  const waits = new Histogram({
    name: 'read_after_write_wait_seconds',
    help: 'How long requests waited for what other services had written before',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });

  const fetch = async (owner: string, spans: readonly Span[], ms: number): Promise<ChangeEvent[] | undefined> => {
    const asked = {
      spans,
      types: await typesWanted(),
      replicas: relevance?.names ?? [],
      relevantKeys: new Set<string>(),
    };
    const from = (one: Wanted) =>
      owner === tables.service ? writtenIn(engine.pool, one, ASKED) : written(owner, one, ms);
    try {
      let found = await from(asked);
      const relevantKeys = found.irrelevantKeys.length
        ? await relevance!.relevant(found.irrelevantKeys)
        : new Set<string>();
      if (relevantKeys.size) found = await from({ ...asked, relevantKeys });
      return found.events.map(parseEvent);
    } catch (error) {
      if ((error as { code?: number }).code === GrpcStatus.RESOURCE_EXHAUSTED) return undefined;
      throw error;
    }
  };
  /** Custom fields may point at objects of any type. */
  const typesWanted = async (): Promise<string[] | null> =>
    wanted && [...new Set([...wanted, ...(await pointed()).values()])];
  const pointedBy = new WeakMap<CustomFieldDefinitions, ReadonlyMap<number, string>>();
  /** The types that custom fields of this service's objects point at, by type number. */
  const pointed = async (): Promise<ReadonlyMap<number, string>> => {
    const definitions = await engine.definitions();
    let types = pointedBy.get(definitions);
    if (!types)
      pointedBy.set(
        definitions,
        (types = new Map(
          catalogue
            .ownedBy(tables.service)
            .flatMap(({ name }) => definitions.of(name).flatMap(({ relatedType }) => relatedType ?? []))
            .map((type) => [typeId(type), type]),
        )),
      );
    return types;
  };

  let pointedNumbers: ReadonlyMap<number, string> = new Map();
  const follower = writeFollower({
    withinMs,
    fetch,
    apply,
    followOwner,
    followAll,
    concerns: ({ service, types }) => {
      if (service === tables.service) return followsItself && (!types || types.has(CUSTOM_FIELD));
      return !types || !numbers || !types.isDisjointFrom(numbers) || !types.isDisjointFrom(pointedNumbers);
    },
    thirds: ({ service, types }) => {
      const gone = types
        ? [...types].flatMap((type) => names.get(type) ?? [])
        : catalogue.ownedBy(service).map(({ name }) => name);
      return [
        ...new Set(
          gone.flatMap((type) => catalogue.incoming(type).map(({ model }) => catalogue.serviceOf(model.name)!)),
        ),
      ].filter((third) => third !== tables.service && third !== service);
    },
    late: (owner) => late.inc({ owner }),
    waited: (seconds) => waits.observe(seconds),
  });

  const numbered = new WeakMap<ReadonlySet<string>, RequestScope>();
  const looksAt = async (model: Model | undefined): Promise<RequestScope | null> => {
    const types = model && (await referencedTypes(engine, model));
    if (!types) return null;
    let found = numbered.get(types);
    if (!found)
      numbered.set(
        types,
        (found = {
          types: new Set([...types].map(typeId)),
          services: new Set([...types].flatMap((type) => catalogue.serviceOf(type) ?? [])),
        }),
      );
    return found;
  };
  const read = positionReader();

  async function see(
    text: string,
    model: Model | undefined,
    constrained: boolean,
    onwards = true,
  ): Promise<readonly WritePosition[]> {
    const pendingWrites = read(text);
    pointedNumbers = await pointed();
    const looks = async () => (constrained ? null : looksAt(model));
    const before = await looks();
    const seen = await follower.awaitWrites(pendingWrites, before, onwards);
    if (seen.length === pendingWrites.length || !pendingWrites.some(({ types }) => !types || types.has(CUSTOM_FIELD)))
      return seen;
    // Definitions of custom fields that have just been applied may refer to objects of more types.
    await engine.invalidations.wait();
    const after = await looks();
    return after === before ? seen : follower.awaitWrites(pendingWrites, after, onwards);
  }

  return {
    has: follower.has,
    awaitWrites: async (text, model, who) =>
      (await see(text, model, !model || isConstrained(model, who))).map(positionText).join(','),
    async awaitAllWrites(text, model, onwards = true) {
      if (text !== undefined) await see(text, model, !model, onwards);
    },
  };
}

/**
 * Whether the requester's permissions have constraints, so that they depend on the objects' values; these may lead to
 * any type.
 */
const isConstrained = ({ name }: Model, who: Requester | undefined): boolean =>
  who !== undefined &&
  ['view', 'add', 'change', 'delete'].some((action) => who.grants.byAction.get(`${action} ${name}`));
