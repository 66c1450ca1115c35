import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { date, datetime, fullMoment, isoOf, momentOf, timeZone } from './time.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });

describe('momentOf', () => {
  test.each([
    ['2026-11-21', '2026-11-21T00:00:00.000000+00'],
    ['2026-11-21T05:06', '2026-11-21T05:06:00.000000+00'],
    ['2026-11-21 05:06:07', '2026-11-21T05:06:07.000000+00'],
    ['2026-11-21T05:06:07.8Z', '2026-11-21T05:06:07.800000+00'],
    ['2026-11-21t05:06:07,123456789z', '2026-11-21T05:06:07.123456+00'],
    ['2026-11-21T05:06:07+02:00', '2026-11-21T05:06:07.000000+02:00'],
    ['2026-11-21T05:06:07-0330', '2026-11-21T05:06:07.000000-0330'],
    ['2026-11-21T05:06:07+05', '2026-11-21T05:06:07.000000+05'],
    ['  2024-02-29  ', '2024-02-29T00:00:00.000000+00'],
    ['0001-01-01', '0001-01-01T00:00:00.000000+00'],
    ['9999-12-31T23:59:59', '9999-12-31T23:59:59.000000+00'],
    ['9999-12-31T23:59:59+00:00', '9999-12-31T23:59:59.000000+00:00'],
  ])('%s is a moment', (text, moment) => {
    expect(momentOf(text)).toBe(moment);
  });

  test.each([
    '',
    'now',
    '2026',
    '2026-11',
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '10000-01-01',
    '-2026-01-01',
    '2026-11-21T24:00',
    '2026-11-21T05:60',
    '2026-11-21T05:06:60',
    '2026-11-21T05',
    '2026-11-21T05:06:07+16:00',
    '2026-11-21T05:06:07+05:60',
    '2026-11-21T05:06:07+05:99',
    '2026-11-21T05:06:07-0599',
    '2026-11-21T05:06:07.',
    '2026-11-21T05:06:07.1234567890',
    '2026-11-21Z',
    '٢٠٢٦-11-21',
    "2026-11-21'; drop table x",
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])('%s is none', (text) => {
    expect(momentOf(text)).toBeUndefined();
  });

  test('reads what isoOf writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        (moment) => {
          const cell = moment.toISOString().replace('T', ' ').replace('Z', '+00');
          expect(momentOf(isoOf(cell))).toBe(`${moment.toISOString().slice(0, -1)}000+00`);
        },
      ),
    );
  });
});

test('isoOf writes microseconds, and none when they are zero', () => {
  expect(isoOf('2026-11-21 05:20:24.0403+00')).toBe('2026-11-21T05:20:24.040300Z');
  expect(isoOf('2026-11-21 05:20:24+00')).toBe('2026-11-21T05:20:24Z');
  expect(isoOf('2026-11-21 05:20:24.040312+00', '+00:00')).toBe('2026-11-21T05:20:24.040312+00:00');
  expect(isoOf('2026-11-21 05:20:24.0403+00', 'Z', 3)).toBe('2026-11-21T05:20:24.040Z');
});

