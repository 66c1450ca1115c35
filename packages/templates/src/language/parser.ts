import { nodes, Parser, type Token, type Tree, With } from './nunjucks.ts';

/** A template that cannot be used; the message is for the user and reads like Jinja2's. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

function endOfTemplate(expected: string): never {
  throw new TemplateError(`unexpected end of template, expected '${expected}'.`);
}

const sums: Record<string, 'Add' | 'Sub'> = { '+': 'Add', '-': 'Sub' };
const products: Record<string, 'Mul' | 'Div' | 'FloorDiv' | 'Mod'> = {
  '*': 'Mul',
  '/': 'Div',
  '//': 'FloorDiv',
  '%': 'Mod',
};
const closing = { 'left-paren': 'right-paren', 'left-bracket': 'right-bracket', 'left-curly': 'right-curly' } as const;
const beginsArgument = new Set(['string', 'int', 'float', 'boolean', 'none', 'symbol', 'left-bracket', 'left-curly']);
const continues = new Set(['else', 'or', 'and', 'is', 'if', 'in', 'not', 'recursive']);

/**
 * nunjucks's parser with what Jinja2 has beyond it: slices, loop filters, tests without parentheses, `with`, its
 * precedence of operators.
 */
export class JinjaParser extends Parser {
  override parseInlineIf(): Tree {
    const body = this.parseOr();
    if (!this.skipSymbol('if')) return body;
    const node = new nodes.InlineIf(body.lineno, body.colno);
    const cond = this.parseOr();
    return Object.assign(node, { body, cond, else_: this.skipSymbol('else') ? this.parseInlineIf() : null });
  }

  // Tests belong to the operand that they follow: `1 + 2 is odd` is `1 + (2 is odd)`.
  override parseIs(): Tree {
    return this.parseCompare();
  }

  override parseConcat(): Tree {
    return this.parseAdd();
  }
  override parseAdd(): Tree {
    return this.chain(sums, () => this.concatenation());
  }
  private concatenation(): Tree {
    let node = this.product();
    while (this.skipValue('tilde', '~')) node = new nodes.Concat(node.lineno, node.colno, node, this.product());
    return node;
  }
  private product(): Tree {
    return this.chain(products, () => this.parsePow());
  }
  private chain(operators: Readonly<Record<string, keyof typeof nodes>>, operand: () => Tree): Tree {
    let node = operand();
    for (
      let token = this.peekToken();
      token?.type === 'operator' && Object.hasOwn(operators, token.value);
      token = this.peekToken()
    ) {
      this.nextToken();
      node = new nodes[operators[token.value]!](token.lineno, token.colno, node, operand());
    }
    return node;
  }

  /** Filters and tests, one after the other. */
  override parseFilter(start: Tree): Tree {
    let node = start;
    for (;;) {
      const token = this.peekToken();
      if (token?.type === 'pipe') node = super.parseFilter(node);
      else if (token?.type === 'symbol' && token.value === 'is') node = this.test(node);
      else return node;
    }
  }

  private test(left: Tree): Tree {
    this.nextToken();
    const not = this.skipSymbol('not');
    const name = this.nextToken();
    if (!name) return endOfTemplate('name');
    const at = [name.lineno, name.colno] as const;
    if (name.type !== 'symbol' && name.type !== 'none' && name.type !== 'boolean')
      this.fail(`expected token 'name', got '${String(name.value)}'`, ...at);
    const next = this.peekToken();
    const args =
      next?.type === 'left-paren'
        ? this.parseSignature()
        : new nodes.NodeList(
            ...at,
            next && beginsArgument.has(next.type) && !(next.type === 'symbol' && continues.has(next.value))
              ? [this.parsePrimary()]
              : [],
          );
    const node = new nodes.Is(
      ...at,
      left,
      new nodes.FunCall(...at, new nodes.Symbol(...at, name.type === 'none' ? 'none' : name.value), args),
    );
    return not ? new nodes.Not(...at, node) : node;
  }

  override parseAggregate(): Tree | null {
    const open = this.peekToken();
    if (!open || !Object.hasOwn(closing, open.type)) return super.parseAggregate();
    this.nextToken();
    const type = open.type as keyof typeof closing;
    const kind = type === 'left-paren' ? nodes.Group : type === 'left-bracket' ? nodes.Array : nodes.Dict;
    const members: Tree[] = [];
    let tuple = false;
    for (;;) {
      if (!this.peekToken()) endOfTemplate(type === 'left-paren' ? ')' : type === 'left-bracket' ? ']' : '}');
      if (this.skip(closing[type])) break;
      members.push(type === 'left-curly' ? this.pair() : this.parseExpression());
      if (this.skip('comma')) tuple = true;
      else if (this.peekToken() && this.peekToken()!.type !== closing[type])
        this.fail('parseAggregate: expected comma after expression', open.lineno, open.colno);
    }
    const node = new kind(open.lineno, open.colno, members);
    return type === 'left-paren' ? Object.assign(node, { tuple: tuple || members.length === 0 }) : node;
  }

  private pair(): Tree {
    const key = this.parseExpression();
    if (!this.skip('colon')) this.fail('parseAggregate: expected colon after dict key', key.lineno, key.colno);
    return new nodes.Pair(key.lineno, key.colno, key, this.parseExpression());
  }

