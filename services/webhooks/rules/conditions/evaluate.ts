import { equal } from '@cadastre/templates/values';
import type { Condition, Node } from './grammar.ts';
import { matches } from './pattern.ts';

/**
 * The conditions do not fit the data: a path that does not exist, or values that cannot be compared. The rule then does
 * not fire.
 */
export class ConditionMismatch extends Error {
  override readonly name = 'ConditionMismatch';
}

type Data = Readonly<Record<string, unknown>>;

/**
 * Whether the conditions hold for the data (the object's representation, with `snapshots` beside its attributes).
 * @throws ConditionMismatch
 */
export function evaluate(node: Node, data: Data): boolean {
  if (node.kind === 'condition') return holds(node, data);
  return node.logic === 'or'
    ? node.members.some((member) => evaluate(member, data))
    : node.members.every((member) => evaluate(member, data));
}

function holds(condition: Condition, data: Data): boolean {
  // A snapshot that does not exist (before a creation, after a deletion) has no attributes: only a comparison with null
  // is true.
  const found = inAbsentSnapshot(condition, data)
    ? condition.operator === 'eq' && condition.operand === null
    : compare(condition, valueAt(condition, data));
  return found !== condition.negate;
}

/** Whether the path leads into the snapshot before a creation or after a deletion. */
function inAbsentSnapshot({ path: [first, which, ...rest] }: Condition, { snapshots }: Data): boolean {
  return (
    first === 'snapshots' &&
    rest.length > 0 &&
    isDict(snapshots) &&
    which !== undefined &&
    Object.hasOwn(snapshots, which) &&
    snapshots[which] === null
  );
}

const valueAt = (condition: Condition, data: Data): unknown =>
  condition.path.reduce<unknown>((found, key) => step(found, key, condition), data);

/** Through a list the path continues in every item, so `tags.slug` is the list of the slugs. */
function step(value: unknown, key: string, condition: Condition): unknown {
  if (Array.isArray(value)) return value.map((item) => member(item, key, condition));
  return member(value, key, condition);
}

function member(value: unknown, key: string, condition: Condition): unknown {
  if (isDict(value) && Object.hasOwn(value, key)) return value[key];
  throw new ConditionMismatch(`Invalid key path: ${condition.path.join('.')}`);
}

const isDict = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function compare(condition: Condition, value: unknown): boolean {
  const { operator, operand } = condition;
  switch (operator) {
    case 'eq':
      return equal(value, operand);
    case 'gt':
      return number(value, condition) > (operand as number);
    case 'gte':
      return number(value, condition) >= (operand as number);
    case 'lt':
      return number(value, condition) < (operand as number);
    case 'lte':
      return number(value, condition) <= (operand as number);
    case 'in':
      return contains(operand, value, condition);
    case 'contains':
      return contains(value, operand, condition);
    case 'regex':
      if (typeof value !== 'string') throw mismatch(condition);
      return condition.pattern !== undefined && matches(condition.pattern, value);
  }
}

/** Truth values count as 0 and 1, as everywhere in Python. */
function number(value: unknown, condition: Condition): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  throw mismatch(condition);
}

/** Membership in a list, among an object's keys, or of a text in a text. */
function contains(container: unknown, item: unknown, condition: Condition): boolean {
  if (Array.isArray(container)) return container.some((member) => equal(member, item));
  if (typeof container === 'string' && typeof item === 'string') return container.includes(item);
  if (isDict(container)) return typeof item === 'string' && Object.hasOwn(container, item);
  throw mismatch(condition);
}

const mismatch = (condition: Condition): ConditionMismatch =>
  new ConditionMismatch(`Invalid data type at '${condition.path.join('.')}' for '${condition.operator}' evaluation`);
