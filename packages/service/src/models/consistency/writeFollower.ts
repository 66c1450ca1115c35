import type { ChangeEvent, Span } from '@cadastre/events';
import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WritePosition, positionText, positionTexts } from '../../request/write-positions.ts';
import { within } from '../../events/catchUp.ts';

export interface WriteFollowerOptions {
  /** How long a request waits at most, in milliseconds; 0 for not at all. */
  withinMs: number;
  /** Whether a write can matter to this service at all. */
  concerns(written: WritePosition): boolean;
  /**
   * The services in which a deletion of objects of these types may cause further changes, as far as this service
   * follows them.
   */
  thirds(written: WritePosition): readonly string[];
  /** Asks the owner for the events themselves. Undefined if they are more than one answer holds. */
  fetch(owner: string, spans: readonly Span[], ms: number): Promise<ChangeEvent[] | undefined>;
  apply(events: readonly ChangeEvent[]): Promise<void>;
  /** Follows through the log everything that a service has committed by now, and returns whether that was all. */
  followOwner(owner: string, ms: number): Promise<boolean>;
  /** The same for several services, including what has followed there from writes in other services. */
  followAll(services: readonly string[], ms: number): Promise<boolean>;
  /** Called with the owner whose writes a request has waited for in vain. */
  late(owner: string): void;
  waited(seconds: number): void;
}

/** What a request looks at: numbers of types, and the services that own them. Null: it may look at anything. */
export interface RequestScope {
  types: ReadonlySet<number>;
  services: ReadonlySet<string>;
}

export interface WriteFollower {
  /**
   * Makes sure that writes are known here, as far as the request looks at them and the time allows. Returns those that
   * are known from now on. With `onwards` this includes what has followed from them in third services.
   */
  awaitWrites(
    pendingWrites: readonly WritePosition[],
    looksAt: RequestScope | null,
    onwards?: boolean,
  ): Promise<WritePosition[]>;
  /** Whether an event that the log brings has been applied already. */
  has(event: ChangeEvent): boolean;
}

/**
 * The keys under which a write is remembered as known: its own, and one for what has followed from it in each third
 * service.
 */
interface Names {
  own: string;
  thirds: readonly (readonly [service: string, name: string])[];
}
const nameAt = (own: string, third: string): string => `${own} ${third}`;

/** How many events the owner is asked for at once. */
export const ASKED = 250;
/**
 * If there are more events than this, the owner is not asked for them: the log is about to bring them, so the request
 * waits for that.
 */
const MOST_ASKED = 2_000;
/** How long to wait before an owner that did not answer is asked again, in milliseconds. */
const PAUSE_MS = 50;

/**
 * Lets a request see what had been written in other services before it came. Usually the log has not brought these
 * events yet, and the owner is asked for them: that takes a call, and the time to apply them. Requests that wait for
 * the same events share this work.
 */
