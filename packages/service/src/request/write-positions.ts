import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

// What services say of writes that have been answered, so that whoever is asked next can make sure that it knows of
// them. Inside an installation only: the gateway takes these headers out of what clients send and get.

/** With a write's answer: what it has put into the service's outbox. */
export const writtenHeader = 'x-cadastre-write-position';
/**
 * With a request: what has been written elsewhere that the service has not said to have seen. Between services an entry
 * of the call's metadata.
 */
export const pendingHeader = 'x-cadastre-pending-writes';
/** With an answer: what of that the service knows of from now on. */
export const seenHeader = 'x-cadastre-followed-writes';

/** What one or several writes have put into a service's outbox. */
export interface WritePosition {
  readonly service: string;
  /** Numbers of the first event and the last. Others' events may lie between them. */
  readonly first: number;
  readonly last: number;
  /** Numbers of the types of the objects; null for too many to name. */
  readonly types: ReadonlySet<number> | null;
  /** Whether some of the objects are gone: more may follow from that, in other services. */
  readonly gone: boolean;
  /** Of several taken together, which may span the same numbers as one of them alone: a word that no other has. */
  readonly several?: string;
}

/** So many types are named at most. */
const MAX_TYPES = 8;
/** So many entries are read at most; nobody of ours sends more. */
const MAX_ENTRIES = 64;
/** So many entries are remembered at most. */
const MAX_KNOWN = 5_000;

const entry = /^([a-z]+):(\d{1,15})-(\d{1,15}):(\*|\d{1,10}(?:\.\d{1,10})*)(!?)(?:~([0-9a-z]{1,20}))?$/;

export const positionText = ({ service, first, last, types, gone, several }: WritePosition): string =>
  `${service}:${first}-${last}:${types && types.size <= MAX_TYPES ? [...types].join('.') : '*'}${gone ? '!' : ''}${several === undefined ? '' : `~${several}`}`;

export const positionTexts = (all: readonly WritePosition[]): string => all.map(positionText).join(',');

/** Reads what `positionTexts` makes; of anything else nothing. */
export const parsePositions = (text: string | undefined): WritePosition[] => readWith(parseEntry, text);

/**
 * The same for who is told of the same entries again and again: one of which the text is known is the same object as
 * before, and what depends on it alone can be remembered with it.
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

/** One entry that stands for several of the same service; there is one at least. */
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
