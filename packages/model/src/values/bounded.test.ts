import { expect, test } from '@jest/globals';
import { customValueProblem } from '../fields/customValue.ts';
import { bounded } from './bounded.ts';

const hostile = `${'a'.repeat(60)}b`;

test('work is done, and its errors are its own', () => {
  expect(bounded('a', () => 5)).toBe(5);
  expect(() =>
    bounded('b', () => {
      throw new TypeError('mine');
    }),
  ).toThrow(new TypeError('mine'));
});

test('work without end is stopped, and for a while not begun again', () => {
  const began = performance.now();
  expect(
    bounded('loop', () => {
      for (;;);
    }),
  ).toBeUndefined();
  expect(performance.now() - began).toBeGreaterThan(40);
  let ran = false;
  expect(
    bounded('loop', () => {
      ran = true;
    }),
  ).toBeUndefined();
  expect(ran).toBe(false);
  const deep = (): number => 1 + deep();
  expect(bounded('deep', deep)).toBeUndefined();
});

test('work that others kept from the processor is begun again', () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let tries = 0;
  expect(
    bounded('kept', () => {
      if (++tries <= 3) Atomics.wait(cell, 0, 0, 1_000);
      return 5;
    }),
  ).toBe(5);
  expect(tries).toBe(4);
  expect(bounded('for ever', () => Atomics.wait(cell, 0, 0))).toBeUndefined();
});

test.each([String.raw`(a+)+\1$`, '(a+)+(?!x)$', '(a|aa)+$', '(.*a){20}$', 'a*a*a*a*a*a*c'])(
  'a value for %s is refused in time',
  (regex) => {
    const began = performance.now();
    for (let i = 0; i < 1_000; i++)
      expect(
        customValueProblem(
          { type: 'text', required: false, minimum: null, maximum: null, regex, schema: null, choiceSet: null },
          hostile,
        ),
      ).toMatch(/regex/);
    // If the work were stopped each time, this would take fifty seconds.
    expect(performance.now() - began).toBeLessThan(15_000);
  },
);
