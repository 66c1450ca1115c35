import type { TemplateOptions } from '../jobs/jobs.ts';
import { lexer, type Tokenizer } from './nunjucks.ts';

const opening = new Set(['left-paren', 'left-bracket', 'left-curly']);
const closing = new Set(['right-paren', 'right-bracket', 'right-curly']);
const ends = new Set(['}}', '-}}', '%}', '-%}']);

const single: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
};

/** What a backslash and the characters after it mean in Python. */
function unescaped(_: string, hex: string | undefined, four: string | undefined, other: string | undefined): string {
  if (hex ?? four) return String.fromCharCode(Number.parseInt((hex ?? four)!, 16));
  const character = other!;
  if (Object.hasOwn(single, character)) return single[character]!;
  return '\\\'"'.includes(character) ? character : `\\${character}`;
}

/** nunjucks's lexer, with Jinja2's way to end a tag (not inside brackets) and Python's escapes in texts. */
export function tokens(source: string, { trimBlocks, lstripBlocks }: TemplateOptions): Tokenizer {
  const made = lexer.lex(source, { trimBlocks, lstripBlocks });
  const { nextToken, _extractString: extract, _parseString: parseString } = made;
  let depth = 0;
  return Object.assign(made, {
    nextToken() {
      const token = nextToken.call(made);
      if (token?.type === 'block-start' || token?.type === 'variable-start') depth = 0;
      else if (token && opening.has(token.type)) depth += 1;
      else if (token && closing.has(token.type)) depth -= 1;
      return token;
    },
    _extractString: (text: string) => (made.in_code && depth > 0 && ends.has(text) ? null : extract.call(made, text)),
    _parseString(delimiter: string) {
      const from = made.index + 1;
      parseString.call(made, delimiter);
      // The end of the text is the same for both; only the escapes differ.
      const raw = made.str.slice(
        from,
        made.str.charAt(made.index - 1) === delimiter && made.index > from ? made.index - 1 : made.index,
      );
      return raw.replaceAll(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs, unescaped);
    },
  });
}
