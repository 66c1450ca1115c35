import { expect } from '@jest/globals';
import type { Body } from '../client.ts';

const common = (one: object, other: object): object =>
  Object.fromEntries(Object.entries(one).filter(([name]) => name in other));

/** Without what other tests of the run add to all objects: custom fields and config contexts come and go. */
function without(one: Body, other: Body): Body {
  if (Array.isArray(one)) return one.map((item, i) => without(item, other?.[i]));
  const { config_context: _, ...rest } = one;
  return one.custom_fields && other?.custom_fields
    ? { ...rest, custom_fields: common(one.custom_fields, other.custom_fields) }
    : rest;
}

/**
 * Expects two answers, of an object or a list, to show the same members with the same values in the same order. Custom
 * fields that only one of them has, and config contexts, may be those of other tests.
 */
export function expectAlike(one: Body, other: Body): void {
  const [left, right] = [without(one, other), without(other, one)];
  expect(left).toEqual(right);
  expect(JSON.stringify(left)).toBe(JSON.stringify(right));
}
