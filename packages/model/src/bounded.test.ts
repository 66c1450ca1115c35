import { expect, test } from '@jest/globals';
import { bounded } from './bounded.ts';
import { customValueProblem } from './customValue.ts';

const hostile = `${'a'.repeat(60)}b`;

test('work is done, and its errors are its own', () => {
  expect(bounded('a', () => 5)).toBe(5);
  expect(() => bounded('b', () => { throw new TypeError('mine'); })).toThrow(new TypeError('mine'));
});

test('work without end is stopped, and for a while not begun again', () => {
  const began = performance.now();
  expect(bounded('loop', () => { for (;;); })).toBeUndefined();
  expect(performance.now() - began).toBeGreaterThan(40);
  let ran = false;
  expect(bounded('loop', () => { ran = true; })).toBeUndefined();
  expect(ran).toBe(false);
  const deep = (): number => 1 + deep();
  expect(bounded('deep', deep)).toBeUndefined();
});

test.each([String.raw`(a+)+\1$`, '(a+)+(?!x)$', '(a|aa)+$', '(.*a){20}$', 'a*a*a*a*a*a*c'])('a value for %s is refused in time', (regex) => {
  const began = performance.now();
  for (let i = 0; i < 1_000; i++) expect(customValueProblem({ type: 'text', required: false, minimum: null, maximum: null, regex, choiceSet: null }, hostile)).toMatch(/regex/);
  expect(performance.now() - began).toBeLessThan(1_500);
});
