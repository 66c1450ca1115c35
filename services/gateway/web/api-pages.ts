import type { IncomingMessage } from 'node:http';
import { deflateRawSync } from 'node:zlib';

/** The media types of forms; programs send none of them to the API. */
const form = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The client's preference for a media type (RFC 9110), by the most specific entry for it. */
function wish(accept: string, type: string): number {
  const [kind] = type.split('/');
  let best = { fit: 0, q: 0 };
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const fit = name === type ? 3 : name === `${kind}/*` ? 2 : name === '*/*' ? 1 : 0;
    const said = parameters.find((one) => one.startsWith('q='))?.slice(2);
    const q = said === undefined ? 1 : Number(said);
    if (fit > best.fit) best = { fit, q: Number.isFinite(q) ? q : 0 };
  }
  return best.q;
}

/** Whether a client prefers a page to JSON, as browsers do; without a preference it gets JSON. */
export const wantsPage = (accept: string | undefined): boolean =>
  accept !== undefined && wish(accept, 'text/html') > wish(accept, 'application/json');

/**
 * Whether a browser asks for an address of the API as a page: by reading it, or by sending a form. A client with a
 * token is a program, and one that names a format gets that format.
 */
export function asksForPage({ method, url = '', headers }: IncomingMessage): boolean {
  if (headers.authorization !== undefined || !wantsPage(headers.accept)) return false;
  if (method === 'POST') return form.test(headers['content-type'] ?? '');
  return (method === 'GET' || method === 'HEAD') && !/[?&](?:format|export)=/.test(url);
}

/** More than this does not travel in a header. */
const LONGEST = 8_000;

/** An answer of the gateway's own, for the service that makes a page of it; undefined where it is too long for that. */
export function answerForPage(status: number, body: unknown): string | undefined {
  const text = deflateRawSync(JSON.stringify({ status, body })).toString('base64');
  return text.length > LONGEST ? undefined : text;
}

/** The same with all texts cut to a maximum length; `shortened` is set if any was. */
export function shortened(body: unknown, most: number): unknown {
  let cut = false;
  const of = (value: unknown): unknown => {
    if (typeof value === 'string' && value.length > most) {
      cut = true;
      return `${value.slice(0, most)}…`;
    }
    if (Array.isArray(value)) return value.map(of);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, name === 'url' ? inner : of(inner)]),
      );
    return value;
  };
  const all = of(body);
  return cut && typeof all === 'object' && all !== null && !Array.isArray(all) ? { ...all, shortened: true } : all;
}
