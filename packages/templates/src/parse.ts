import { guard } from './guard.ts';
import type { TemplateOptions } from './jobs.ts';
import { lexer, nodes, Parser, type Token, type Tree } from './nunjucks.ts';

/** A template that cannot be used; the message is for the user and reads like Jinja2's. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

// The parser recurses; this bounds its stack and the time that it can take.
const maxLength = 100_000;
// The lexer looks for trailing blanks in a way that takes the square of the length of a run of them.
const longBlanks = /\s{1000}/;

/** nunjucks's parser with Jinja2's slices (`name[0:3]`). */
class JinjaParser extends Parser {
  override parsePostfix(start: Tree): Tree {
    let node = start;
    for (let token = this.peekToken(); token; token = this.peekToken()) {
      if (token.type === 'left-paren') node = new nodes.FunCall(token.lineno, token.colno, node, this.parseSignature());
      else if (token.type === 'left-bracket') node = this.subscript(node, token);
      else if (token.type === 'operator' && token.value === '.') node = this.attribute(node, token);
      else break;
    }
    return node;
  }

  override advanceAfterVariableEnd(): void {
    if (this.peekToken() === null) endOfTemplate('end of print statement');
    super.advanceAfterVariableEnd();
  }

  /** nunjucks reads on to the end of the template for every tag inside, and knows no dashes here. */
  override parseRaw(tag = 'raw'): Tree {
    const begun = this.advanceAfterBlockEnd();
    const { str, index } = this.tokens;
    const end = new RegExp(`\\{%-?\\s*end${tag}\\s*-?%\\}`, 'g');
    end.lastIndex = index;
    const found = end.exec(str);
    if (!found) throw new TemplateError(`Missing end of ${tag} directive`);
    this.tokens.forwardN(found.index + found[0].length - index);
    const text = str.slice(index, found.index);
    const start = this.dropLeadingWhitespace ? text.trimStart() : text;
    this.dropLeadingWhitespace = found[0].endsWith('-%}');
    const data = new nodes.TemplateData(begun.lineno, begun.colno, found[0].startsWith('{%-') ? start.trimEnd() : start);
    return new nodes.Output(begun.lineno, begun.colno, [data]);
  }

  private attribute(node: Tree, dot: Token): Tree {
    if (dot.value === '.') this.nextToken();
    const name = this.nextToken();
    if (!name) return endOfTemplate('name');
    const at = [dot.lineno, dot.colno] as const;
    const lookup = (target: Tree, key: string | number) => new nodes.LookupVal(...at, target, new nodes.Literal(...at, key));
    if (name.type === 'symbol' || name.type === 'none' || name.type === 'boolean') return lookup(node, name.value);
    if (name.type === 'int') return lookup(node, Number(name.value));
    if (name.type !== 'float') this.fail('expected name or number', name.lineno, name.colno);
    // In `tags.0.slug` the lexer takes `0.` for a number with a fraction.
    const [index, fraction] = name.value.split('.');
    const element = lookup(node, Number(index));
    return /^\d+$/.test(fraction ?? '') ? lookup(element, Number(fraction)) : this.attribute(element, { ...dot, value: '' });
  }

  private subscript(node: Tree, bracket: Token): Tree {
    this.nextToken();
    const parts: (Tree | null)[] = [null];
    for (;;) {
      const token = this.peekToken();
      if (!token) return endOfTemplate(']');
      if (token.type === 'right-bracket') break;
      if (token.type === 'colon') {
        this.nextToken();
        parts.push(null);
      } else if (parts.at(-1) === null) {
        parts[parts.length - 1] = this.parseExpression();
      } else this.fail(`expected token ']', got '${token.value}'`, token.lineno, token.colno);
    }
    this.nextToken();
    const at = [bracket.lineno, bracket.colno] as const;
    const [first] = parts;
    if (parts.length === 1 && first) return new nodes.LookupVal(...at, node, first);
    if (parts.length === 1 || parts.length > 3) this.fail('invalid index', ...at);
    const limits = parts.map((part) => part ?? new nodes.Literal(...at, null));
    return new nodes.Filter(...at, new nodes.Symbol(...at, 'slice_of'), new nodes.NodeList(...at, [node, ...limits]));
  }
}

function endOfTemplate(expected: string): never {
  throw new TemplateError(`unexpected end of template, expected '${expected}'.`);
}

/**
 * The syntax tree of a template, checked by the guard: what it holds may be compiled.
 * @throws TemplateError
 */
export function parseTemplate(text: string, options: TemplateOptions = {}): Tree {
  if (text.length > maxLength) throw new TemplateError(`templates may have at most ${maxLength} characters.`);
  if (longBlanks.test(text)) throw new TemplateError('templates may not have 1000 blanks in a row.');
  try {
    // Jinja2 drops one line end at the end of a template unless told otherwise.
    const source = options.keepTrailingNewline ? text : text.replace(/\r?\n$/, '');
    const tree = new JinjaParser(lexer.lex(source, { trimBlocks: options.trimBlocks, lstripBlocks: options.lstripBlocks })).parseAsRoot();
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

/** Our message for whatever the parser, the compiler or a template's run throws. */
export function asTemplateError(error: unknown): TemplateError {
  if (error instanceof TemplateError) return error;
  if (error instanceof RangeError && error.message.includes('call stack')) return new TemplateError('nested too deeply.');
  const message = error instanceof Error ? error.message : String(error);
  const { lineno, colno } = error as { lineno?: number; colno?: number };
  const place = lineno && colno ? ` (line ${lineno}, column ${colno})` : '';
  return new TemplateError(translate(message.replace(/^(Template render error: )?\((?:unknown path|undefined)\)\s*/, '').replace(/^(?:\[Line \d+, Column \d+\]\s*)?(?:\s*(?:Template render error|[A-Z]?[a-z]*Error): )?/, '').trim()) + place);
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
