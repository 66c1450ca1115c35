import { maskedHeaders } from '../delivery/mask.ts';
import { decoded, type OutgoingRequest } from '../delivery/request.ts';

const mask = '********';
// Shorter ones would mask half of any text, and protect nothing.
const shortest = 4;

const name = '(?:secret|token|password|passwd|passphrase|credential|authorization|signature|cookie|api[-_]?key|private[-_]?key)';
const members = new RegExp(`("[^"\\\\]{0,80}${name}[^"\\\\]{0,80}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|[^\\s",}\\]]+)`, 'gi');
const parameters = new RegExp(`((?:^|[?&;\\s])[\\w.-]{0,80}${name}[\\w.-]{0,80}=)[^&;\\s"']+`, 'gi');

const userinfo = /(\/\/[^/?#\s:@"']{0,100}:)[^/?#\s"']{1,500}@/g;

/** What must not be kept of a request, wherever it turns up: the webhook's secret, and what the masked headers and the URL hold. */
export function secretsOf(request: Pick<OutgoingRequest, 'headers' | 'url'> | null, secret: string): string[] {
  const masked = request ? maskedHeaders(request.headers) : {};
  const hidden = (request?.headers ?? []).filter(([header, value]) => masked[header] !== value).map(([, value]) => value);
  // `Bearer x`, `sha512=x`, `a=b; c=x`: the receiver may give back the value alone.
  const parts = hidden.flatMap((value) => value.split(/[\s;,=]+/).filter((part) => part.length >= 8));
  const password = request ? [request.url.password, decoded(request.url.password)] : [];
  return [...new Set([secret, ...hidden, ...parts, ...password])].filter((value) => value.length >= shortest).sort((a, b) => b.length - a.length);
}

/** A text as it is kept: without the known secrets, and without what is called one in JSON or a form, or is the password of a URL. */
export function maskedText(text: string, secrets: readonly string[]): string {
  let out = text;
  for (const secret of secrets) out = out.replaceAll(secret, mask);
  return out.replace(members, `$1"${mask}"`).replace(parameters, `$1${mask}`).replace(userinfo, `$1${mask}@`);
}
