import { html, type Html } from '@cadastre/pages';

/**
 * The parts of a JSON text that are coloured differently: strings (separately those that are member names), numbers,
 * words.
 */
const PARTS = /"(?:\\.|[^"\\])*"(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const isLink = (text: string): boolean => /^https?:\/\/[^\s"]+$/i.test(text);

/**
 * JSON for a page: indented, coloured, with addresses as links. Links to addresses that begin with `base` stay within
 * it.
 */
export function pretty(value: unknown, base: string): Html {
  const text = JSON.stringify(value, null, 4) ?? '';
  const parts: Html[] = [];
  let end = 0;
  for (const found of text.matchAll(PARTS)) {
    parts.push(html`${text.slice(end, found.index)}`, part(found[0], found[1], base));
    end = found.index + found[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}

function part(text: string, colon: string | undefined, base: string): Html {
  if (colon !== undefined) return html`<span class="j-name">${text.slice(0, -colon.length)}</span>${colon}`;
  if (!text.startsWith('"')) return html`<span class="${/^[tfn]/.test(text) ? 'j-word' : 'j-number'}">${text}</span>`;
  const value = JSON.parse(text) as string;
  if (!isLink(value)) return html`<span class="j-text">${text}</span>`;
  const href = base !== '' && value.startsWith(`${base}/`) ? value.slice(base.length) : value;
  return html`"<a href="${href}" rel="noreferrer noopener">${value}</a>"`;
}
