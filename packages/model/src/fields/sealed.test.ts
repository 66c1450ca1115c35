import { describe, expect, test } from '@jest/globals';
import type { ParseContext, Seal } from '../types/parsing.ts';
import type { RuleContext } from '../types/rule.ts';
import { MASK } from './plain/text.ts';
import { placeOf, sealed, sealedTexts, secretsKept } from './sealed.ts';

const seal: Seal = { close: (text, place) => `<${place} ${text}>`, open: (text) => text, state: () => 'closed' };
const context: ParseContext = { knowsObjectType: () => true, seal, place: placeOf('a.b', 'c') };

describe('a sealed text', () => {
  const field = sealed({ max: 5, optional: true });
  test('is encrypted when it is given, whatever its length then', () => {
    expect(field.parse!('abcde', context)).toEqual({ value: '<a.b.c abcde>' });
    expect(field.parse!('', context)).toEqual({ value: '' });
    expect(field.parse!('abcdef', context)).toEqual({ errors: ['Ensure this field has no more than 5 characters.'] });
    expect([field.column!.type, field.metadata()]).toEqual([
      'text',
      { type: 'string', required: false, read_only: false, max_length: 5 },
    ]);
  });
  test('is shown as a mask', () => {
    expect([field.print!('<x>'), field.print!('')]).toEqual([`"${MASK}"`, '""']);
  });
  test('is not stored without a key', () => {
    expect(() => field.parse!('a', { knowsObjectType: () => true })).toThrow('no key');
  });
});

describe('sealed texts', () => {
  const field = sealedTexts();
  const rule = secretsKept('secrets');
  const merged = (given: unknown, before: unknown) => {
    const object = { secrets: given } as unknown as Record<string, never>;
    const errors = rule(object, { before: { secrets: before } } as unknown as RuleContext);
    return errors ?? object['secrets'];
  };

  test('are encrypted one by one, and shown as masks', () => {
    expect(field.parse!({ a: 'aaaa', b: null, c: MASK }, context)).toEqual({
      value: { a: '<a.b.c aaaa>', b: null, c: MASK },
    });
    expect(field.print!('{"a": "<x>", "b": "<y>"}')).toBe(`{"a":"${MASK}","b":"${MASK}"}`);
    expect(field.parse!({ 'a-b': 'aaaa', c: 'abc', d: 1, e: 'x'.repeat(10_001) }, context)).toEqual({
      errors: {
        'a-b': [expect.any(String)],
        c: [expect.stringContaining('at least 4')],
        d: ['Not a valid string.'],
        e: [expect.stringContaining('10000')],
      },
    });
    expect(field.parse!(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`n${i}`, 'abcd'])), context)).toEqual({
      errors: ['There may be at most 50 secrets.'],
    });
  });

  test('are merged into what is there', () => {
    expect(merged({ a: MASK, b: null, d: '<new>' }, { a: '<a>', b: '<b>', c: '<c>' })).toEqual({
      a: '<a>',
      c: '<c>',
      d: '<new>',
    });
    expect(merged({ x: MASK }, { a: '<a>' })).toEqual({ secrets: { x: [expect.any(String)] } });
    expect(merged({ toString: MASK }, {})).toHaveProperty('secrets');
    expect(
      merged(
        Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}`, 'x'])),
        Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`m${i}`, 'x'])),
      ),
    ).toEqual({ secrets: ['There may be at most 50 secrets.'] });
  });
});
