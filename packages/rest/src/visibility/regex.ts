// What clients may ask of PostgreSQL's regular expressions (its "advanced" ones). PostgreSQL is the judge of the
// grammar; checked here is what makes an expression expensive whatever it is compared with.

/** How large an expression may be by default. */
export const USUAL_REGEX_SIZE = 1_000;

/** Options at the front that do not change the grammar. */
const OPTIONS = /^\(\?([a-z]*)\)/;
const PLAIN_OPTIONS = /^[cimnpstw]*$/;

/** Why a regular expression is not tried at all; undefined when it may be. */
export function regexProblem(text: string, maxSize: number = USUAL_REGEX_SIZE): string | undefined {
  if (text.startsWith('***')) return 'A regular expression may not begin with ***.';
  const options = OPTIONS.exec(text);
  if (options && !PLAIN_OPTIONS.test(options[1]!))
    return 'Of the options of a regular expression only c, i, m, n, p, s, t and w are allowed.';
  const found = sizeOf(text.slice(options?.[0].length ?? 0));
  if (found === 'reference') return 'A regular expression may not refer back to a group.';
  return found > maxSize
    ? `A regular expression may consist of at most ${maxSize} parts, repeated ones counted as often as they are repeated.`
    : undefined;
}

/** A group that is open: how large it is so far, and its last part, to which a repetition applies. */
interface Group {
  size: number;
  last: number;
}

/**
 * How many parts an expression has when its repetitions are written out, as PostgreSQL does before it compares
 * anything; or that it refers back to a group.
 */
function sizeOf(text: string): number | 'reference' {
  const open: Group[] = [{ size: 0, last: 0 }];
  const add = (size: number): void => {
    const group = open.at(-1)!;
    group.size += size;
    group.last = size;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '\\') {
      if (/[1-9]/.test(text[at + 1] ?? '')) return 'reference';
      at += 1;
      add(1);
    } else if (char === '[') {
      const end = endOfBracket(text, at);
      if (/\\[1-9]/.test(text.slice(at, end).replaceAll('\\\\', ''))) return 'reference';
      at = end;
      add(1);
    } else if (char === '(') {
      open.push({ size: 1, last: 0 });
      at += /^\(\?(<?[=!]|:)/.exec(text.slice(at, at + 4))?.[0].length ?? 1;
      at -= 1;
    } else if (char === ')') {
      const group = open.length > 1 ? open.pop()! : { size: 1 };
      add(group.size);
    } else if (char === '{') {
      const bound = /^\{(\d{1,9})(,(\d{0,9}))?\}/.exec(text.slice(at, at + 22));
      if (!bound) {
        add(1);
        continue;
      }
      repeat(open.at(-1)!, Math.max(Number(bound[1]), Number(bound[3] || 0), 1));
      at += bound[0].length - 1;
    } else if (char === '*' || char === '+' || char === '?') {
      // A loop is no larger than what it repeats.
    } else add(1);
  }
  return open.reduce((sum, { size }) => sum + size, 0);
}

function repeat(group: Group, times: number): void {
  group.size += group.last * (times - 1);
  group.last *= times;
}

/**
 * Where a bracket expression ends. A bracket right at its front is one of its members; classes (`[:alpha:]`) have
 * brackets of their own.
 */
function endOfBracket(text: string, begin: number): number {
  let at = begin + 1;
  if (text[at] === '^') at += 1;
  if (text[at] === ']') at += 1;
  for (; at < text.length && text[at] !== ']'; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '[' && /[:.=]/.test(text[at + 1] ?? '')) {
      const end = text.indexOf(`${text[at + 1]}]`, at + 2);
      at = end < 0 ? text.length : end + 1;
    }
  }
  return at;
}
