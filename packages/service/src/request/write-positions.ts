import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

// Headers by which services report answered writes, so that the next service that is called can make sure that it has
// seen them. Used inside an installation only: the gateway removes them from requests and answers of clients.

/** In the answer to a write: what it has put into the service's outbox. */
export const writtenHeader = 'x-cadastre-write-position';
/**
 * In a request: the writes made elsewhere that the service has not reported as seen. Between services, an entry of the
 * call's metadata.
 */
export const pendingHeader = 'x-cadastre-pending-writes';
/** In an answer: which of those writes the service knows from now on. */
export const seenHeader = 'x-cadastre-followed-writes';

/** What one or several writes have put into a service's outbox. */
export interface WritePosition {
  readonly service: string;
  /** Ids of the first event and the last. Events of other writes may lie between them. */
  readonly first: number;
  readonly last: number;
  /** Numbers of the objects' types; null if they are too many to list. */
  readonly types: ReadonlySet<number> | null;
  /** Whether some of the objects were deleted: more changes may follow from that in other services. */
  readonly gone: boolean;
  /** For several writes merged into one entry, which may span the same ids as one of them alone: a unique text. */
  readonly several?: string;
}

/** The most types that an entry lists. */
const MAX_TYPES = 8;
/** The most entries that are read; none of our services sends more. */
const MAX_ENTRIES = 64;
/** The most entries that are remembered. */
const MAX_KNOWN = 5_000;

const entry = /^([a-z]+):(\d{1,15})-(\d{1,15}):(\*|\d{1,10}(?:\.\d{1,10})*)(!?)(?:~([0-9a-z]{1,20}))?$/;

export const positionText = ({ service, first, last, types, gone, several }: WritePosition): string =>
  `${service}:${first}-${last}:${types && types.size <= MAX_TYPES ? [...types].join('.') : '*'}${gone ? '!' : ''}${several === undefined ? '' : `~${several}`}`;

export const positionTexts = (all: readonly WritePosition[]): string => all.map(positionText).join(',');

/** Reads what `positionTexts` writes; other entries are ignored. */
export const parsePositions = (text: string | undefined): WritePosition[] => readWith(parseEntry, text);

/**
 * The same for a reader that gets the same entries repeatedly: equal texts yield the same object, so that values
 * derived from an entry can be cached by it.
 */
export function positionReader(): typeof parsePositions {
  const known = new LRUCache<string, WritePosition>({ max: MAX_KNOWN });
  const remembered = (one: string): WritePosition | undefined => {
    let written = known.get(one);
    if (!written && (written = parseEntry(one))) known.set(one, written);
    return written;
  };
  return (text) => readWith(remembered, text);
}

const readWith = (read: (entry: string) => WritePosition | undefined, text: string | undefined): WritePosition[] =>
  text ? text.split(',', MAX_ENTRIES).flatMap((one) => read(one) ?? []) : [];

function parseEntry(text: string): WritePosition | undefined {
  const [, service, first, last, types, gone, several] = entry.exec(text) ?? [];
  if (service === undefined || Number(first) > Number(last)) return undefined;
  return {
    service,
    first: Number(first),
    last: Number(last),
    types: types === '*' ? null : new Set(types!.split('.').map(Number)),
    gone: gone === '!',
    ...(several === undefined ? {} : { several }),
  };
}

/** One entry that stands for several of the same service; there must be at least one. */
export function mergePositions(all: readonly WritePosition[]): WritePosition {
  const [one] = all as [WritePosition];
  if (all.length === 1) return one;
  return {
    service: one.service,
    first: Math.min(...all.map(({ first }) => first)),
    last: Math.max(...all.map(({ last }) => last)),
    types: all.every(({ types }) => types) ? new Set(all.flatMap(({ types }) => [...types!])) : null,
    gone: all.some(({ gone }) => gone),
    several: randomUUID().replaceAll('-', '').slice(0, 16),
  };
}
