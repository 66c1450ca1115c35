/**
 * How many bytes from its beginning a picture of a type needs to contain its size, where that stands at a fixed place.
 * (In the other types it comes after parts of any length, and is only found when those are there.)
 */
const SAID_WITHIN: Readonly<Record<string, (bytes: Buffer) => number>> = {
  gif: () => 10,
  bmp: () => 26,
  png: () => 24,
  // The lossless form is the shortest; the others say it in ten bytes behind the header of their first chunk.
  webp: (bytes) => (bytes.toString('latin1', 12, 16) === 'VP8L' ? 25 : 30),
};

/**
 * Whether a file is long enough to contain its size: in one that was cut off before, what a library finds there means
 * nothing.
 */
export const hasSizeHeader = (type: string, bytes: Buffer): boolean =>
  bytes.length >= (SAID_WITHIN[type]?.(bytes) ?? 0);
