/** A PNG of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A GIF of three by two pixels. */
export const GIF = Buffer.from('R0lGODdhAwACAIAAAP///wAAACwAAAAAAwACAAACAoRfADs=', 'base64');
