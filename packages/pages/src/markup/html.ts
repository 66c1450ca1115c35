import nunjucks from 'nunjucks';

const { SafeString } = nunjucks.runtime;
/** Text that is HTML already: templates put it in as it is. */
export type Html = InstanceType<typeof SafeString>;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const special = /[&<>"']/;
// Most texts have nothing to escape, and are looked through faster than they are written anew.
export const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!) : text;

/** What can be put into markup. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof SafeString) return part.toString();
  // Put together by `+`, which copies nothing until the whole page is written.
  if (Array.isArray(part)) return (part as readonly Part[]).reduce<string>((text, one) => text + textOf(one), '');
  return escaped(String(part));
}

/** HTML of a template literal. What is put in is escaped unless it is HTML; lists are joined, nothing stands for nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0]!;
  for (let i = 0; i < parts.length; i++) text += textOf(parts[i]) + strings[i + 1]!;
  return new SafeString(text);
}

export const nothing = html``;

/** The same in one piece of memory, for what is kept and put into many pages: else it is put together for each. */
export const flat = (part: Html): Html => new SafeString(Buffer.from(part.toString()).toString());
