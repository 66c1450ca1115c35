import { RE2JS } from 're2js';

/** Derives a new name from an old one. */
export type Renaming = (name: string) => string;

/**
 * What to find in names, and its replacement. Regular expressions are RE2's, which cannot backtrack without end and
 * block the process. Groups are written `$1` or, as in the reference, `\1`.
 */
export function renaming(find: string, replace: string, regex: boolean): Renaming | { problem: string } {
  if (find === '') return { problem: '' };
  if (!regex) return (name) => name.replaceAll(find, () => replace);
  try {
    const pattern = RE2JS.compile(find);
    const groups = pattern.groupCount();
    const text = replace.replace(/\\(\d)/g, (_, digit: string) => `\${${digit}}`);
    const parts = text.split(/\$(?:\{(\d)\}|(\d))/);
    const wrong = parts.some((part, i) => i % 3 !== 0 && part !== undefined && Number(part) > groups);
    if (wrong) return { problem: `There are only ${groups} groups.` };
    return (name) => {
      const matcher = pattern.matcher(name);
      let out = '';
      let at = 0;
      while (matcher.find()) {
        out += name.slice(at, matcher.start());
        for (let i = 0; i < parts.length; i += 3) {
          out += parts[i];
          const group = parts[i + 1] ?? parts[i + 2];
          if (group !== undefined) out += matcher.group(Number(group)) ?? '';
        }
        at = matcher.end();
      }
      return out + name.slice(at);
    };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
