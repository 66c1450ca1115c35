import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import { bounded, type GivenFile } from '@cadastre/model';
import { IMAGE_TYPES } from './types.ts';
import { hasSizeHeader } from './sizeHeader.ts';

const require = createRequire(import.meta.url);
const PROBLEM = 'Upload a valid image. The file you uploaded was either not an image or a corrupted image.';
/** The greatest width and height that are stored. */
const LARGEST = 32_767;

/** What a file shows, by its content alone: what the client calls it is not believed. */
export function probe(bytes: Buffer, maxBytes: number): GivenFile['image'] {
  if (bytes.length > maxBytes) return { problem: `The file is larger than ${maxBytes} bytes.` };
  // Loaded with the first image, and outside its time limit.
  const { imageSize } = require('image-size') as typeof import('image-size');
  const named = `image ${createHash('sha256').update(bytes).digest('hex')}`;
  const found = bounded(named, () => measured(imageSize, bytes), 200);
  if (
    !found ||
    !IMAGE_TYPES.has(found.type) ||
    !(found.width > 0) ||
    !(found.height > 0) ||
    (found.type === 'png' && !isWholePng(bytes))
  )
    return { problem: PROBLEM };
  if (found.width > LARGEST || found.height > LARGEST)
    return { problem: `The image is larger than ${LARGEST} by ${LARGEST} pixels.` };
  return { extension: found.type, width: found.width, height: found.height };
}

/** Type and size, or undefined for what is no image. */
function measured(
  imageSize: typeof import('image-size').imageSize,
  bytes: Buffer,
): { type: string; width: number; height: number } | undefined {
  try {
    // The library reads all of the memory behind a buffer, and small buffers share theirs with other data.
    const own = Buffer.from(new Uint8Array(bytes).buffer);
    const { type = '', width, height } = imageSize(own);
    return hasSizeHeader(type, own) ? { type, width, height } : undefined;
  } catch {
    return undefined;
  }
}

const SIGNATURE = 8;
const LENGTH = 4;
const TYPE = 4;
const CHECKSUM = 4;

/** Whether the parts of a PNG are all there and match their checksums. */
function isWholePng(bytes: Buffer): boolean {
  for (let at = SIGNATURE; at + LENGTH + TYPE + CHECKSUM <= bytes.length; ) {
    const start = at + LENGTH;
    const end = start + TYPE + bytes.readUInt32BE(at);
    if (end + CHECKSUM > bytes.length || crc32(bytes.subarray(start, end)) !== bytes.readUInt32BE(end)) return false;
    if (bytes.toString('latin1', start, start + TYPE) === 'IEND') return true;
    at = end + CHECKSUM;
  }
  return false;
}