export function writeFollower({
  withinMs,
  concerns,
  thirds,
  fetch,
  apply,
  followOwner,
  followAll,
  late,
  waited,
}: WriteFollowerOptions): WriteFollower {
  const known = new LRUCache<string, true>({ max: 5_000 });
  const applied = new LRUCache<string, true>({ max: 20_000 });
  const underway = new Map<string, Promise<boolean>>();
  /** Owners that could not be reached, and until when requests do not wait for them. */
  const resting = new Map<string, number>();

  const shared = (key: string, work: () => Promise<boolean>): Promise<boolean> => {
    let running = underway.get(key);
    if (!running) underway.set(key, (running = work().finally(() => underway.delete(key))));
    return running;
  };

  async function pull(owner: string, some: readonly WritePosition[], until: number): Promise<boolean> {
    const left = (): number => Math.max(1, until - Date.now());
    if (some.reduce((sum, { first, last }) => sum + last - first + 1, 0) > MOST_ASKED)
      return followOwner(owner, left());
    for (const spans of portions(some)) {
      const events = await fetch(owner, spans, left());
      if (!events) return followOwner(owner, left());
      const fresh = events.filter(({ id }) => !applied.has(id));
      if (fresh.length) await apply(fresh);
      for (const { id } of fresh) applied.set(id, true);
    }
    return true;
  }

  /** Tries until it succeeds or the time is over; an owner that could not be reached the last time gets one try. */
  async function follow(owner: string, some: readonly WritePosition[]): Promise<boolean> {
    const until = Date.now() + withinMs;
    const rests = (resting.get(owner) ?? 0) > Date.now();
    for (;;) {
      try {
        const done = await pull(owner, some, until);
        if (done) {
          resting.delete(owner);
          for (const one of some) known.set(namesOf(one).own, true);
        }
        return done;
      } catch {
        if (rests || Date.now() + PAUSE_MS >= until) {
          if (!rests) resting.set(owner, Date.now() + withinMs);
          return false;
        }
        await sleep(PAUSE_MS);
      }
    }
  }

  const names = new WeakMap<WritePosition, Names>();
  /**
   * Computed once per entry object: `positionReader` returns the same object for an entry that comes with many
   * requests.
   */
  const namesOf = (one: WritePosition): Names => {
    let found = names.get(one);
    if (!found) {
      const own = positionText(one);
      found = { own, thirds: one.gone ? thirds(one).map((third) => [third, nameAt(own, third)]) : [] };
      names.set(one, found);
    }
    return found;
  };
  const isDone = (one: WritePosition): boolean => known.has(namesOf(one).own);
  const leftAt = (one: WritePosition): string[] =>
    namesOf(one).thirds.flatMap(([third, name]) => (known.has(name) ? [] : third));

  /**
   * Follows what deletions have caused elsewhere: third services are made to see the deletions, then all of their
   * changes are followed.
   */
  async function followOn(gone: readonly WritePosition[], looksAt: RequestScope | null): Promise<boolean> {
    const services = [...new Set(gone.flatMap(leftAt))]
      .filter((third) => !looksAt || looksAt.services.has(third))
      .sort();
    if (!services.length) return true;
    const done = await followAll(services, withinMs);
    if (done) for (const one of gone) for (const third of services) known.set(nameAt(namesOf(one).own, third), true);
    return done;
  }

  return {
    has: ({ id }) => applied.has(id),
    async awaitWrites(pendingWrites, looksAt, onwards = true) {
      const matters = (one: WritePosition): boolean => !looksAt || !one.types?.isDisjointFrom(looksAt.types);
      const open = pendingWrites.filter(concerns);
      const awaited = withinMs ? open.filter((one) => matters(one) && !isDone(one)) : [];
      const started = performance.now();
      const until = Date.now() + withinMs;
      if (awaited.length) {
        await Promise.all(
          [...Map.groupBy(awaited, ({ service }) => service)].map(async ([owner, some]) => {
            const done = await within(
              shared(positionTexts(some), () => follow(owner, some)),
              withinMs,
            );
            if (!done) late(owner);
          }),
        );
      }
      const gone = onwards && withinMs ? open.filter((one) => one.gone && isDone(one) && leftAt(one).length) : [];
      if (gone.length) {
        // Not shared between requests: the services that are called learn from the current request which writes they
        // must have seen.
        const done = await within(
          followOn(gone, looksAt).catch(() => false),
          Math.max(1, until - Date.now()),
        );
        if (!done) late(gone[0]!.service);
      }
      if (awaited.length || gone.length) waited((performance.now() - started) / 1000);
      return pendingWrites.filter((one) => !concerns(one) || (isDone(one) && !leftAt(one).length));
    },
  };
}

/** The same spans in portions, each small enough for one request to the owner. */
export function portions(spans: readonly Span[]): Span[][] {
  const all: Span[][] = [[]];
  let room = ASKED;
  for (const { first, last } of spans) {
    for (let at = first; at <= last; ) {
      if (!room) {
        all.push([]);
        room = ASKED;
      }
      const end = Math.min(last, at + room - 1);
      all.at(-1)!.push({ first: at, last: end });
      room -= end - at + 1;
      at = end + 1;
    }
  }
  return all;
}
