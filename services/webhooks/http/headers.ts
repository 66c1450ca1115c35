/** Header names and values in the order in which they are sent. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** A header line that cannot be sent; the message is for the user. */
export class HeaderError extends Error {
  override readonly name = 'HeaderError';
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// The framing of a message is up to the HTTP client; a template that could set it could smuggle a second request.
const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads `Name: value` lines; empty lines are skipped.
 * @throws HeaderError that names the line
 */
export function parseHeaders(text: string): Headers {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, i) => [line.trim(), i + 1] as const)
    .filter(([line]) => line !== '')
    .map(([line, number]) => {
      const colon = line.indexOf(':');
      if (colon < 0)
        throw new HeaderError(`line ${number}: expected a header as "Name: value", got "${line.slice(0, 100)}"`);
      const name = line.slice(0, colon).trim();
      const value = line.slice(colon + 1).trim();
      if (!token.test(name)) throw new HeaderError(`line ${number}: a header cannot be named "${name.slice(0, 100)}"`);
      if (framing.has(name.toLowerCase())) throw new HeaderError(`line ${number}: the header ${name} cannot be set`);
      if (/[^\t\x20-\u{10ffff}]|\x7f/u.test(value))
        throw new HeaderError(`line ${number}: the value of ${name} has control characters`);
      return [name, value];
    });
}

/** Later headers replace earlier ones of the same name. */
export function mergeHeaders(...lists: readonly Headers[]): Headers {
  const merged = new Map<string, readonly [string, string]>();
  for (const [name, value] of lists.flat()) merged.set(name.toLowerCase(), [name, value]);
  return [...merged.values()];
}

/** Names and values in turn, as HTTP clients expect them. Values beyond Latin-1 are sent as UTF-8. */
export const wireHeaders = (headers: Headers): string[] =>
  headers.flatMap(([name, value]) => [
    name,
    /^[\t\x20-\xff]*$/.test(value) ? value : Buffer.from(value).toString('latin1'),
  ]);
