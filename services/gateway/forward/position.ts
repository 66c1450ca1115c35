import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';
import { parsePositions, mergePositions, type WritePosition, positionTexts } from '@cadastre/service/write-positions';
import { REMEMBERED_MS } from './pending-writes.ts';

/** Sent with the answer to a write; a client that sends it back sees that write through any gateway. */
export const positionHeader = 'x-write-position';

/** The position of the writes that a client knows of, as a text that the client stores and cannot forge. */
export interface Positions {
  seal(written: readonly WritePosition[]): string;
  /** Empty for a text that no gateway of this installation has sealed, or that is too old to matter. */
  open(text: string): WritePosition[];
}

/** The gateways' own texts are never longer. */
const MAX_LENGTH = 2_000;

export function positions(secret: Secret, now: () => number = Date.now): Positions {
  const key = createSecretKey(keyFor(secret, 'positions'));
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  return {
    seal(written) {
      const text = `${now()}.${positionTexts(perService(written))}`;
      return `${text}.${sign(text)}`;
    },
    open(text) {
      const end = text.lastIndexOf('.');
      if (text.length > MAX_LENGTH || end < 0) return [];
      const signed = text.slice(0, end);
      const given = Buffer.from(text.slice(end + 1));
      const right = Buffer.from(sign(signed));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return [];
      const begin = signed.indexOf('.');
      return Number(signed.slice(0, begin)) + REMEMBERED_MS > now() ? parsePositions(signed.slice(begin + 1)) : [];
    },
  };
}

/** One entry for each service, so that a text never grows beyond that. */
const perService = (written: readonly WritePosition[]): WritePosition[] =>
  [...Map.groupBy(written, ({ service }) => service).values()].map(mergePositions);
