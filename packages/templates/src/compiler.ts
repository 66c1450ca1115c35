import { Compiler, type Tree, nodes } from './nunjucks.ts';

type Names = 'If' | 'InlineIf' | 'And' | 'Or' | 'Not' | 'Compare' | 'In' | 'Is' | 'For';
type Compile = (node: Tree, frame: unknown) => void;

/** The same node with some fields replaced. */
const replaced = (node: Tree, fields: Record<string, unknown>): Tree => Object.assign(Object.create(node) as Tree, fields);

const base = Compiler.prototype as unknown as Record<`compile${Names}`, Compile>;

const arithmetic: Record<string, string> = { Add: '+', Sub: '-', Mul: '*', Div: '/', FloorDiv: '//', Mod: '%', Pow: '**' };

/**
 * nunjucks's compiler with Python's meaning of truth, comparison and arithmetic: every operator becomes a call of our runtime, so no
 * JavaScript conversion happens between a template's values.
 */
export class JinjaCompiler extends Compiler {
  constructor() {
    super('template', false);
    for (const type of Object.keys(arithmetic)) Object.defineProperty(this, `compile${type}`, { value: (node: Tree, frame: unknown) => this.call(`runtime.arithmetic("${arithmetic[type]}",`, [node.left, node.right], frame) });
  }

  private call(start: string, args: readonly unknown[], frame: unknown): void {
    this._emit(start);
    args.forEach((arg, i) => {
      if (i > 0) this._emit(',');
      this.compile(arg as Tree, frame);
    });
    this._emit(')');
  }

  compileNeg(node: Tree, frame: unknown): void { this.call('runtime.arithmetic("-",0,', [node.target], frame); }
  compilePos(node: Tree, frame: unknown): void { this.call('runtime.arithmetic("+",0,', [node.target], frame); }
  compileConcat(node: Tree, frame: unknown): void { this.call('runtime.concat(', [node.left, node.right], frame); }
  compileNot(node: Tree, frame: unknown): void { this.call('!runtime.truth(', [node.target], frame); }
  compileIn(node: Tree, frame: unknown): void { this.call('runtime.inOperator(', [node.left, node.right], frame); }

  // The right side runs only when it is needed, hence a function.
  compileAnd(node: Tree, frame: unknown): void { this.lazy('runtime.and(', node, frame); }
  compileOr(node: Tree, frame: unknown): void { this.lazy('runtime.or(', node, frame); }
  private lazy(start: string, node: Tree, frame: unknown): void {
    this._emit(start);
    this.compile(node.left as Tree, frame);
    this._emit(', () => ');
    // An object literal would be read as the function's body.
    this._emit('(');
    this.compile(node.right as Tree, frame);
    this._emit('))');
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
    const right = node.right as Tree;
    const name = right.typename === 'FunCall' ? (right.name as Tree).value : right.typename === 'Literal' ? 'none' : right.value;
    const args = right.typename === 'FunCall' ? ((right.args as Tree).children as Tree[]) : [];
    this.call(`runtime.test("${String(name)}",`, [node.left, ...args], frame);
  }

  // nunjucks quotes the name of what is called, for its error messages, in a way that a backslash gets out of.
  compileFunCall(node: Tree, frame: unknown): void {
    const callee = node.name as Tree;
    const name = callee.typename === 'Symbol' ? callee : callee.typename === 'LookupVal' ? (callee.val as Tree) : null;
    this._emit('runtime.callWrap(');
    this.compile(callee, frame);
    this._emit(`, ${JSON.stringify(typeof name?.value === 'string' ? name.value : 'expression')}, context, [`);
    ((node.args as Tree).children as Tree[]).forEach((arg, i) => {
      if (i > 0) this._emit(',');
      this.compile(arg, frame);
    });
    this._emit('])');
  }

  compileIf(node: Tree, frame: unknown): void {
    base.compileIf.call(this, replaced(node, { cond: truthOf(node.cond as Tree) }), frame);
  }
  compileInlineIf(node: Tree, frame: unknown): void {
    base.compileInlineIf.call(this, replaced(node, { cond: truthOf(node.cond as Tree) }), frame);
  }
  compileFor(node: Tree, frame: unknown): void {
    const filter = (node.name as Tree).typename === 'Array' ? 'pairs_of' : 'items_of';
    base.compileFor.call(this, replaced(node, { arr: filtered(filter, node.arr as Tree) }), frame);
  }
}

const filtered = (name: string, node: Tree): Tree =>
  new nodes.Filter(node.lineno, node.colno, new nodes.Symbol(node.lineno, node.colno, name), new nodes.NodeList(node.lineno, node.colno, [node]));

/** nunjucks only compiles its own node types; `not not x` is a truth value in them. */
const truthOf = (node: Tree): Tree => filtered('truth_of', node);
