import { compileFunction } from 'node:vm';
import { type Callable, keywords, repeat, whole } from '../values/arguments.ts';
import { JinjaCompiler } from '../language/compiler.ts';
import { filters, tests } from '../filters/filters.ts';
import { printf } from '../values/format.ts';
import { ipPart } from '../values/ipParts.ts';
import { functions, maxRange, Namespace } from '../objects/globals.ts';
import type { TemplateOptions } from '../jobs/jobs.ts';
import { loop } from '../values/loop.ts';
import { macro, type MacroTag } from '../values/macro.ts';
import { methodOf } from '../objects/methods.ts';
import { runtime as nunjucks } from '../language/nunjucks.ts';
import { asTemplateError, parseTemplate } from '../language/parse.ts';
import { bind, Frame } from '../values/scope.ts';
import {
  contains,
  equal,
  behaviourOf,
  number,
  order,
  own,
  plain,
  Special,
  text,
  truth,
  tuple,
} from '../values/values.ts';

/** A compiled template. */
export type Template = (context: Readonly<Record<string, unknown>>) => string;

// Only what is in here can be called: our functions and the template's own macros. Whatever else a template gets hold
// of cannot run.
const callable = new WeakSet<Callable>();
const allow = <F extends Callable>(run: F): F => {
  callable.add(run);
  return run;
};

const globals: Record<string, unknown> = Object.assign(
  Object.create(null) as Record<string, unknown>,
  Object.fromEntries(Object.entries(functions).map(([name, run]) => [name, allow(run)])),
  { True: true, False: false, None: null },
);

const comparisons: Record<string, (a: unknown, b: unknown) => boolean> = {
  '==': equal,
  '===': equal,
  '!=': (a, b) => !equal(a, b),
  '!==': (a, b) => !equal(a, b),
  '<': (a, b) => order(a, b) < 0,
  '>': (a, b) => order(a, b) > 0,
  '<=': (a, b) => order(a, b) <= 0,
  '>=': (a, b) => order(a, b) >= 0,
};

const operations: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => a - b * Math.floor(a / b),
  '**': (a, b) => a ** b,
};

function arithmetic(operator: string, a: unknown, b: unknown): unknown {
  if (operator === '+' && typeof a === 'string' && typeof b === 'string') return a + b;
  if (operator === '+' && Array.isArray(a) && Array.isArray(b)) return joined(a, b);
  if (operator === '*' && typeof a === 'string' && typeof b === 'number') return repeat(a, whole(b, 0));
  if (operator === '*' && typeof a === 'number' && typeof b === 'string') return repeat(b, whole(a, 0));
  if (operator === '*' && Array.isArray(a) && typeof b === 'number') return repeated(a, whole(b, 0));
  if (operator === '%' && typeof a === 'string') return printf(a, Array.isArray(b) ? b : [b]);
  const [x, y] = [number(a), number(b)];
  if ((Number.isNaN(x) && !isNumber(a)) || (Number.isNaN(y) && !isNumber(b)))
    throw new Error(`unsupported operand type(s) for ${operator}`);
  if (y === 0 && '//%'.includes(operator)) throw new Error('division by zero');
  return operations[operator]!(x, y);
}
const isNumber = (value: unknown) => typeof value === 'number';
function joined(a: unknown[], b: unknown[]): unknown[] {
  if (a.length + b.length > maxRange * 10) throw new Error('the list would become too long');
  return [...a, ...b];
}
function repeated(a: unknown[], times: number): unknown[] {
  if (a.length * times > maxRange * 10) throw new Error('the list would become too long');
  return Array.from({ length: Math.max(times, 0) }, () => a).flat();
}

function compare(first: unknown, ...rest: unknown[]): boolean {
  let left = first;
  for (let i = 0; i < rest.length; i += 2) {
    if (!comparisons[String(rest[i])]!(left, rest[i + 1])) return false;
    left = rest[i + 1];
  }
  return true;
}

function memberLookup(target: unknown, given: unknown): unknown {
  const key = plain(given);
  const found = own(target, key);
  if (found !== undefined) return found;
  const method = methodOf(target, key);
  if (method) return allow(method);
  return typeof target === 'string' && typeof key === 'string' ? ipPart(target, key) : undefined;
}

