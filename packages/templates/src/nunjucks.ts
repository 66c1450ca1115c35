// nunjucks offers its lexer, parser, compiler and syntax tree without types; this file is the one place that knows their shape.
import nunjucks from 'nunjucks';

/** A node of the syntax tree. Its fields depend on the type. */
export interface Tree {
  readonly typename: string;
  readonly lineno: number;
  readonly colno: number;
  [field: string]: unknown;
}

export interface Token { type: string; value: string; lineno: number; colno: number }

type NodeClass = new (lineno: number, colno: number, ...fields: unknown[]) => Tree;

/** The parser's own methods that ours builds on. */
interface ParserBase {
  tokens: { str: string; index: number; forwardN(count: number): void };
  /** The last tag ended with a dash: blanks that follow are dropped. */
  dropLeadingWhitespace: boolean;
  peekToken(): Token | null;
  nextToken(): Token | null;
  skip(type: string): boolean;
  fail(message: string, lineno?: number, colno?: number): never;
  parseExpression(): Tree;
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
  compile(node: Tree, frame?: unknown): void;
  getCode(): string;
  _emit(code: string): void;
}

/** The runtime's scopes, which compiled templates write to. */
export interface Frame { topLevel: boolean; lookup(name: string): unknown }

interface Internals {
  lexer: { lex(text: string, options: { trimBlocks: boolean | undefined; lstripBlocks: boolean | undefined }): unknown };
  parser: { Parser: new (tokens: unknown) => ParserBase };
  compiler: { Compiler: new (name: string, throwOnUndefined: boolean) => CompilerBase };
  nodes: Record<'Node' | 'NodeList' | 'Output' | 'TemplateData' | 'Literal' | 'Symbol' | 'LookupVal' | 'FunCall' | 'Filter', NodeClass>;
  runtime: {
    Frame: new () => Frame;
    makeMacro(names: string[], keywords: string[], body: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown;
    makeKeywordArgs(values: Record<string, unknown>): Record<string, unknown>;
    handleError(error: unknown, lineno: number, colno: number): Error;
  };
}

const internals = nunjucks as unknown as Internals;

export const { lexer, nodes, runtime } = internals;
export const Parser = internals.parser.Parser;
export const Compiler = internals.compiler.Compiler;