describe('datetime', () => {
  test.each<[Json]>([['x'], [5], [true], [[]], [{}], [''], ['2026-02-30']])('%j is refused', (given) => {
    expect(parse(datetime(), given)).toEqual({
      errors: [
        'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
      ],
    });
  });
  test('is parsed, printed and kept in snapshots', () => {
    expect(parse(datetime(), '2026-11-21T05:06Z')).toEqual({ value: '2026-11-21T05:06:00.000000+00' });
    expect(parse(datetime({ optional: true }), '')).toEqual({ value: null });
    expect(datetime().print!('2026-11-21 05:20:24.0403+00')).toBe('"2026-11-21T05:20:24.040300Z"');
    expect(datetime().printSnapshot!('2026-11-21 05:20:24.0403+00')).toBe('"2026-11-21T05:20:24.040Z"');
    expect([datetime().print!(null), datetime().printSnapshot!(null)]).toEqual(['null', 'null']);
  });
  test('tells what was declared', () => {
    expect(datetime()).toMatchObject({
      kind: 'datetime',
      column: { type: 'timestamptz', nullable: false },
      required: true,
      lookups: 'datetime',
      schema: { read: { type: 'string', format: 'date-time' } },
    });
    expect(datetime({ optional: true, instant: true })).toMatchObject({
      column: { nullable: true },
      nullable: true,
      lookups: 'instant',
      default: null,
    });
    expect(datetime({ default: 'now' })).toMatchObject({ column: { default: 'now()' }, required: false });
    expect(momentOf((datetime({ default: 'now' }).default as () => string)())).toBeDefined();
    expect(datetime({ readOnly: true }).metadata()).toEqual({ type: 'datetime', required: false, read_only: true });
  });
});

describe('date', () => {
  test.each<[Json]>([['2026-11-21T00:00'], ['x'], [20261121], [null], [['2026-11-21']], ['2026-02-30']])(
    '%j is refused',
    (given) => {
      expect(parse(date(), given)).toEqual({
        errors: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
      });
    },
  );
  test('is parsed and printed', () => {
    expect(parse(date(), ' 2026-11-21 ')).toEqual({ value: '2026-11-21' });
    expect(parse(date({ optional: true }), '')).toEqual({ value: null });
    expect([date().print!('2026-11-21'), date().print!(null)]).toEqual(['"2026-11-21"', 'null']);
  });
  test('tells what was declared', () => {
    expect(date({ optional: true })).toMatchObject({
      kind: 'date',
      column: { type: 'date', nullable: true },
      lookups: 'date',
      schema: { read: { type: ['string', 'null'], format: 'date' } },
    });
    expect(date({ filter: false, hidden: true })).toMatchObject({ lookups: null, hidden: true });
    expect(date().metadata()).toEqual({ type: 'date', required: true, read_only: false });
  });
});

describe('timeZone', () => {
  test.each(['Europe/Berlin', 'UTC', 'GMT', 'America/Argentina/Buenos_Aires', 'US/Eastern'])('%s is one', (name) => {
    expect(parse(timeZone(), name)).toEqual({ value: name });
  });
  test.each<[Json]>([['Mars/Base'], ['europe/berlin'], [5], [true], [[]], [{}], ['+01:00'], ['x'.repeat(1000)]])(
    '%j is none',
    (given) => {
      expect(parse(timeZone(), given)).toEqual({ errors: ['A valid timezone is required.'] });
    },
  );
  test('blank is null', () => {
    expect(parse(timeZone(), '')).toEqual({ value: null });
    expect(['UTC', '', null].map((c) => timeZone().print!(c))).toEqual(['"UTC"', 'null', 'null']);
    expect(timeZone()).toMatchObject({
      column: { type: 'varchar(63)', nullable: true },
      required: false,
      nullable: true,
      lookups: 'string',
    });
    expect(timeZone({ filter: false, readOnly: true }).metadata()).toEqual({
      type: 'string',
      required: false,
      read_only: true,
    });
    expect(timeZone({ filter: false }).lookups).toBeNull();
  });
});

test.each([
  ['2026-01-31', '2026-01-31T00:00:00'],
  ['2026-01-31 08:00', '2026-01-31T08:00:00'],
  ['2026-01-31T08:00:00.5z', '2026-01-31T08:00:00.500000Z'],
  ['2026-01-31T08:00:00.000', '2026-01-31T08:00:00'],
  ['2026-01-31T08:00-0330', '2026-01-31T08:00:00-03:30'],
  ['2026-01-31T08:00+02', '2026-01-31T08:00:00+02:00'],
  ['2026-01-31T08:00-00:00', '2026-01-31T08:00:00Z'],
  ['soon', undefined],
])('%s in full is %s', (given, full) => {
  expect(fullMoment(given)).toBe(full);
});
