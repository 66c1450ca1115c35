import type { IncomingMessage } from 'node:http';
import { SMALL } from './limits.ts';
import { refuse } from './refusal.ts';
import { tooLarge } from './unpack.ts';

/** Whether a request has a body at all. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * The bytes that a client sends, unchanged. Nothing more is read once the limit is reached; the rest is dropped with
 * the answer. @param grow awaited before more than a small body is kept; meanwhile nothing is read from the client
 * @throws Refusal 413 when there are more than `most`, 400 when the client stops in the middle
 */
export function receive(
  request: IncomingMessage,
  most: number,
  grow: (bytes: number) => Promise<void> = async () => {},
): Promise<Buffer> {
  const announced =
    request.headers['transfer-encoding'] === undefined ? Number(request.headers['content-length']) : Number.NaN;
  if (announced > most) return Promise.reject(tooLarge(most));
  if (announced > SMALL) return grow(announced).then(() => collected(request, most));
  return collected(request, most, Number.isNaN(announced) ? grow : undefined);
}

function collected(request: IncomingMessage, most: number, grow?: (bytes: number) => Promise<void>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [size, asked] = [0, grow === undefined];
    const end = (settle: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      settle();
    };
    const fail = (error: unknown): void =>
      end(() => {
        request.pause();
        reject(error as Error);
      });
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > most) {
        fail(tooLarge(most));
        return;
      }
      chunks.push(chunk);
      if (asked || size <= SMALL) return;
      asked = true;
      request.pause();
      grow!(most).then(() => request.resume(), fail);
    };
    const onEnd = (): void => end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    const onError = (): void => fail(refuse(400, 'The request ended before its body was complete.'));
    const onClose = (): void => (request.readableEnded ? onEnd() : onError());
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}
