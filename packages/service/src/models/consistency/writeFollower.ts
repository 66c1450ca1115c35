import type { ChangeEvent, Span } from '@cadastre/events';
import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WritePosition, positionText, positionTexts } from '../../request/write-positions.ts';
import { within } from '../../events/catchUp.ts';

export interface WriteFollowerOptions {
  /** How long a request waits at most, in milliseconds; 0 for not at all. */
  withinMs: number;
  /** Whether what was written can matter to this service at all. */
  concerns(written: WritePosition): boolean;
  /** The services in which more may follow when objects of these types are gone, as far as this service hears of it. */
  thirds(written: WritePosition): readonly string[];
  /** Asks the owner for the events themselves. Undefined when they are more than one answer holds. */
  fetch(owner: string, spans: readonly Span[], ms: number): Promise<ChangeEvent[] | undefined>;
  apply(events: readonly ChangeEvent[]): Promise<void>;
  /** Follows by the log whatever a service had committed by now, and says whether that was all. */
  followOwner(owner: string, ms: number): Promise<boolean>;
  /** The same for several, with what follows there from what was written elsewhere. */
  followAll(services: readonly string[], ms: number): Promise<boolean>;
  /** Is told for whom a request has waited in vain. */
  late(owner: string): void;
  waited(seconds: number): void;
}

/** What a request looks at: numbers of types, and the services that own them. Null for anything. */
export interface RequestScope {
  types: ReadonlySet<number>;
  services: ReadonlySet<string>;
}

export interface WriteFollower {
  /**
   * Makes sure that what was written is known here, as far as the request looks at it and the time allows. Returns what
   * of that is known from now on. With `onwards` also what has followed from it in third services.
   */
  awaitWrites(
    pendingWrites: readonly WritePosition[],
    looksAt: RequestScope | null,
    onwards?: boolean,
  ): Promise<WritePosition[]>;
  /** Whether an event that the log brings has been applied already. */
  has(event: ChangeEvent): boolean;
}

/** Under which names it is remembered that something is known: itself, and what has followed from it in third services. */
interface Names {
  own: string;
  thirds: readonly (readonly [service: string, name: string])[];
}
const nameAt = (own: string, third: string): string => `${own} ${third}`;

/** How many events the owner is asked for at once. */
export const ASKED = 250;
/** More events than this are not asked for, but waited for: the log is about to bring them, too. */
const MOST_ASKED = 2_000;
/** How long to wait before an owner that did not answer is asked again, in milliseconds. */
const PAUSE_MS = 50;

/**
 * Lets a request see what had been written in other services before it came. Mostly the log has not brought it yet, and
 * the owner is asked for these events: a call, and what following them takes. Requests that wait for the same share
 * that.
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
  /** Owners that could not be asked, and until when nobody waits for them to come back. */
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

  /** Tries until it is done or the time is over; an owner that was away the last time gets one try. */
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
  /** Whoever reads the same entry of many requests once has them made once. */
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
   * What follows elsewhere from what is gone: third services are made to see it, then everything of theirs is followed.
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
        // Not shared: whom this asks learns by the asking request what it has to have seen.
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

/** The same numbers in portions of which each can be asked for at once. */
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
