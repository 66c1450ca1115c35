import { extname } from 'node:path';

/**
 * The pictures that are accepted: media types by extension. Browsers show them and run nothing in them, so SVG is not
 * among them.
 */
export const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['bmp', 'image/bmp'],
  ['tiff', 'image/tiff'],
  ['avif', 'image/avif'],
]);

/** The media type of a file by its path. */
export const mediaTypeOf = (path: string): string =>
  IMAGE_TYPES.get(extname(path).slice(1)) ?? 'application/octet-stream';
