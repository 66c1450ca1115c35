// Credentials in the texts of a webhook: user and password in a URL, and parameters and headers whose names suggest
// secrets. The texts are stored and shown with a mask in their place; the complete texts are kept encrypted beside
// them.
import { MASK } from '@cadastre/model';

const called =
  'secret|token|passw(?:or)?d|passphrase|credential|signature|api[-_]?key|auth[-_]?key|access[-_]?key|private[-_]?key';
/** Names of headers whose values are secret. */
export const secretHeaders = new RegExp(`authorization|cookie|${called}|[-_]key$`, 'i');
/** Names of parameters whose values are secret. */
export const secretParameters = new RegExp(`${called}|^(?:key|sig|auth|code)$`, 'i');

/** The kinds of texts that hold credentials. */
export type Holder = 'url' | 'headers';

// Templates are not hidden, as they hold no literal secrets. While a text is examined, a private-use character stands
// for each.
const stand = '\ue000';
const ends: Record<string, string> = { '{': '}}', '%': '%}', '#': '#}' };

/** The templates of a text, with the text around them. An unterminated one does not count as a template. */
function split(text: string): { templates: string[]; around: string } {
  const templates: string[] = [];
  const around: string[] = [];
  const endless = new Set<string>();
  let from = 0;
  for (const { index, 0: found, 1: kind } of text.matchAll(/\{([{%#])|\ue000/g)) {
    if (index < from || (kind && endless.has(kind))) continue;
    const end = kind ? text.indexOf(ends[kind]!, index + 2) + 2 : index + found.length;
    if (kind && end === 1) {
      endless.add(kind);
      continue;
    }
    around.push(text.slice(from, index));
    templates.push(text.slice(index, end));
    from = end;
  }
  return { templates, around: [...around, text.slice(from)].join(stand) };
}

const literal = /[^\ue000]+/g;

/** A literal credential: a key by which the same one is found in another text, and its position. */
interface Piece {
  key: string;
  at: number;
  end: number;
}

function literals(text: string, at: number, key: string, pattern = literal): Piece[] {
  return [...text.matchAll(pattern)].map((found, n) => ({
    key: `${key} ${n}`,
    at: at + found.index,
    end: at + found.index + found[0].length,
  }));
}

/** Credentials belong to the address that they were given for; a mask at another address does not stand for them. */
function inUrl(text: string): Piece[] {
  const [, scheme = '', userinfo, host = ''] =
    /^(\s*[a-z\ue000][a-z0-9+.\ue000-]*:[\\/]*)(?:([^\\/?#]*)@)?([^\\/?#]*)/i.exec(text) ?? [];
  const address = `${scheme}${host}`.trim().toLowerCase();
  const found: Piece[] = literals(userinfo ?? '', scheme.length, `${address} user`, /[^\ue000:]+/g);
  const query = text.indexOf('?');
  if (query < 0) return found;
  for (const { 1: name = '', 2: value = '', index, 0: all } of text
    .slice(query)
    .matchAll(/[?&;]([^=&;#\s]*)=([^&;#\s]*)/g)) {
    if (secretParameters.test(decoded(name)))
      found.push(...literals(value, query + index + all.length - value.length, `${address} ${name}`));
  }
  return found;
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// The name of an authentication scheme is not a credential.
const schemes = /^(?:basic|bearer|token|digest|api-?key|key|splunk|geniekey|ssws|bot|oauth|negotiate|hmac)$/i;

function inHeaders(text: string): Piece[] {
  const found: Piece[] = [];
  for (const { 1: name = '', 2: value = '', index, 0: line } of text.matchAll(/^([^:\r\n]*):([^\r\n]*)/gm)) {
    if (!secretHeaders.test(name.replaceAll(stand, '').trim())) continue;
    const words = literals(
      value,
      index + line.length - value.length,
      name.replaceAll(stand, '').trim().toLowerCase(),
      /[^\s;,\ue000]+/g,
    );
    found.push(
      ...words.filter(
        ({ at, end }, n) =>
          n > 0 || (words.length === 1 && !value.includes(stand)) || !schemes.test(text.slice(at, end)),
      ),
    );
  }
  return found;
}

const find: Record<Holder, (text: string) => Piece[]> = { url: inUrl, headers: inHeaders };

function replaced(holder: Holder, given: string, by: (key: string, credential: string) => string): string {
  const { templates, around: text } = split(given);
  let out = '';
  let from = 0;
  for (const { key, at, end } of find[holder](text)) {
    out += text.slice(from, at) + by(key, text.slice(at, end));
    from = end;
  }
  let next = 0;
  return (out + text.slice(from)).replaceAll(stand, () => templates[next++]!);
}

/** A text as it is shown. */
export const concealed = (holder: Holder, text: string): string => replaced(holder, text, () => MASK);

/** The credentials in a text. */
export function credentialsIn(holder: Holder, text: string): string[] {
  const found: string[] = [];
  replaced(holder, text, (_, credential) => {
    found.push(credential);
    return credential;
  });
  return found;
}

/**
 * A text whose masks are replaced by the credentials at the same places of `before`; null when one of them is not
 * known.
 */
export function revealed(holder: Holder, text: string, before: string): string | null {
  const known = new Map<string, string>();
  let lost = false;
  replaced(holder, before, (key, credential) => {
    known.set(key, credential);
    return credential;
  });
  const whole = replaced(holder, text, (key, credential) => {
    if (credential !== MASK) return credential;
    const stands = known.get(key);
    lost ||= stands === undefined || stands === MASK;
    return stands ?? MASK;
  });
  return lost ? null : whole;
}
