/**
 * Bytes in which a picture of a type says its size, where that stands at a fixed place. (In the others it stands
 * wherever the parts before it end, and those are only found when they are there.)
 */
const SAID_WITHIN: Readonly<Record<string, (bytes: Buffer) => number>> = {
  gif: () => 10,
  bmp: () => 26,
  png: () => 24,
  // The lossless form is the shortest; the others say it in ten bytes behind the header of their first chunk.
  webp: (bytes) => (bytes.toString('latin1', 12, 16) === 'VP8L' ? 25 : 30),
};

/** Whether a file goes on to where its size is: of one that was cut before, what a library finds there means nothing. */
export const hasSizeHeader = (type: string, bytes: Buffer): boolean =>
  bytes.length >= (SAID_WITHIN[type]?.(bytes) ?? 0);
