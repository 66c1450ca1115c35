import { expect, test } from '@jest/globals';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { canonicalAddress, macAddress, wwn } from './macAddress.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });

test('an address is read in every usual notation and kept in one', () => {
  for (const text of [
    '00:1b:21:ab:0d:ef',
    '00-1B-21-AB-0D-EF',
    '0:1b:21:AB:d:ef',
    '001b.21ab.0def',
    '001b21ab0def',
    '001b21-ab0def',
    '1b:21ab:def',
    '1b-21ab-def',
    '01b21ab0def',
  ]) {
    expect([text, canonicalAddress(text, 6)]).toEqual([text, '00:1B:21:AB:0D:EF']);
  }
  expect(parse(wwn(), '2001.000a.6400.0001')).toEqual({ value: '20:01:00:0A:64:00:00:01' });
});

test('what is no address is refused by its name', () => {
  for (const text of [
    'zz',
    '',
    '00:11:22:33:44',
    '00:11:22:33:44:55:66',
    '00:11-22:33:44:55',
    '001122334455g',
    '0011223344556',
    '1122334455',
    '00.11.22.33.44.55',
    '1-2',
    '00:11:22:33:44:5g',
  ]) {
    expect(parse(macAddress(), text)).toEqual({ errors: [`Invalid MAC address format: ${text}`] });
  }
  expect(parse(wwn(), '00:11:22:33:44:55')).toEqual({ errors: ['Invalid WWN format: 00:11:22:33:44:55'] });
  expect(parse(macAddress(), 5)).toEqual({ errors: ['Invalid MAC address format: 5'] });
  expect(parse(wwn({ optional: true }), '')).toEqual({ value: null });
});

test('it is printed in upper case, whatever PostgreSQL makes of it', () => {
  expect([macAddress().print!('00:1b:21:ab:0d:ef'), macAddress().print!(null)]).toEqual([
    '"00:1B:21:AB:0D:EF"',
    'null',
  ]);
});

test('columns, filters and what may be left out', () => {
  expect(macAddress()).toMatchObject({
    column: { type: 'macaddr', nullable: false, index: 'btree' },
    required: true,
    lookups: 'mac',
  });
  expect(wwn({ optional: true, filter: false })).toMatchObject({
    column: { type: 'macaddr8', nullable: true },
    required: false,
    nullable: true,
    lookups: null,
  });
});
