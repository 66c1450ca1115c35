// nunjucks writes names and some literals into the program that it generates without quoting them, so a template that
// is not checked could leave its string and run code of its own. Nothing reaches the compiler but node types on this
// list, with names that are names.
import { filterNames, testNames } from '../filters/filters.ts';
import { nodes, type Tree } from './nunjucks.ts';

class Refused extends Error {
  override readonly name = 'Refused';
  /** From 1, as in the parser's errors. */
  lineno?: number;
  colno?: number;
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const forbidden = new Set(['__proto__', 'constructor', 'prototype', 'this', 'global', 'globalThis', '__keywords']);

const plain = [
  'Root',
  'NodeList',
  'Output',
  'TemplateData',
  'Group',
  'Array',
  'If',
  'InlineIf',
  'Capture',
  'Switch',
  'Case',
  'In',
  'Or',
  'And',
  'Not',
  'Add',
  'Concat',
  'Sub',
  'Mul',
  'Div',
  'FloorDiv',
  'Mod',
  'Pow',
  'Neg',
  'Pos',
  'Compare',
  'CompareOperand',
  'Dict',
  'LookupVal',
] as const;

type Check = (node: Tree) => void;
const nothing: Check = () => {};

const name = (value: unknown): string => {
  if (typeof value !== 'string' || !identifier.test(value)) throw new Refused(`unexpected ${describe(value)}`);
  if (forbidden.has(value)) throw new Refused(`'${value}' is not available in templates.`);
  return value;
};
const describe = (value: unknown) => (typeof value === 'string' ? `'${value.slice(0, 40)}'` : 'expression');
const isNode = (value: unknown): value is Tree => value instanceof nodes.Node;
const children = (node: unknown): Tree[] =>
  isNode(node) && Array.isArray(node.children) ? (node.children as Tree[]) : [];

/** A node that must be a plain name, such as a loop variable. */
const nameNode = (node: unknown): string => {
  if (!isNode(node) || node.typename !== 'Symbol') throw new Refused('expected a name.');
  return name(node.value);
};

const known = (kind: 'filter' | 'test', names: ReadonlySet<string>, node: unknown): void => {
  const found = nameNode(node);
  if (!names.has(found)) throw new Refused(`No ${kind} named '${found}'.`);
};

/** What `set` may assign to: a name, or an attribute of one. */
const target = (node: unknown): void => {
  if (!isNode(node) || node.typename !== 'LookupVal') return void nameNode(node);
  nameNode(node.target);
  if (!isNode(node.val) || node.val.typename !== 'Literal') throw new Refused('expected a name.');
  name(node.val.value);
};

const signature = (args: unknown): void => {
  for (const arg of children(args))
    if (arg.typename !== 'Symbol' && arg.typename !== 'KeywordArgs') throw new Refused('expected a name.');
};

const checks: Record<string, Check> = {
  ...Object.fromEntries(plain.map((type) => [type, nothing])),
  Symbol: (node) => void name(node.value),
  Literal: (node) => {
    if (typeof node.value === 'object' && node.value !== null)
      throw new Refused('regular expressions are not available in templates.');
  },
  Pair: (node) => {
    const { key } = node;
    if (isNode(key) && key.typename === 'Literal' && forbidden.has(String(key.value)))
      throw new Refused(`'${String(key.value)}' is not available in templates.`);
  },
  KeywordArgs: (node) => {
    for (const pair of children(node)) nameNode(pair.key);
  },
  Filter: (node) => known('filter', filterNames, node.name),
  Is: (node) => {
    const call = node.right as Tree;
    known('test', testNames, call.name);
    if (children(call.args).length > 1) throw new Refused('tests take one argument.');
  },
  FunCall: nothing,
  For: (node) => {
    if (isNode(node.name) && node.name.typename === 'Array') {
      if (children(node.name).length < 2) throw new Refused('expected a name.');
      for (const child of children(node.name)) nameNode(child);
    } else nameNode(node.name);
  },
  Set: (node) => {
    const targets = node.targets as unknown[];
    if (targets.length === 1) target(targets[0]);
    else for (const each of targets) nameNode(each);
  },
  With: (node) => {
    for (const each of node.names as unknown[]) nameNode(each);
  },
  Macro: (node) => {
    nameNode(node.name);
    signature(node.args);
  },
  Caller: (node) => signature(node.args),
};

const unavailable: Record<string, string> = {
  Block: 'block',
  Extends: 'extends',
  Include: 'include',
  Import: 'import',
  FromImport: 'from',
  AsyncEach: 'asyncEach',
  AsyncAll: 'asyncAll',
  IfAsync: 'ifAsync',
  Super: 'super',
};

/** Lets an error say where it is. */
function placed(node: Tree, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof Refused && Number.isInteger(node.lineno))
      Object.assign(error, { lineno: node.lineno + 1, colno: node.colno + 1 });
    throw error;
  }
}

/**
 * Refuses every template that could make the compiler emit anything but what its text says.
 * @throws an error whose message is for the user
 */
export function guard(root: Tree): void {
  const waiting: Tree[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const check = Object.hasOwn(checks, node.typename) ? checks[node.typename] : undefined;
    placed(node, () => {
      if (!check)
        throw new Refused(`The tag '${unavailable[node.typename] ?? node.typename}' is not available in templates.`);
      check(node);
    });
    for (const value of Object.values(node)) {
      if (isNode(value)) waiting.push(value);
      else if (Array.isArray(value)) waiting.push(...value.filter(isNode));
    }
  }
}
