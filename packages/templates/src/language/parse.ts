import { guard } from './guard.ts';
import type { TemplateOptions } from '../jobs/jobs.ts';
import { tokens } from './lexer.ts';
import type { Tree } from './nunjucks.ts';
import { JinjaParser, TemplateError } from './parser.ts';

export { TemplateError };

// The parser recurses; this bounds its stack and the time that it can take.
const maxLength = 100_000;
// The time in which the lexer looks for trailing blanks grows with the square of their number.
const longBlanks = /\s{1000}/;

/** The syntax tree of a template, checked by the guard, so it may be compiled. @throws TemplateError */
export function parseTemplate(text: string, options: TemplateOptions = {}): Tree {
  if (text.length > maxLength) throw new TemplateError(`templates may have at most ${maxLength} characters.`);
  if (longBlanks.test(text)) throw new TemplateError('templates may not have 1000 blanks in a row.');
  try {
    // Jinja2 drops one line end at the end of a template unless told otherwise.
    const source = options.keepTrailingNewline ? text : text.replace(/\r?\n$/, '');
    const tree = new JinjaParser(tokens(source, options)).parseAsRoot();
    guard(tree);
    return tree;
  } catch (error) {
    throw asTemplateError(error);
  }
}

/** What is wrong with a template, in the words of the reference system; null when nothing is. */
export function checkTemplate(text: string): string | null {
  try {
    parseTemplate(text);
    return null;
  } catch (error) {
    return `Invalid template: ${(error as Error).message}`;
  }
}

/** Our message for what the parser, the compiler or the running template throws. */
export function asTemplateError(error: unknown): TemplateError {
  if (error instanceof TemplateError) return error;
  if (error instanceof RangeError && error.message.includes('call stack'))
    return new TemplateError('nested too deeply.');
  const message = error instanceof Error ? error.message : String(error);
  const { lineno, colno } = error as { lineno?: number; colno?: number };
  const place = lineno && colno ? ` (line ${lineno}, column ${colno})` : '';
  return new TemplateError(
    translate(
      message
        .replace(/^(Template render error: )?\((?:unknown path|undefined)\)\s*/, '')
        .replace(/^(?:\[Line \d+, Column \d+\]\s*)?(?:\s*(?:Template render error|[A-Z]?[a-z]*Error): )?/, '')
        .trim(),
    ) + place,
  );
}

const ends = /end of file|got EOF|^Cannot read properties of null \(reading '(?:type|value|lineno)'\)/;

function translate(message: string): string {
  if (ends.test(message)) return 'unexpected end of template.';
  const tag = /^unknown block tag: (.*)$/.exec(message);
  if (tag) return `Encountered unknown tag '${tag[1]}'.`;
  const got = /^expected (.*), got (.*)$/.exec(message);
  if (got) return `expected token '${got[1]}', got '${got[2]}'`;
  if (message === 'expected variable end') return "expected token 'end of print statement'";
  return message.replace(/^parse[A-Z]\w+: /, '');
}
