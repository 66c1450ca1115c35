/** A regular expression in JavaScript's spelling. */
export interface Pattern {
  source: string;
  flags: string;
}

/**
 * Turns a Python regular expression into JavaScript's: rules were written for Python, and its spelling differs in a few
 * places (named groups, the ends of the text, flags at the front). Like Python's `match`, the result is anchored at the
 * start.
 * @throws SyntaxError when it is not a regular expression
 */
export function readPattern(python: string): Pattern {
  const leading = /^\(\?([aimsux]+)\)/.exec(python);
  const flags = [...new Set(leading?.[1] ?? '')].filter((flag) => 'ims'.includes(flag)).join('');
  const body = python
    .slice(leading?.[0].length ?? 0)
    .replaceAll(/\\[\s\S]|\(\?P<|\(\?P=(\w+)\)/g, (found, name: string | undefined) => {
      if (found === '(?P<') return '(?<';
      if (name !== undefined) return `\\k<${name}>`;
      if (found === '\\A') return '(?<![\\s\\S])';
      if (found === '\\Z') return '(?![\\s\\S])';
      return found;
    });
  const pattern = { source: `(?:${body})`, flags: `${flags}y` };
  // The body alone first, as `a)(b` is only balanced by the parentheses put around it.
  new RegExp(body, flags);
  new RegExp(pattern.source, pattern.flags);
  return pattern;
}

/** Whether the text matches from its start. */
export const matches = (pattern: Pattern, text: string): boolean =>
  new RegExp(pattern.source, pattern.flags).test(text);
