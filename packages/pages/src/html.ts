import nunjucks from 'nunjucks';

const { SafeString } = nunjucks.runtime;
/** Text that is HTML already: templates put it in as it is. */
export type Html = InstanceType<typeof SafeString>;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

type Part = Html | string | number | null | undefined | false | readonly Part[];

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof SafeString) return part.toString();
  if (Array.isArray(part)) return part.map(textOf).join('');
  return escaped(String(part));
}

/** HTML of a template literal. What is put in is escaped unless it is HTML; lists are joined, nothing stands for nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0]!;
  for (let i = 0; i < parts.length; i++) text += textOf(parts[i]) + strings[i + 1]!;
  return new SafeString(text);
}

export const nothing = html``;
