import { expect, test } from '@jest/globals';
import { caselessName } from './user-names.ts';

test.each([
  ['ann', 'ANN'],
  ['jürgen', 'JÜRGEN'],
  ['ßen', 'ßEN'],
  ['σοφία', 'ΣΟΦΊΑ'],
])('%s is %s', (one, other) => expect(caselessName(one)).toBe(caselessName(other)));

test.each([
  ['kim', '\u212aim'],
  ['åsa', '\u212bsa'],
  ['ω', '\u2126'],
  ['ibrahim', '\u0130brahim'],
  ['sam', '\u017fam'],
  ['ırmak', 'irmak'],
  ['ann', 'ann\u200b'],
  ['ann', '\uff41nn'],
])('%s is not %s, which looks alike', (one, other) => expect(caselessName(one)).not.toBe(caselessName(other)));
