import { compileFunction } from 'node:vm';
import { type Callable, keywords, repeat, splitKeywords, whole } from './arguments.ts';
import { JinjaCompiler } from './compiler.ts';
import { filters } from './filters.ts';
import type { TemplateOptions } from './jobs.ts';
import { methodOf } from './methods.ts';
import { runtime as nunjucks, type Frame } from './nunjucks.ts';
import { asTemplateError, parseTemplate } from './parse.ts';
import { tests } from './tests.ts';
import { contains, equal, isDict, number, order, own, text, truth } from './values.ts';

/** A compiled template. */
export type Template = (context: Readonly<Record<string, unknown>>) => string;

// Only what is in here can be called: our functions and the template's own macros. Whatever else a template gets hold of cannot run.
const callable = new WeakSet<Callable>();
const allow = <F extends Callable>(run: F): F => {
  callable.add(run);
  return run;
};

const maxRange = 100_000;
const range: Callable = (first, second, third) => {
  const [from, to] = second === undefined ? [0, whole(first, 0, Number.MAX_SAFE_INTEGER)] : [whole(first, 0, Number.MAX_SAFE_INTEGER), whole(second, 0, Number.MAX_SAFE_INTEGER)];
  const step = whole(third, 1, Number.MAX_SAFE_INTEGER);
  if (step === 0) throw new Error('range() arg 3 must not be zero');
  const count = Math.max(Math.ceil((to - from) / step), 0);
  if (count > maxRange) throw new Error(`Range too big. The sandbox blocks ranges larger than MAX_RANGE (${maxRange}).`);
  return Array.from({ length: count }, (_, i) => from + i * step);
};

const globals: Record<string, unknown> = Object.assign(Object.create(null) as Record<string, unknown>, {
  range: allow(range),
  dict: allow((...args) => {
    const { positional, keywords: { __keywords: _, ...named } } = splitKeywords(args);
    return Object.fromEntries([...positional, named].flatMap((arg) => (isDict(arg) ? Object.entries(arg) : [])));
  }),
  True: true,
  False: false,
  None: null,
});

const comparisons: Record<string, (a: unknown, b: unknown) => boolean> = {
  '==': equal, '===': equal, '!=': (a, b) => !equal(a, b), '!==': (a, b) => !equal(a, b),
  '<': (a, b) => order(a, b) < 0, '>': (a, b) => order(a, b) > 0, '<=': (a, b) => order(a, b) <= 0, '>=': (a, b) => order(a, b) >= 0,
};

const operations: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => a - b * Math.floor(a / b), '**': (a, b) => a ** b,
};

function arithmetic(operator: string, a: unknown, b: unknown): unknown {
  if (operator === '+' && typeof a === 'string' && typeof b === 'string') return a + b;
  if (operator === '+' && Array.isArray(a) && Array.isArray(b)) return joined(a, b);
  if (operator === '*' && typeof a === 'string' && typeof b === 'number') return repeat(a, whole(b, 0));
  if (operator === '*' && typeof a === 'number' && typeof b === 'string') return repeat(b, whole(a, 0));
  const [x, y] = [number(a), number(b)];
  if ((Number.isNaN(x) && !isNumber(a)) || (Number.isNaN(y) && !isNumber(b))) throw new Error(`unsupported operand type(s) for ${operator}`);
  if (y === 0 && '//%'.includes(operator)) throw new Error('division by zero');
  return operations[operator]!(x, y);
}
const isNumber = (value: unknown) => typeof value === 'number';
function joined(a: unknown[], b: unknown[]): unknown[] {
  if (a.length + b.length > maxRange * 10) throw new Error('the list would become too long');
  return [...a, ...b];
}

function compare(first: unknown, ...rest: unknown[]): boolean {
  let left = first;
  for (let i = 0; i < rest.length; i += 2) {
    if (!comparisons[String(rest[i])]!(left, rest[i + 1])) return false;
    left = rest[i + 1];
  }
  return true;
}

function memberLookup(target: unknown, key: unknown): unknown {
  const found = own(target, key);
  if (found !== undefined) return found;
  const method = methodOf(target, key);
  return method && allow(method);
}

function callWrap(run: unknown, name: string, context: unknown, args: unknown[]): unknown {
  if (typeof run !== 'function' || !callable.has(run as Callable)) throw new Error(`'${name}' cannot be called`);
  return (run as Callable).apply(context, args);
}

interface Variables { lookup(name: string): unknown }

/** Everything that a compiled template can reach of the outside; it is ours alone, nunjucks's own runtime stays out of reach. */
const runtime = Object.freeze({
  Frame: nunjucks.Frame,
  handleError: nunjucks.handleError,
  isArray: Array.isArray,
  keys: Object.keys,
  fromIterator: (value: unknown) => value,
  makeKeywordArgs: (values: Record<string, unknown>) => keywords(nunjucks.makeKeywordArgs(values)),
  makeMacro: (names: string[], keywordNames: string[], body: Callable) => {
    const macro = nunjucks.makeMacro(names, keywordNames, body);
    // nunjucks knows keyword arguments by a key, which data may have as well; an object of ours after it keeps them apart.
    return allow((...args) => String(macro(...args, ...(splitKeywords(args).positional === args ? [nunjucks.makeKeywordArgs({})] : []))));
  },
  SafeString: class { readonly value: string; constructor(value: string) { this.value = value; } toString(): string { return this.value; } },
  contextOrFrameLookup: (context: Variables, frame: Frame, name: string) => {
    const value = frame.lookup(name);
    return value === undefined ? context.lookup(name) : value;
  },
  memberLookup,
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
  readonly #values = new Map<string, unknown>();
  readonly #given: Readonly<Record<string, unknown>>;
  constructor(given: Readonly<Record<string, unknown>>) { this.#given = given; }
  lookup(name: string): unknown {
    if (this.#values.has(name)) return this.#values.get(name);
    return Object.hasOwn(this.#given, name) ? this.#given[name] : globals[name];
  }
  setVariable(name: string, value: unknown): void { this.#values.set(name, value); }
  addExport(): void {}
}

type Root = (env: unknown, context: Context, frame: Frame, runtime: unknown, done: (error: unknown, result?: string) => void) => void;

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
  const frame = new nunjucks.Frame();
  frame.topLevel = true;
  let outcome: { error?: unknown; result?: string } = {};
  root(environment, new Context(context), frame, runtime, (error, result) => {
    outcome = error ? { error } : { result: result ?? '' };
  });
  if (outcome.error) throw asTemplateError(outcome.error);
  return outcome.result ?? '';
}

