import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import type { ParseContext } from '../../types/parsing.ts';
import { color, email, slug, text, UNBOUNDED_TEXT, url } from './text.ts';

const context: ParseContext = { knowsObjectType: () => false };
const parse = (field: Field, value: Json) => field.parse!(value, context);
const BLANK = 'This field may not be blank.';
const WRONG = 'Not a valid string.';

describe('text', () => {
  test.each<[string, Json, unknown]>([
    ['is kept', 'a b', { value: 'a b' }],
    ['loses surrounding spaces', '  x\n', { value: 'x' }],
    ['is made of a number', 12.5, { value: '12.5' }],
    ['counts characters, not code units', '😀'.repeat(5), { value: '😀'.repeat(5) }],
    ['may not be blank', '', { errors: [BLANK] }],
    ['may not be spaces', '   ', { errors: [BLANK] }],
    ['is no truth value', true, { errors: [WRONG] }],
    ['is no list', ['x'], { errors: [WRONG] }],
    ['is no dictionary', { a: 'x' }, { errors: [WRONG] }],
    ['holds no NUL', 'a\0b', { errors: ['Null characters are not allowed.'] }],
    ['holds no lone surrogate', 'a\ud800', { errors: ['Surrogate characters are not allowed.'] }],
    ['may be too long', 'abcdef', { errors: ['Ensure this field has no more than 5 characters.'] }],
  ])('%s', (_, value, expected) => {
    expect(parse(text({ max: 5 }), value)).toEqual(expected);
  });

  test('names every wrong thing at once', () => {
    expect(parse(text({ max: 9, min: 2, pattern: { expression: /^b/, message: 'Begin with b.' } }), 'a')).toEqual({
      errors: ['Ensure this field has at least 2 characters.', 'Begin with b.'],
    });
  });

  test('is empty or null when it is optional and blank', () => {
    expect(parse(text({ optional: true }), ' ')).toEqual({ value: '' });
    expect(parse(text({ optional: true, nullable: true }), '')).toEqual({ value: null });
  });

  test('keeps spaces that belong to it', () => {
    expect(parse(text({ keepSpaces: true }), ' x ')).toEqual({ value: ' x ' });
  });

  test('without a limit of its own still has one', () => {
    expect(parse(text(), 'x'.repeat(UNBOUNDED_TEXT))).toHaveProperty('value');
    expect(parse(text(), 'x'.repeat(UNBOUNDED_TEXT + 1))).toEqual({
      errors: [`Ensure this field has no more than ${UNBOUNDED_TEXT} characters.`],
    });
  });

  test('has a column, a default and metadata of what was declared', () => {
    expect(text({ max: 50, unique: true, natural: true }).column).toEqual({
      type: 'varchar(50)',
      nullable: false,
      default: "''",
      unique: true,
      natural: true,
    });
    expect(text({ nullable: true }).column).toEqual({ type: 'text', nullable: true, natural: false });
    expect(text({ default: "it's" })).toMatchObject({
      column: { default: "'it''s'" },
      default: "it's",
      required: false,
    });
    expect(text({ max: 5 })).toMatchObject({ required: true, default: '', lookups: 'string', nullable: false });
    expect(text({ optional: true, nullable: true })).toMatchObject({ required: false, default: null, nullable: true });
    expect(text({ filter: false }).lookups).toBeNull();
    expect(text({ readOnly: true })).toMatchObject({ required: false, readOnly: true });
    expect(text({ max: 5, min: 1, optional: true }).metadata()).toEqual({
      type: 'string',
      required: false,
      read_only: false,
      max_length: 5,
      min_length: 1,
    });
    expect(text({ max: 5, nullable: true }).schema.write).toEqual({
      type: ['string', 'null'],
      maxLength: 5,
      minLength: 1,
    });
    expect(text({ secret: true, hidden: true })).toMatchObject({ secret: true, hidden: true });
  });

  test('prints whatever PostgreSQL holds as one JSON string', () => {
    expect(text().print!(null)).toBe('null');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (cell) => {
        expect(JSON.parse(text().print!(cell))).toBe(cell);
      }),
    );
  });

  test('parsing again what was parsed changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        const parsed = parse(text({ optional: true }), given);
        if ('value' in parsed) expect(parse(text({ optional: true }), parsed.value)).toEqual(parsed);
        else expect(given).toMatch(/\0/);
      }),
    );
  });
});

describe('texts with a form', () => {
  const forms: [string, Field, string[], string[], string][] = [
    [
      'slug',
      slug(),
      ['a', 'A-b_9'],
      ['a b', 'é', 'a/b', 'a.b'],
      'Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.',
    ],
    ['color', color(), ['00ff9e'], ['00FF9E', 'fff', '#00ff9e', 'gggggg'], 'Enter a valid hexadecimal RGB color code.'],
    [
      'email',
      email(),
      ['a@b.co', 'a.b+c@localhost'],
      ['a', 'a@b', 'a b@c.de', '<a@b.co>', 'a@-b.co'],
      'Enter a valid email address.',
    ],
    [
      'url',
      url(),
      ['http://a', 'https://a/b?c', 'ssh://x', 'mailto:a@b'],
      ['javascript:alert(1)', 'a', 'http://a b', '//a'],
      'Enter a valid URL.',
    ],
  ];
  test.each(forms)('%s', (kind, field, good, bad, message) => {
    for (const value of good) expect(parse(field, value)).toEqual({ value });
    for (const value of bad) expect(parse(field, value)).toMatchObject({ errors: expect.arrayContaining([message]) });
    expect(field.kind).toBe(kind);
  });

  test('tell their form in OPTIONS and OpenAPI', () => {
    expect([slug(), color(), email(), url()].map((f) => f.metadata())).toMatchObject([
      { type: 'slug', max_length: 100 },
      { type: 'string', max_length: 6 },
      { type: 'email', max_length: 254 },
      { type: 'url', max_length: 200 },
    ]);
    // For reading, a text has no format where it may be empty or hold characters that a URI would escape.
    expect([email(), email({ optional: true }), url()].map((f) => f.schema.read['format'])).toEqual([
      'email',
      undefined,
      undefined,
    ]);
    expect([email(), url()].map((f) => f.schema.write['format'])).toEqual(['email', 'uri']);
    expect([slug(), color({ optional: true })].map((f) => f.schema.write['pattern'])).toEqual([
      '^[-a-zA-Z0-9_]+$',
      '^$|^[0-9a-f]{6}$',
    ]);
    expect(slug({ max: 60 }).column!.type).toBe('varchar(60)');
  });
});
