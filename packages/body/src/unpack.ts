import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from 'node:zlib';
import { RATIO_FROM, type SizeLimits, SMALL } from './limits.ts';
import { type Refusal, refuse } from './refusal.ts';

const CHUNK = { chunkSize: 64 * 1024 };
const packings = new Map<string, () => Transform & Zlib>([
  ['gzip', () => createGunzip(CHUNK)],
  ['x-gzip', () => createGunzip(CHUNK)],
  ['deflate', () => createInflate(CHUNK)],
  ['br', () => createBrotliDecompress(CHUNK)],
]);

export const tooLarge = (limit: number): Refusal => refuse(413, `The request body is larger than ${limit} bytes.`);

/** Whether a body has to be unpacked before it can be read. */
export const isPacked = (contentEncoding: string | undefined): boolean =>
  contentEncoding !== undefined && !/^\s*(?:identity\s*)?$/i.test(contentEncoding);

/**
 * How a body is compressed; undefined for one that is not. @throws Refusal 415 for an encoding that is not supported
 */
export function packingOf(contentEncoding: string | undefined): string | undefined {
  if (!isPacked(contentEncoding)) return undefined;
  const named = contentEncoding!.trim().toLowerCase();
  if (!packings.has(named)) throw refuse(415, 'Unsupported content encoding in request.');
  return named;
}

/** Called for each unpacked piece: there are `length` bytes now. An error that it throws ends the unpacking. */
export type Unpacked = (bytes: Buffer, length: number) => Promise<void> | void;

/**
 * Unpacks a body piece by piece, outside of the event loop, and stops at the limits. @throws Refusal 413 when it is too
 * large, or too much larger than what was sent; 400 when it cannot be unpacked
 */
export async function unpack(
  packed: Buffer,
  packing: string,
  { bytes: most, ratio }: SizeLimits,
  heard?: Unpacked,
): Promise<Buffer> {
  const stream = packings.get(packing)!();
  stream.end(packed);
  const largest = Math.max(SMALL, packed.length * ratio);
  let [held, length] = [Buffer.allocUnsafeSlow(Math.min(most, 4 * CHUNK.chunkSize)), 0];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const now = length + chunk.length;
      if (now > most) throw tooLarge(most);
      const allowed = now > RATIO_FROM ? Math.max(RATIO_FROM, stream.bytesWritten * ratio) : largest;
      if (now > Math.min(largest, allowed))
        throw refuse(413, `The request body is more than ${ratio} times larger than what was sent.`);
      if (now > held.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(now, 2 * held.length)));
        held.copy(larger, 0, 0, length);
        held = larger;
      }
      chunk.copy(held, length);
      length = now;
      await heard?.(held, length);
    }
  } catch (error) {
    if (/^Z_|^ERR_BROTLI|^ERR__ERROR|BROTLI/.test((error as { code?: string }).code ?? ''))
      throw refuse(400, 'The request body cannot be decompressed.');
    throw error;
  }
  return held.subarray(0, length);
}
