import { expect, test } from '@jest/globals';
import { pythonText } from './pythonText.ts';

test.each([
  [null, 'None'],
  [true, 'True'],
  [1.5, '1.5'],
  ["a\\b\n'c'", `"a\\\\b\\n'c'"`],
  [`'"`, `'\\'"'`],
  [[1, 'x'], "[1, 'x']"],
  [{ a: { b: false } }, "{'a': {'b': False}}"],
])('%j is written %s', (value, text) => {
  expect(pythonText(value)).toBe(text);
});
