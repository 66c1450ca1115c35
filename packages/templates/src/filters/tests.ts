import type { Callable } from '../values/arguments.ts';
import { contains, equal, isDict, number, order, Special, text } from '../values/values.ts';

const eq: Callable = (a, b) => equal(a, b);
const ne: Callable = (a, b) => !equal(a, b);
const lt: Callable = (a, b) => order(a, b) < 0;
const gt: Callable = (a, b) => order(a, b) > 0;

const simple: Record<string, Callable> = {
  boolean: (value) => typeof value === 'boolean',
  callable: (value) => typeof value === 'function' || (value instanceof Special && value.call !== undefined),
  defined: (value) => value !== undefined,
  divisibleby: (value, by) => number(value) % number(by) === 0,
  eq,
  equalto: eq,
  // Nothing is marked as escaped here: payloads of webhooks and configurations are not HTML.
  escaped: () => false,
  even: (value) => number(value) % 2 === 0,
  false: (value) => value === false,
  float: (value) => typeof value === 'number' && !Number.isInteger(value),
  ge: (a, b) => order(a, b) >= 0,
  greaterthan: gt,
  gt,
  in: (item, container) => contains(container, item),
  integer: (value) => Number.isInteger(value),
  iterable: (value) => typeof value === 'string' || Array.isArray(value) || isDict(value),
  le: (a, b) => order(a, b) <= 0,
  lessthan: lt,
  lower: (value) => text(value) === text(value).toLowerCase(),
  lt,
  mapping: isDict,
  ne,
  none: (value) => value === null,
  number: (value) => typeof value === 'number' || typeof value === 'boolean',
  odd: (value) => Math.abs(number(value)) % 2 === 1,
  sameas: (a, b) => a === b,
  // An object counts as well, as in Jinja2.
  sequence: (value) => typeof value === 'string' || Array.isArray(value) || isDict(value),
  string: (value) => typeof value === 'string',
  true: (value) => value === true,
  undefined: (value) => value === undefined,
  upper: (value) => text(value) === text(value).toUpperCase(),
};

/** Jinja2's tests (`is …`) under its names. No prototype, so that only these names exist. */
export function testsWith(isFilter: (name: string) => boolean): Record<string, Callable> {
  const tests: Record<string, Callable> = Object.assign(Object.create(null) as Record<string, Callable>, simple, {
    filter: (name) => typeof name === 'string' && isFilter(name),
    test: (name) => typeof name === 'string' && name in tests,
  } satisfies Record<string, Callable>);
  return tests;
}