  /** An expression, or several with commas between them, which are a list. */
  private tuple(expression: () => Tree): Tree {
    const first = expression();
    if (this.peekToken()?.type !== 'comma') return first;
    const members = [first];
    while (this.skip('comma') && this.peekToken()?.type !== 'block-end') members.push(expression());
    return new nodes.Array(first.lineno, first.colno, members);
  }

  override parseStatement(): Tree | null {
    const tag = this.peekToken();
    return tag?.type === 'symbol' && tag.value === 'with' ? this.parseWith(tag) : super.parseStatement();
  }

  private parseWith(tag: Token): Tree {
    this.nextToken();
    const [names, values]: [Tree[], Tree[]] = [[], []];
    while (this.peekToken() && this.peekToken()!.type !== 'block-end') {
      if (names.length > 0 && !this.skip('comma')) this.fail("expected token ','", tag.lineno, tag.colno);
      names.push(this.parsePrimary(true));
      if (!this.skipValue('operator', '=')) this.fail("expected token '='", tag.lineno, tag.colno);
      values.push(this.parseExpression());
    }
    this.advanceAfterBlockEnd(tag.value);
    const body = this.parseUntilBlocks('endwith');
    this.advanceAfterBlockEnd();
    return new With(tag.lineno, tag.colno, names, values, body);
  }

  override parseFor(): Tree {
    const tag = this.peekToken();
    if (!tag || !this.skipSymbol('for')) return super.parseFor();
    const node = new nodes.For(tag.lineno, tag.colno);
    const name = this.names();
    if (!this.skipSymbol('in')) this.fail("expected token 'in'", tag.lineno, tag.colno);
    const arr = this.tuple(() => this.parseOr());
    const filter = this.skipSymbol('if') ? this.parseInlineIf() : null;
    const recursive = this.skipSymbol('recursive');
    this.advanceAfterBlockEnd(tag.value);
    const body = this.parseUntilBlocks('endfor', 'else');
    let else_: Tree | null = null;
    if (this.skipSymbol('else')) {
      this.advanceAfterBlockEnd('else');
      else_ = this.parseUntilBlocks('endfor');
    }
    this.advanceAfterBlockEnd();
    return Object.assign(node, { name, arr, filter, recursive, body, else_ });
  }

  private names(): Tree {
    const first = this.parsePrimary(true);
    if (this.peekToken()?.type !== 'comma') return first;
    const all = [first];
    while (this.skip('comma')) all.push(this.parsePrimary(true));
    return new nodes.Array(first.lineno, first.colno, all);
  }

  override parseSet(): Tree {
    const tag = this.peekToken()!;
    this.nextToken();
    const targets = [this.parsePrimary()];
    while (this.skip('comma')) targets.push(this.parsePrimary());
    const node = new nodes.Set(tag.lineno, tag.colno, targets);
    if (this.skipValue('operator', '=')) {
      const value = this.tuple(() => this.parseExpression());
      this.advanceAfterBlockEnd(tag.value);
      return Object.assign(node, { value, body: null });
    }
    // `{% set name | filter %}…{% endset %}`: the filters get what the body prints.
    const body = new nodes.Capture(tag.lineno, tag.colno, null);
    const value = this.parseFilter(body);
    this.advanceAfterBlockEnd(tag.value);
    Object.assign(body, { body: this.parseUntilBlocks('endset') });
    this.advanceAfterBlockEnd();
    return Object.assign(node, { value, body: null });
  }

  override parseFilterStatement(): Tree {
    const tag = this.peekToken()!;
    this.nextToken();
    const name = this.parseFilterName();
    const at = [name.lineno, name.colno] as const;
    const body = new nodes.Capture(...at, null);
    const first = new nodes.Filter(...at, name, new nodes.NodeList(...at, [body, ...this.parseFilterArgs(name)]));
    const node = this.parseFilter(first);
    this.advanceAfterBlockEnd(tag.value);
    Object.assign(body, { body: this.parseUntilBlocks('endfilter') });
    this.advanceAfterBlockEnd();
    return new nodes.Output(...at, [node]);
  }

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

  /** nunjucks searches the rest of the template for every tag inside, and does not know dashes here. */
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
    const data = new nodes.TemplateData(
      begun.lineno,
      begun.colno,
      found[0].startsWith('{%-') ? start.trimEnd() : start,
    );
    return new nodes.Output(begun.lineno, begun.colno, [data]);
  }

  private attribute(node: Tree, dot: Token): Tree {
    if (dot.value === '.') this.nextToken();
    const name = this.nextToken();
    if (!name) return endOfTemplate('name');
    const at = [dot.lineno, dot.colno] as const;
    const lookup = (target: Tree, key: string | number) =>
      new nodes.LookupVal(...at, target, new nodes.Literal(...at, key));
    if (name.type === 'symbol' || name.type === 'none' || name.type === 'boolean') return lookup(node, name.value);
    if (name.type === 'int') return lookup(node, Number(name.value));
    if (name.type !== 'float') this.fail('expected name or number', name.lineno, name.colno);
    // In `tags.0.slug` the lexer takes `0.` for a number with a fraction.
    const [index, fraction] = name.value.split('.');
    const element = lookup(node, Number(index));
    return /^\d+$/.test(fraction ?? '')
      ? lookup(element, Number(fraction))
      : this.attribute(element, { ...dot, value: '' });
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
