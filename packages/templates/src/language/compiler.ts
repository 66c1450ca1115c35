import { Compiler, nodes, type Tree } from './nunjucks.ts';

type Names = 'If' | 'InlineIf' | 'Output';
type Compile = (node: Tree, frame: unknown) => void;

/** The same node with some fields replaced. */
const replaced = (node: Tree, fields: Record<string, unknown>): Tree =>
  Object.assign(Object.create(node) as Tree, fields);
const children = (node: unknown): Tree[] => (node as { children: Tree[] }).children;
const named = (node: Tree): string => JSON.stringify(node.value);

const base = Compiler.prototype as unknown as Record<`compile${Names}`, Compile>;

const arithmetic: Record<string, string> = {
  Add: '+',
  Sub: '-',
  Mul: '*',
  Div: '/',
  FloorDiv: '//',
  Mod: '%',
  Pow: '**',
};

/**
 * nunjucks's compiler with Python's meaning of truth, comparison and arithmetic, and Jinja2's scopes: every operator
 * becomes a call of our runtime, so no JavaScript conversion happens between a template's values, and every part with
 * variables of its own becomes a function of its scope. Names of templates stand in the program as quoted texts only.
 */
export class JinjaCompiler extends Compiler {
  constructor() {
    super('template', false);
    for (const type of Object.keys(arithmetic))
      Object.defineProperty(this, `compile${type}`, {
        value: (node: Tree, frame: unknown) =>
          this.call(`runtime.arithmetic("${arithmetic[type]}",`, [node.left, node.right], frame),
      });
  }

  private list(parts: readonly unknown[], frame: unknown): void {
    parts.forEach((part, i) => {
      if (i > 0) this._emit(',');
      this.compile(part as Tree, frame);
    });
  }

  private call(start: string, args: readonly unknown[], frame: unknown): void {
    this._emit(start);
    this.list(args, frame);
    this._emit(')');
  }

  /** `(frame) => value` */
  private lazily(node: Tree, frame: unknown, parameter = 'frame'): void {
    // Without parentheses, an object literal would be read as the body of the function.
    this._emit(`(${parameter}) => (`);
    this.compile(node, frame);
    this._emit(')');
  }

  /** `function (frame) { … }`, which returns what a part of the template prints. */
  private printing(body: Tree | null | undefined, frame: unknown): void {
    this._emit('function (frame) {');
    const buffer = this._pushBuffer();
    this._withScopedSyntax(() => {
      if (body) this.compile(body, frame);
    });
    this._popBuffer();
    this._emit(`return ${buffer}; }`);
  }

  compileSymbol(node: Tree): void {
    this._emit(`runtime.contextOrFrameLookup(context, frame, ${named(node)})`);
  }
  compileNeg(node: Tree, frame: unknown): void {
    this.call('runtime.arithmetic("-",0,', [node.target], frame);
  }
  compilePos(node: Tree, frame: unknown): void {
    this.call('runtime.arithmetic("+",0,', [node.target], frame);
  }
  compileConcat(node: Tree, frame: unknown): void {
    this.call('runtime.concat(', [node.left, node.right], frame);
  }
  compileNot(node: Tree, frame: unknown): void {
    this.call('!runtime.truth(', [node.target], frame);
  }
  compileIn(node: Tree, frame: unknown): void {
    this.call('runtime.inOperator(', [node.left, node.right], frame);
  }

  // The right side is evaluated only when it is needed, hence a function.
  compileAnd(node: Tree, frame: unknown): void {
    this.either('runtime.and(', node, frame);
  }
  compileOr(node: Tree, frame: unknown): void {
    this.either('runtime.or(', node, frame);
  }
  private either(start: string, node: Tree, frame: unknown): void {
    this._emit(start);
    this.compile(node.left as Tree, frame);
    this._emit(', ');
    this.lazily(node.right as Tree, frame, '');
    this._emit(')');
  }

  compileCompare(node: Tree, frame: unknown): void {
    const operands = node.ops as Tree[];
    this._emit('runtime.compare(');
    this.compile(node.expr as Tree, frame);
    for (const operand of operands) {
      this._emit(`,"${String(operand.type)}",`);
      this.compile(operand.expr as Tree, frame);
    }
    this._emit(')');
  }

  compileIs(node: Tree, frame: unknown): void {
    const { name, args } = node.right as Tree;
    this.call(`runtime.test(${named(name as Tree)},`, [node.left, ...children(args)], frame);
  }

  /** Several values in parentheses are a list; nunjucks would compile them to the comma operator of JavaScript. */
  compileGroup(node: Tree, frame: unknown): void {
    const [open, close] = node.tuple ? ['runtime.tuple([', '])'] : ['(', ')'];
    this._emit(open);
    this.list(children(node), frame);
    this._emit(close);
  }

  compileDict(node: Tree, frame: unknown): void {
    this._emit('runtime.dict([');
    for (const pair of children(node)) {
      this._emit('[');
      this.list([pair.key, pair.value], frame);
      this._emit('],');
    }
    this._emit('])');
  }

  compileKeywordArgs(node: Tree, frame: unknown): void {
    this._emit('runtime.makeKeywordArgs([');
    for (const pair of children(node)) {
      this._emit(`[${named(pair.key as Tree)},`);
      this.compile(pair.value as Tree, frame);
      this._emit('],');
    }
    this._emit('])');
  }

