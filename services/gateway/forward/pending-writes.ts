import {
  parsePositions,
  seenHeader,
  mergePositions,
  type WritePosition,
  writtenHeader,
  positionText,
  positionTexts,
} from '@cadastre/service/write-positions';
import { webService } from '@cadastre/service/web';

export interface PendingWrites {
  /**
   * Called when a service has answered a write: other services have to follow it before they answer later requests. A
   * large write concerns only later requests of its own user, where that is known.
   */
  record(written: readonly WritePosition[], user?: number): void;
  /** The writes to send to a service with a user's request; undefined if there are none. */
  for(service: string, user?: number): string | undefined;
  /** Called when a service confirms some of the writes that it was sent. */
  seen(service: string, text: string): void;
}

/**
 * How long a write is remembered if a service does not confirm it: longer than following takes, unless something is
 * broken.
 */
export const REMEMBERED_MS = 30_000;
/** How many entries are sent for each owner of writes; older ones are combined. */
const MOST = 4;
/**
 * How many are stored until they are sent: most writes are followed by others, and seven services have to be told of
 * each.
 */
const KEPT = 64;

interface Entry {
  written: WritePosition;
  at: number;
}

/** The last entries, preceded by one that combines all older ones. */
function fewer(entries: readonly Entry[]): Entry[] {
  if (entries.length <= MOST) return [...entries];
  const older = entries.slice(0, 1 - MOST);
  const one = { written: mergePositions(older.map(({ written }) => written)), at: older.at(-1)!.at };
  return [one, ...entries.slice(1 - MOST)];
}

/** The writes that one service has not confirmed. */
class Open {
  readonly #byOwner = new Map<string, Entry[]>();
  /** The text as last built, and when it expires; undefined if the entries have changed since. */
  #told: { text: string | undefined; until: number } | undefined;

  add(written: WritePosition, at: number): void {
    const entries = this.#byOwner.get(written.service) ?? [];
    entries.push({ written, at });
    this.#byOwner.set(written.service, entries.length > KEPT ? fewer(entries) : entries);
    this.#told = undefined;
  }

  drop(texts: ReadonlySet<string>): void {
    this.#keep((entries) => entries.filter(({ written }) => !texts.has(positionText(written))));
  }

  text(now: number): string | undefined {
    if (!this.#told || now >= this.#told.until) {
      this.#keep((entries) => fewer(entries.filter(({ at }) => at + REMEMBERED_MS > now)));
      const all = [...this.#byOwner.values()].flat();
      this.#told = {
        text: all.length ? positionTexts(all.map(({ written }) => written)) : undefined,
        until: Math.min(...all.map(({ at }) => at)) + REMEMBERED_MS,
      };
    }
    return this.#told.text;
  }

  #keep(kept: (entries: readonly Entry[]) => Entry[]): void {
    for (const [owner, entries] of this.#byOwner) {
      const left = kept(entries);
      if (left.length) this.#byOwner.set(owner, left);
      else this.#byOwner.delete(owner);
    }
    this.#told = undefined;
  }
}

/** The writes that one service has not confirmed: those that concern everybody, and large ones by their author. */
interface OpenAt {
  all: Open;
  large: Map<number, Open>;
}

/**
 * Remembers for each service the writes in other services that it has not confirmed. This is stored in this process
 * only: a client that stays with one gateway reads its own writes.
 * @param follows whether the second service follows the first
 * @param most the number of objects in a write up to which everybody's requests wait for it; services take seconds to
 *   follow larger ones, so only their authors' requests wait
 * @param tell called with every write before the client gets its answer
 */
export function pendingWrites(
  services: Iterable<string>,
  follows: (owner: string, service: string) => boolean,
  most: number,
  tell: (written: readonly WritePosition[]) => void = () => undefined,
  now: () => number = Date.now,
): PendingWrites {
  const open = new Map(
    [...services].map((service): [string, OpenAt] => [service, { all: new Open(), large: new Map() }]),
  );
  const place = ({ all, large }: OpenAt, written: WritePosition, user: number | undefined): Open => {
    if (user === undefined || written.last - written.first < most) return all;
    return large.get(user) ?? large.set(user, new Open()).get(user)!;
  };
  const textOfLarge = (large: Map<number, Open>, user: number | undefined): string | undefined => {
    for (const [one, some] of large) if (some.text(now()) === undefined) large.delete(one);
    return user === undefined ? undefined : large.get(user)?.text(now());
  };
  return {
    record(all, user) {
      tell(all);
      for (const written of all)
        for (const [service, one] of open)
          if (follows(written.service, service)) place(one, written, user).add(written, now());
    },
    for(service, user) {
      const one = open.get(service);
      if (!one) return undefined;
      const text = one.all.text(now());
      const large = one.large.size ? textOfLarge(one.large, user) : undefined;
      return text && large ? `${text},${large}` : (text ?? large);
    },
    seen(service, text) {
      const one = open.get(service);
      if (!one) return;
      const texts = new Set(text.split(','));
      for (const some of [one.all, ...one.large.values()]) some.drop(texts);
    },
  };
}

/** Processes and removes the headers about writes in a service's answer; returns the writes of the request. */
export function recordAnswer(
  memory: PendingWrites,
  service: string,
  headers: { [name: string]: unknown },
  user?: number,
): WritePosition[] {
  const { [writtenHeader]: written, [seenHeader]: seen } = headers;
  delete headers[writtenHeader];
  delete headers[seenHeader];
  if (typeof seen === 'string') memory.seen(service, seen);
  // The web service writes at other services.
  const heard =
    typeof written === 'string'
      ? parsePositions(written).filter((one) => one.service === service || service === webService)
      : [];
  if (heard.length) memory.record(heard, user);
  return heard;
}
