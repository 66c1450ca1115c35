import { maskedHeaders } from './mask.ts';
import type { OutgoingRequest } from './request.ts';
import { decoded } from './connect/url-credentials.ts';

const mask = '********';
// Shorter ones would mask half of any text, and protect nothing.
const shortest = 4;

const name =
  '(?:secret|token|password|passwd|passphrase|credential|authorization|signature|cookie|api[-_]?key|private[-_]?key)';
const members = new RegExp(
  `("[^"\\\\]{0,80}${name}[^"\\\\]{0,80}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|[^\\s",}\\]]+)`,
  'gi',
);
const parameters = new RegExp(`((?:^|[?&;\\s])[\\w.-]{0,80}${name}[\\w.-]{0,80}=)[^&;\\s"']+`, 'gi');

const userinfo = /(\/\/)[^/?#\s"']{1,500}@/g;

/** A secret in the encodings in which a receiver may echo it. */
const forms = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...['base64', 'base64url', 'hex'].map((encoding) =>
    Buffer.from(secret)
      .toString(encoding as BufferEncoding)
      .replace(/=+$/, ''),
  ),
];

/**
 * Secrets that must not be stored in any text about a request: those of the webhook, and those in the masked headers
 * and the URL.
 */
export function secretsOf(
  request: Pick<OutgoingRequest, 'headers' | 'url' | 'shown'> | null,
  own: readonly string[],
): string[] {
  const masked = request ? maskedHeaders(request.headers) : {};
  const hidden = (request?.headers ?? [])
    .filter(([header, value]) => masked[header] !== value)
    .map(([, value]) => value);
  // `Bearer x`, `sha512=x`, `a=b; c=x`: the receiver may give back the value alone.
  const parts = hidden.flatMap((value) => value.split(/[\s;,=]+/).filter((part) => part.length >= 8));
  const password = request ? [request.url.password, decoded(request.url.password)] : [];
  // A host name that comes from secrets appears in error messages.
  const host =
    request?.shown && URL.parse(request.shown.url)?.hostname !== request.url.hostname ? [request.url.hostname] : [];
  const known = own.filter((value) => value.length >= shortest).flatMap(forms);
  return [...new Set([...known, ...hidden, ...parts, ...password, ...host])]
    .filter((value) => value.length >= shortest)
    .sort((a, b) => b.length - a.length);
}

/**
 * A text as it is stored: without the known secrets, without values whose names in JSON or form data suggest secrets,
 * and without the credentials of URLs.
 */
export function maskedText(text: string, secrets: readonly string[]): string {
  let out = text;
  for (const secret of secrets) out = out.replaceAll(secret, mask);
  return out.replace(members, `$1"${mask}"`).replace(parameters, `$1${mask}`).replace(userinfo, `$1${mask}@`);
}