/** Looks up an attribute to be called: a value that lacks it may have a message of its own about that. */
function methodLookup(target: unknown, key: unknown): unknown {
  const found = memberLookup(target, key);
  const nature = behaviourOf(target);
  if (found === undefined && nature?.missing && typeof key === 'string') throw new Error(nature.missing(key));
  return found;
}

function callWrap(run: unknown, name: string, _context: unknown, args: unknown[]): unknown {
  if (run instanceof Special && run.call) return run.call(...args);
  if (typeof run !== 'function' || !callable.has(run as Callable)) throw new Error(`'${name}' cannot be called`);
  return (run as Callable)(...args);
}

function setAttribute(target: unknown, name: string, value: unknown): void {
  if (!(target instanceof Namespace)) throw new Error('cannot assign attribute on non-namespace object');
  target.set(name, value);
}

/** Runs a part of a template with variables of its own. */
function scoped(
  parent: Frame,
  names: readonly string[],
  values: readonly unknown[],
  body: (frame: Frame) => string,
): string {
  const frame = parent.push();
  names.forEach((name, i) => {
    frame.set(name, values[i]);
  });
  return body(frame);
}

interface Variables {
  lookup(name: string): unknown;
}

/**
 * Everything outside of itself that a compiled template can reach; it is all ours, and nunjucks's own runtime is out of
 * reach.
 */
const runtime = Object.freeze({
  handleError: nunjucks.handleError,
  makeKeywordArgs: (values: [string, unknown][]) => keywords(Object.fromEntries(values)),
  dict: (pairs: [unknown, unknown][]) =>
    Object.fromEntries(pairs.map(([key, value]) => [typeof key === 'string' ? key : text(key), value])),
  macro: (tag: MacroTag, frame: Frame) => allow(macro(tag, frame)),
  tuple,
  loop,
  scoped,
  setAttribute,
  setEach: bind,
  contextOrFrameLookup: (context: Variables, frame: Frame, name: string) =>
    frame.has(name) ? frame.lookup(name) : context.lookup(name),
  memberLookup,
  methodLookup,
  callWrap,
  suppressValue: text,
  inOperator: (item: unknown, container: unknown) => contains(container, item),
  truth,
  and: (left: unknown, right: () => unknown) => (truth(left) ? right() : left),
  or: (left: unknown, right: () => unknown) => (truth(left) ? left : right()),
  concat: (left: unknown, right: unknown) => text(left) + text(right),
  compare,
  arithmetic,
  test: (name: string, ...args: unknown[]) => truth(tests[name]!(...args)),
});

const truthOf: Callable = (value) => truth(value);
const environment = Object.freeze({
  opts: Object.freeze({ autoescape: false }),
  getFilter: (name: string): Callable => {
    const found = name === 'truth_of' ? truthOf : filters[name];
    if (!found) throw new Error(`No filter named '${name}'.`);
    return found;
  },
});

class Context {
  readonly #given: Readonly<Record<string, unknown>>;
  constructor(given: Readonly<Record<string, unknown>>) {
    this.#given = given;
  }
  lookup(name: string): unknown {
    return Object.hasOwn(this.#given, name) ? this.#given[name] : globals[name];
  }
}

type Root = (
  env: unknown,
  context: Context,
  frame: Frame,
  runtime: unknown,
  done: (error: unknown, result?: string) => void,
) => void;

/**
 * Compiles a template.
 * @throws TemplateError
 */
export function compileTemplate(source: string, options?: TemplateOptions): Template {
  const compiler = new JinjaCompiler();
  let root: Root;
  try {
    compiler.compile(parseTemplate(source, options));
    // Unlike `new Function`, this has no `import()`.
    ({ root } = compileFunction(compiler.getCode())() as { root: Root });
  } catch (error) {
    throw asTemplateError(error);
  }
  return (context) => run(root, context);
}

function run(root: Root, context: Readonly<Record<string, unknown>>): string {
  let outcome: { error?: unknown; result?: string } = {};
  root(environment, new Context(context), new Frame(), runtime, (error, result) => {
    outcome = error ? { error } : { result: result ?? '' };
  });
  if (outcome.error) throw asTemplateError(outcome.error);
  return outcome.result ?? '';
}
