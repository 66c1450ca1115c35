import { type Json, typeName } from '@cadastre/model/json';
import { type Pattern, readPattern } from './pattern.ts';

/** What a condition may compare with. */
type Operand = string | number | boolean | null | readonly unknown[];

const operators = ['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'regex'] as const;
type Operator = (typeof operators)[number];

/** One comparison: the attribute at a dotted path with a value. */
export interface Condition {
  kind: 'condition';
  path: readonly string[];
  operator: Operator;
  operand: Operand;
  negate: boolean;
  /** Set for `regex` only. */
  pattern?: Pattern;
}

/** Several conditions of which all or one must hold. */
interface Group {
  kind: 'group';
  logic: 'and' | 'or';
  members: readonly Node[];
}

export type Node = Condition | Group;

/** Broken conditions; the message is for the user. */
class ConditionError extends Error {
  override readonly name = 'ConditionError';
}

const ordered: readonly Operator[] = ['eq', 'gt', 'gte', 'lt', 'lte', 'contains'];
/** What may be done with which kind of value. */
const permitted: Record<string, readonly Operator[]> = {
  str: ['eq', 'contains', 'regex'],
  bool: ['eq', 'contains'],
  int: ordered,
  float: ordered,
  list: ['eq', 'in', 'contains'],
  NoneType: ['eq'],
};

const badLogic = "Invalid logic type: must be 'AND' or 'OR'. Please check documentation.";
const badKeys = 'Incorrect key(s) informed. Please check documentation.';
const keys = new Set(['attr', 'value', 'op', 'negate']);

// Deep enough for any rule that a person writes, shallow enough for the stack.
const maxDepth = 32;

/** Types are named as the reference system's messages name them. */
const classOf = (value: unknown): string => `<class '${typeName(value as Json)}'>`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the conditions of an event rule: `{"and": [...]}`, `{"or": [...]}` (nested at will) or one condition.
 * @throws ConditionError
 */
export function parseConditions(value: unknown, maxPattern: number): Node {
  return readSet(value, { maxPattern, path: '', depth: 0 });
}

/** Whether there are any: an empty dictionary stands for none. */
export const hasConditions = (value: unknown): boolean =>
  value !== null && value !== undefined && !(isObject(value) && Object.keys(value).length === 0);

/**
 * What is wrong with the conditions of an event rule, as a sentence that names the place; null when nothing is. No
 * conditions are right, too.
 */
export function checkConditions(value: unknown, maxPattern: number): string | null {
  if (!hasConditions(value)) return null;
  try {
    parseConditions(value, maxPattern);
    return null;
  } catch (error) {
    if (error instanceof ConditionError) return error.message;
    throw error;
  }
}

/** The reader's position, for messages. */
interface Place {
  maxPattern: number;
  path: string;
  depth: number;
}

/** Inside a group the message says in which member it is: `and[1].or[0]`. */
const wrong = (message: string, { path }: Place): never => {
  throw new ConditionError(path === '' ? message : `${message} (at ${path})`);
};

function readSet(value: unknown, at: Place): Node {
  if (!isObject(value)) return wrong(`Ruleset must be a dictionary, not ${classOf(value)}.`, at);
  if (at.depth > maxDepth)
    return wrong(`Conditions are nested more than ${maxDepth} levels deep.`, { ...at, path: '' });
  const names = Object.keys(value);
  if (names.length !== 1) return readCondition(value, at);
  const name = names[0]!;
  const logic = name.toLowerCase();
  if (logic !== 'and' && logic !== 'or') return wrong(badLogic, at);
  const members = value[name];
  if (!Array.isArray(members)) return wrong(`The rules under '${name}' must be a list.`, at);
  const inside = (i: number): Place => ({
    ...at,
    path: `${at.path === '' ? '' : `${at.path}.`}${name}[${i}]`,
    depth: at.depth + 1,
  });
  return { kind: 'group', logic, members: members.map((member: unknown, i) => readSet(member, inside(i))) };
}

function readCondition(value: Record<string, unknown>, at: Place): Condition {
  const { attr, value: operand, op = 'eq', negate = false } = value;
  if (!('attr' in value) || !('value' in value) || Object.keys(value).some((key) => !keys.has(key)))
    return wrong(badKeys, at);
  if (typeof attr !== 'string' || attr === '') return wrong('The attribute of a condition must be a string.', at);
  if (attr.split('.').includes('')) return wrong(`Invalid key path: ${attr}`, at);
  if (!operators.includes(op as Operator))
    return wrong(
      `Unknown operator: ${typeof op === 'string' ? op : JSON.stringify(op)}. Must be one of: ${operators.join(', ')}`,
      at,
    );
  if (typeof negate !== 'boolean') return wrong(`The key 'negate' of a condition must be true or false.`, at);
  const allowed = permitted[typeName(operand as Json)];
  if (!allowed) return wrong(`Unsupported value type: ${classOf(operand)}`, at);
  const operator = op as Operator;
  if (!allowed.includes(operator)) return wrong(`Invalid type for ${operator} operation: ${classOf(operand)}`, at);
  const condition: Condition = {
    kind: 'condition',
    path: attr.split('.'),
    operator,
    operand: operand as Operand,
    negate,
  };
  return operator === 'regex' ? { ...condition, pattern: compilePattern(operand as string, at) } : condition;
}

function compilePattern(source: string, at: Place): Pattern {
  if (source.length > at.maxPattern)
    return wrong(`Regular expressions may have at most ${at.maxPattern} characters.`, at);
  try {
    return readPattern(source);
  } catch (error) {
    return wrong(
      `Invalid regular expression: ${error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)}`,
      at,
    );
  }
}

/** Whether a regular expression occurs anywhere; such conditions are evaluated where they cannot hang the process. */
export const hasPattern = (node: Node): boolean =>
  node.kind === 'group' ? node.members.some(hasPattern) : node.operator === 'regex';
