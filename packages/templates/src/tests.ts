import type { Callable } from './arguments.ts';
import { contains, equal, isDict, number, order, text } from './values.ts';

const eq: Callable = (a, b) => equal(a, b);
const ne: Callable = (a, b) => !equal(a, b);
const lt: Callable = (a, b) => order(a, b) < 0;
const gt: Callable = (a, b) => order(a, b) > 0;

/** Jinja2's tests (`is …`) under its names. No prototype, so that only these names exist. */
export const tests: Record<string, Callable> = Object.assign(Object.create(null) as Record<string, Callable>, {
  boolean: (value) => typeof value === 'boolean',
  callable: (value) => typeof value === 'function',
  defined: (value) => value !== undefined,
  divisibleby: (value, by) => number(value) % number(by) === 0,
  eq,
  equalto: eq,
  even: (value) => number(value) % 2 === 0,
  false: (value) => value === false,
  float: (value) => typeof value === 'number' && !Number.isInteger(value),
  ge: (a, b) => order(a, b) >= 0,
  greaterthan: gt,
  gt,
  in: (item, container) => contains(container, item),
  integer: (value) => Number.isInteger(value),
  iterable: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  le: (a, b) => order(a, b) <= 0,
  lessthan: lt,
  lower: (value) => text(value) === text(value).toLowerCase(),
  lt,
  mapping: isDict,
  ne,
  none: (value) => value === null,
  number: (value) => typeof value === 'number',
  odd: (value) => Math.abs(number(value)) % 2 === 1,
  sameas: (a, b) => a === b,
  sequence: (value) => typeof value === 'string' || Array.isArray(value),
  string: (value) => typeof value === 'string',
  true: (value) => value === true,
  undefined: (value) => value === undefined,
  upper: (value) => text(value) === text(value).toUpperCase(),
} satisfies Record<string, Callable>);

export const testNames: ReadonlySet<string> = new Set(Object.keys(tests));
