import type { IncomingMessage } from 'node:http';
import { isPacked } from '@cadastre/body';
import type { Refusal } from '../arrive/json.ts';

const packed: Refusal = {
  status: 415,
  detail: 'Compressed bodies are taken from those alone who are known. Please send it as it is.',
};

/**
 * Why the body of a request without a login is not read: it is compressed, or larger than `most` bytes. Call this
 * before waiting for the body, and again when its beginning has arrived. Undefined if the body may be read.
 */
export function refusalOfAnonymousBody(req: IncomingMessage, most: number, isHere: boolean): Refusal | undefined {
  if (isPacked(req.headers['content-encoding'])) return packed;
  const announced = Number(req.headers['content-length'] ?? 0);
  // A body of unknown length that is still coming.
  const endless = isHere && !req.complete && req.headers['transfer-encoding'] !== undefined;
  return announced > most || req.readableLength > most || endless
    ? { status: 413, detail: `Without a login or a token a request may have at most ${most} bytes.` }
    : undefined;
}
