import fc from 'fast-check';
import type { Json } from '@cadastre/model';

/** Texts that have broken programs before, and any other. */
export const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    "'; drop table dcim_site; --",
    "' or 1=1 --",
    '$1',
    '{{7*7}}',
    '%',
    '_',
    '\\',
    '\\x00',
    'null',
    'true',
    '-1',
    '1e309',
    'NaN',
    'Infinity',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '../../etc/passwd',
    '\u202e',
    '😀'.repeat(40),
    'x'.repeat(101),
    'x'.repeat(100_000),
    '9'.repeat(400),
    '0x10',
    '１２',
    '(a+)+$',
    '(((',
    '[',
    '\\',
    '*',
    '2026-02-30',
    '2026-01-01T25:00:00Z',
    '0000-00-00',
    '99999-01-01',
    '::1/129',
    'a__b',
    'id',
    'ID',
  ),
);

const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.bigInt().map(Number),
  fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, 2 ** 63, 1e300, 1e-300, 0.1 + 0.2),
);

export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json; list: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    number,
    text,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(
    fc.oneof(
      text,
      fc.constantFrom(
        'id',
        'name',
        'slug',
        'pk',
        'region',
        'parent',
        'name__regex',
        'name__in',
        'id__range',
        'tags',
        'custom_fields',
      ),
    ),
    tie('value'),
    { maxKeys: 4 },
  ),
})).value;

const fields = [
  'id',
  'name',
  'slug',
  'status',
  'region',
  'group',
  'tenant',
  'facility',
  'time_zone',
  'description',
  'physical_address',
  'latitude',
  'longitude',
  'owner',
  'comments',
  'asns',
  'tags',
  'add_tags',
  'remove_tags',
  'custom_fields',
  'changelog_message',
  'created',
  'last_updated',
  'url',
  'device_count',
];

export const site = fc
  .tuple(fc.dictionary(fc.constantFrom(...fields), json, { maxKeys: 5 }), fc.uuid(), fc.boolean())
  .map(([given, id, isWhole]) => (isWhole ? { name: `bad-${id}`, slug: `bad-${id}`, ...given } : given));

export const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/json;;;',
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'x',
  'application/json, text/plain',
);
