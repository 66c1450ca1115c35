import { type Pattern, readPattern } from './pattern.ts';

/** What a condition may compare with. */
export type Operand = string | number | boolean | null | readonly unknown[];

export const operators = ['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'regex'] as const;
export type Operator = (typeof operators)[number];

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
export interface Group {
  kind: 'group';
  logic: 'and' | 'or';
  members: readonly Node[];
}

export type Node = Condition | Group;

/** Broken conditions; the message is for the user. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
}

const ordered: readonly Operator[] = ['eq', 'gt', 'gte', 'lt', 'lte', 'contains'];
const permitted: Record<string, readonly Operator[]> = {
  str: ['eq', 'contains', 'regex', 'in'],
  bool: ['eq', 'contains'],
  number: ordered,
  list: ['eq', 'in', 'contains'],
  null: ['eq'],
};

const badLogic = "Invalid logic type: must be 'AND' or 'OR'. Please check documentation.";
const badKeys = 'Incorrect key(s) informed. Please check documentation.';
const keys = new Set(['attr', 'value', 'op', 'negate']);

// Deep enough for any rule that a person writes, shallow enough for the stack.
const maxDepth = 32;

/** The type names follow the reference system, whose users know them from its messages. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'number';
  return 'dict';
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the conditions of an event rule: `{"and": [...]}`, `{"or": [...]}` (nested at will) or one condition.
 * @throws ConditionError
 */
export function parseConditions(value: unknown, maxPattern: number): Node {
  return readSet(value, maxPattern, 0);
}

/** What is wrong with the conditions of an event rule, as a sentence; null when nothing is. No conditions are right, too. */
export function checkConditions(value: unknown, maxPattern: number): string | null {
  if (value === null || value === undefined) return null;
  try {
    parseConditions(value, maxPattern);
    return null;
  } catch (error) {
    if (error instanceof ConditionError) return error.message;
    throw error;
  }
}

function readSet(value: unknown, maxPattern: number, depth: number): Node {
  if (!isObject(value)) throw new ConditionError(`Ruleset must be a dictionary, not ${typeOf(value)}.`);
  if (depth > maxDepth) throw new ConditionError(`Conditions are nested more than ${maxDepth} levels deep.`);
  const names = Object.keys(value);
  if (names.length !== 1) return readCondition(value, maxPattern);
  const name = names[0]!;
  const logic = name.toLowerCase();
  if (logic !== 'and' && logic !== 'or') throw new ConditionError(badLogic);
  const members = value[name];
  if (!Array.isArray(members)) throw new ConditionError(`The rules under '${name}' must be a list.`);
  return {
    kind: 'group',
    logic,
    members: members.map((member: unknown) => (isObject(member) && Object.keys(member).length !== 1 ? readCondition(member, maxPattern) : readSet(member, maxPattern, depth + 1))),
  };
}

function readCondition(value: Record<string, unknown>, maxPattern: number): Condition {
  const { attr, value: operand, op = 'eq', negate = false } = value;
  if (!('attr' in value) || !('value' in value) || Object.keys(value).some((key) => !keys.has(key))) throw new ConditionError(badKeys);
  if (typeof attr !== 'string' || attr === '') throw new ConditionError('The attribute of a condition must be a string.');
  if (!operators.includes(op as Operator)) throw new ConditionError(`Unknown operator: ${String(op)}. Must be one of: ${operators.join(', ')}`);
  if (typeof negate !== 'boolean') throw new ConditionError(`The key 'negate' of a condition must be true or false.`);
  const type = typeOf(operand);
  const allowed = permitted[type];
  if (!allowed) throw new ConditionError(`Unsupported value type: ${type}`);
  const operator = op as Operator;
  if (!allowed.includes(operator)) throw new ConditionError(`Invalid type for ${operator} operation: ${type}`);
  const condition: Condition = { kind: 'condition', path: attr.split('.'), operator, operand: operand as Operand, negate };
  return operator === 'regex' ? { ...condition, pattern: compilePattern(operand as string, maxPattern) } : condition;
}

function compilePattern(source: string, maxPattern: number): Pattern {
  if (source.length > maxPattern) throw new ConditionError(`Regular expressions may have at most ${maxPattern} characters.`);
  try {
    return readPattern(source);
  } catch (error) {
    throw new ConditionError(`Invalid regular expression: ${error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)}`);
  }
}

/** Whether a regular expression occurs anywhere; such conditions are evaluated where they cannot hang the process. */
export const hasPattern = (node: Node): boolean => (node.kind === 'group' ? node.members.some(hasPattern) : node.operator === 'regex');
