import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** What is answered piece by piece, as it comes about, until it ends by itself or nobody listens any more. */
export type Stream = (ended: AbortSignal) => AsyncIterable<string | Uint8Array>;

/**
 * Sends pieces as they come, at the pace of the client. It ends with the stream, when the client leaves, or when it is
 * told to: the server closes, or others need the place.
 */
export async function pump(response: ServerResponse, stream: Stream, over?: AbortSignal): Promise<void> {
  const left = new AbortController();
  // A client that left while the answer was being prepared causes no further `close`.
  if (response.destroyed) left.abort();
  response.once('close', () => left.abort());
  const ended = over ? AbortSignal.any([left.signal, over]) : left.signal;
  // The client learns at once that the stream is open.
  response.flushHeaders();
  try {
    for await (const piece of stream(ended)) {
      if (ended.aborted) break;
      if (!response.write(piece)) await once(response, 'drain', { signal: ended });
    }
  } catch (error) {
    if (!ended.aborted) {
      response.destroy(error as Error);
      return;
    }
  }
  // A client that does not take what was sent would not take the end either.
  if (response.writableNeedDrain) response.destroy();
  else response.end();
}
