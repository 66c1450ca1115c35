// nunjucks offers its lexer, parser, compiler and syntax tree without types; this file is the one place that knows
// their shape.
import nunjucks from 'nunjucks';

/** A node of the syntax tree. Its fields depend on the type. */
export interface Tree {
  readonly typename: string;
  readonly lineno: number;
  readonly colno: number;
  [field: string]: unknown;
}

export interface Token {
  type: string;
  value: string;
  lineno: number;
  colno: number;
}

type NodeClass = new (lineno: number, colno: number, ...fields: unknown[]) => Tree;

/** The lexer, as far as ours changes it. Inside a tag it reads code, outside text. */
export interface Tokenizer {
  in_code: boolean;
  str: string;
  index: number;
  nextToken(): Token | null;
  forwardN(count: number): void;
  _extractString(text: string): string | null;
  _parseString(delimiter: string): string;
}

/** The parser's own methods that ours builds on. */
interface ParserBase {
  tokens: { str: string; index: number; forwardN(count: number): void };
  /** The last tag ended with a dash: blanks that follow are dropped. */
  dropLeadingWhitespace: boolean;
  peekToken(): Token | null;
  nextToken(): Token | null;
  skip(type: string): boolean;
  skipValue(type: string, value: string): boolean;
  skipSymbol(name: string): boolean;
  fail(message: string, lineno?: number, colno?: number): never;
  parseExpression(): Tree;
  parseInlineIf(): Tree;
  parseOr(): Tree;
  parseIs(): Tree;
  parseCompare(): Tree;
  parseConcat(): Tree;
  parseAdd(): Tree;
  parsePow(): Tree;
  parseUnary(noFilters?: boolean): Tree;
  parseFilter(node: Tree): Tree;
  parseFilterName(): Tree;
  parseFilterArgs(node: Tree): Tree[];
  parseFilterStatement(): Tree;
  parseAggregate(): Tree | null;
  parseFor(): Tree;
  parseSet(): Tree;
  parseStatement(): Tree | null;
  parseUntilBlocks(...names: string[]): Tree;
  parseSignature(): Tree;
  parsePrimary(noPostfix?: boolean): Tree;
  parsePostfix(node: Tree): Tree;
  parseAsRoot(): Tree;
  expect(type: string): Token;
  advanceAfterVariableEnd(): void;
  advanceAfterBlockEnd(name?: string): Token;
  parseRaw(tag?: string): Tree;
}

/** The compiler's own methods that ours builds on. `frame` is the compile-time scope. */
interface CompilerBase {
  /** The name of the variable that output goes to. */
  buffer: string;
  compile(node: Tree, frame?: unknown): void;
  getCode(): string;
  _emit(code: string): void;
  _pushBuffer(): string;
  _popBuffer(): void;
  _withScopedSyntax(body: () => void): void;
}

interface Internals {
  lexer: {
    lex(text: string, options: { trimBlocks: boolean | undefined; lstripBlocks: boolean | undefined }): Tokenizer;
  };
  parser: { Parser: new (tokens: Tokenizer) => ParserBase };
  compiler: { Compiler: new (name: string, throwOnUndefined: boolean) => CompilerBase };
  nodes: Record<
    | 'NodeList'
    | 'Output'
    | 'TemplateData'
    | 'Literal'
    | 'Symbol'
    | 'LookupVal'
    | 'FunCall'
    | 'Filter'
    | 'Array'
    | 'Group'
    | 'Dict'
    | 'Pair'
    | 'For'
    | 'Set'
    | 'Capture'
    | 'Is'
    | 'Not'
    | 'InlineIf'
    | 'Add'
    | 'Sub'
    | 'Mul'
    | 'Div'
    | 'FloorDiv'
    | 'Mod'
    | 'Concat',
    NodeClass
  > & { Node: NodeClass & { extend(name: string, definition: { fields: string[] }): NodeClass } };
  runtime: { handleError(error: unknown, lineno: number, colno: number): Error };
}

const internals = nunjucks as unknown as Internals;

export const { lexer, nodes, runtime } = internals;
/** A tag that nunjucks does not know: `{% with a = 1 %}`. */
export const With = nodes.Node.extend('With', { fields: ['names', 'values', 'body'] });
export const Parser = internals.parser.Parser;
export const Compiler = internals.compiler.Compiler;
