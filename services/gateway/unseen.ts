import {
  parseWritten,
  seenHeader,
  together,
  type Written,
  writtenHeader,
  writtenText,
  writtenTexts,
} from '@cadastre/service/written';
import { webService } from '@cadastre/service/web';

export interface Unseen {
  /** A service has answered a write: others are to know of it before they answer what comes from now on. */
  heard(written: readonly Written[]): void;
  /** What to tell a service with a request; undefined for nothing. */
  for(service: string): string | undefined;
  /** A service knows of what it was told, or of a part, as it says. */
  seen(service: string, text: string): void;
}

/**
 * How long a write is remembered that a service has not said to have seen: longer than following takes, unless much is
 * broken.
 */
export const REMEMBERED_MS = 30_000;
/** So many entries are kept for each pair of services; older ones are taken together. */
const MOST = 4;

interface Entry {
  written: Written;
  at: number;
}

/** What one service has yet to hear of. */
class Open {
  readonly #byOwner = new Map<string, Entry[]>();
  #text: string | undefined;
  /** When the oldest entry is over. */
  #until = Number.POSITIVE_INFINITY;

  add(written: Written, now: number): void {
    const entries = this.#byOwner.get(written.service) ?? [];
    this.#byOwner.set(written.service, entries);
    entries.push({ written, at: now });
    if (entries.length > MOST) {
      const [first, second] = entries.splice(0, 2) as [Entry, Entry];
      entries.unshift({ written: together(first.written, second.written), at: second.at });
    }
    this.#changed();
  }

  drop(texts: ReadonlySet<string>): void {
    this.#keep(({ written }) => !texts.has(writtenText(written)));
  }

  text(now: number): string | undefined {
    if (now >= this.#until) this.#keep(({ at }) => at + REMEMBERED_MS > now);
    return this.#text;
  }

  #keep(kept: (entry: Entry) => boolean): void {
    for (const [owner, entries] of this.#byOwner) {
      const left = entries.filter(kept);
      if (left.length) this.#byOwner.set(owner, left);
      else this.#byOwner.delete(owner);
    }
    this.#changed();
  }

  #changed(): void {
    const all = [...this.#byOwner.values()].flat();
    this.#text = all.length ? writtenTexts(all.map(({ written }) => written)) : undefined;
    this.#until = Math.min(...all.map(({ at }) => at)) + REMEMBERED_MS;
  }
}

/**
 * Remembers for each service what has been written in others and what it has not said to know. In this process alone: a
 * client that stays with one gateway reads what it has written.
 * @param follows whether the second service follows the first
 * @param tell is told of every write before the client has its answer
 */
export function unseen(
  services: Iterable<string>,
  follows: (owner: string, service: string) => boolean,
  tell: (written: readonly Written[]) => void = () => undefined,
  now: () => number = Date.now,
): Unseen {
  const open = new Map([...services].map((service) => [service, new Open()]));
  return {
    heard(all) {
      tell(all);
      for (const written of all)
        for (const [service, one] of open) if (follows(written.service, service)) one.add(written, now());
    },
    for: (service) => open.get(service)?.text(now()),
    seen: (service, text) => open.get(service)?.drop(new Set(text.split(','))),
  };
}

/** Takes what a service says of writes out of the headers of its answer; returns what the request has written there. */
export function takeNote(memory: Unseen, service: string, headers: { [name: string]: unknown }): Written[] {
  const { [writtenHeader]: written, [seenHeader]: seen } = headers;
  delete headers[writtenHeader];
  delete headers[seenHeader];
  if (typeof seen === 'string') memory.seen(service, seen);
  // The web pages write at other services.
  const heard =
    typeof written === 'string'
      ? parseWritten(written).filter((one) => one.service === service || service === webService)
      : [];
  if (heard.length) memory.heard(heard);
  return heard;
}