  // nunjucks quotes the name of what is called, for its error messages, and a backslash in it would end the quotes.
  compileFunCall(node: Tree, frame: unknown): void {
    const callee = node.name as Tree;
    const name = callee.typename === 'Symbol' ? callee : callee.typename === 'LookupVal' ? (callee.val as Tree) : null;
    this._emit(`(${placeOf(node)}, runtime.callWrap(`);
    // A value without such a method may have a message of its own about that.
    if (callee.typename === 'LookupVal') this.call('runtime.methodLookup(', [callee.target, callee.val], frame);
    else this.compile(callee, frame);
    this._emit(`, ${JSON.stringify(typeof name?.value === 'string' ? name.value : 'expression')}, context, [`);
    this.list(children(node.args), frame);
    this._emit(']))');
  }

  /** Errors say in which line they happened: each tag and each value that is printed notes where it is. */
  compileOutput(node: Tree, frame: unknown): void {
    for (const child of children(node)) {
      if (child.typename !== 'TemplateData') this.place(child);
      base.compileOutput.call(this, replaced(node, { children: [child] }), frame);
    }
  }
  private place(node: Tree): void {
    this._emit(`${placeOf(node)};\n`);
  }

  compileIf(node: Tree, frame: unknown): void {
    this.place(node);
    base.compileIf.call(this, replaced(node, { cond: truthOf(node.cond as Tree) }), frame);
  }
  compileInlineIf(node: Tree, frame: unknown): void {
    base.compileInlineIf.call(this, replaced(node, { cond: truthOf(node.cond as Tree) }), frame);
  }

  compileFor(node: Tree, frame: unknown): void {
    this.place(node);
    const name = node.name as Tree;
    const names = name.typename === 'Array' ? children(name) : [name];
    this._emit(
      `${this.buffer} += runtime.loop({ names: [${names.map(named).join(',')}], recursive: ${node.recursive === true}, filter: `,
    );
    if (node.filter) this.lazily(node.filter as Tree, frame);
    else this._emit('null');
    this._emit(', body: ');
    this.printing(node.body as Tree, frame);
    this._emit(', otherwise: ');
    this.printing(node.else_ as Tree | null, frame);
    this._emit(' }, frame, ');
    this.compile(node.arr as Tree, frame);
    this._emit(');\n');
  }

  compileSet(node: Tree, frame: unknown): void {
    this.place(node);
    const targets = node.targets as Tree[];
    if (targets.length > 1) this._emit(`runtime.setEach(frame, [${targets.map(named).join(',')}], `);
    else if (targets[0]!.typename === 'LookupVal') {
      this._emit('runtime.setAttribute(');
      this.compile(targets[0]!.target as Tree, frame);
      this._emit(`, ${named(targets[0]!.val as Tree)}, `);
    } else this._emit(`frame.set(${named(targets[0]!)}, `);
    this.compile(node.value as Tree, frame);
    this._emit(');\n');
  }

  compileWith(node: Tree, frame: unknown): void {
    this.place(node);
    // The values are computed outside the new scope, so none of them sees the names of the others.
    this._emit(`${this.buffer} += runtime.scoped(frame, [${(node.names as Tree[]).map(named).join(',')}], [`);
    this.list(node.values as Tree[], frame);
    this._emit('], ');
    this.printing(node.body as Tree, frame);
    this._emit(');\n');
  }

  compileCapture(node: Tree, frame: unknown): void {
    this._emit('runtime.scoped(frame, [], [], ');
    this.printing(node.body as Tree, frame);
    this._emit(')');
  }

  compileMacro(node: Tree, frame: unknown): void {
    this._emit(`frame.set(${named(node.name as Tree)}, `);
    this.macro(node, frame);
    this._emit(');\n');
  }
  compileCaller(node: Tree, frame: unknown): void {
    this.macro(node, frame);
  }

  private macro(node: Tree, frame: unknown): void {
    const given = children(node.args).flatMap((arg): (readonly [Tree, Tree | null])[] =>
      arg.typename === 'KeywordArgs'
        ? children(arg).map(({ key, value }) => [key as Tree, value as Tree] as const)
        : [[arg, null] as const],
    );
    const uses = ['varargs', 'kwargs', 'caller'].filter(
      (name) => mentions(node.body as Tree, name) || given.some(([, value]) => value && mentions(value, name)),
    );
    this._emit(`runtime.macro({ name: ${named(node.name as Tree)}, uses: ${JSON.stringify(uses)}, parameters: [`);
    for (const [name, value] of given) {
      this._emit(`[${named(name)}, `);
      if (value) this.lazily(value, frame);
      else this._emit('null');
      this._emit('],');
    }
    this._emit('], body: ');
    this.printing(node.body as Tree, frame);
    this._emit(' }, frame)');
  }
}

/** Counted from 1. Both are numbers of the parser, never text of the template. */
const placeOf = ({ lineno, colno }: Tree): string => `lineno = ${Number(lineno) + 1}, colno = ${Number(colno) + 1}`;

/** Whether a part of a template names a variable. */
function mentions(root: Tree, name: string): boolean {
  const waiting: Tree[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.typename === 'Symbol' && node.value === name) return true;
    for (const value of Object.values(node)) {
      if (value instanceof nodes.Node) waiting.push(value as Tree);
      else if (Array.isArray(value))
        waiting.push(...(value as unknown[]).filter((item): item is Tree => item instanceof nodes.Node));
    }
  }
  return false;
}

/** nunjucks only compiles its own node types; `not not x` is a truth value in them. */
const truthOf = (node: Tree): Tree =>
  new nodes.Filter(
    node.lineno,
    node.colno,
    new nodes.Symbol(node.lineno, node.colno, 'truth_of'),
    new nodes.NodeList(node.lineno, node.colno, [node]),
  );
