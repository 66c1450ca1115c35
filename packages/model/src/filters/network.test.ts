import { expect, test } from '@jest/globals';
import type { Filter } from '../types/filter.ts';
import { addressFilter, familyFilter, maskFilters, networkFilters, searchNetworks, withinFilter } from './network.ts';

const run = (filter: Filter, ...given: string[]) => {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const sql = filter.kind === 'method' ? filter.sql({ table: 't', bind } as never, given) : '';
  return [sql, ...values];
};
const HOST = `set_masklen(t."address", -1)`;

test('addresses are compared with their mask where one is given', () => {
  expect(run(addressFilter('address'), '10.0.0.1', '10.0.0.2/24', 'bad')).toEqual([
    `((t."address" = any($1::inet[]) and ${HOST} = any($2::inet[])) or ${HOST} = any($3::inet[]))`,
    ['10.0.0.2/24'],
    ['10.0.0.2'],
    ['10.0.0.1'],
  ]);
  expect(run(addressFilter('address'), 'bad')).toEqual(['false']);
});

test('a parent is the span of its addresses, whatever masks they have', () => {
  expect(run(withinFilter('address'), '10.1.1.7/24', '2001:db8::/64')).toEqual([
    `((${HOST} between $1::inet and $2::inet) or (${HOST} between $3::inet and $4::inet))`,
    '10.1.1.0',
    '10.1.1.255',
    '2001:db8::',
    '2001:db8::ffff:ffff:ffff:ffff',
  ]);
  expect(run(withinFilter('address'), '10.1.1.0/24', 'bad')[0]).toBe('false');
  expect(run(withinFilter('a', 'b'), '10.0.0.0/8')[0]).toBe(
    '((set_masklen(t."a", -1) between $1::inet and $2::inet and set_masklen(t."b", -1) between $3::inet and $4::inet))',
  );
});

test('networks are compared by what lies in what', () => {
  const { equal, within, withinInclude, contains } = networkFilters('prefix');
  expect(run(equal, '10.1.1.0/24', 'bad')).toEqual(['t."prefix" = any($1::inet[])', ['10.1.1.0/24']]);
  expect(run(within, '10.1.1.9/16')).toEqual(['t."prefix" << $1::inet', '10.1.0.0/16']);
  expect(run(withinInclude, '10.1.0.0/16')[0]).toBe('t."prefix" <<= $1::inet');
  expect(run(contains, '10.1.1.5')).toEqual(['t."prefix" >> $1::inet', '10.1.1.5/32']);
  expect(run(contains, '10.1.1.5/24')).toEqual(['t."prefix" >>= $1::inet', '10.1.1.0/24']);
  expect([equal, within, withinInclude, contains].map((filter) => run(filter, 'bad')[0])).toEqual([
    'false',
    'false',
    'false',
    'false',
  ]);
});

test('family, mask and search', () => {
  expect(run(familyFilter('prefix'), '6')).toEqual(['family(t."prefix") = $1::bigint', '6']);
  expect(run(maskFilters('prefix')['mask_length']!, '8', '24')).toEqual([
    'masklen(t."prefix") = any($1::bigint[])',
    ['8', '24'],
  ]);
  expect(run(maskFilters('prefix')['mask_length__gte']!, '8')).toEqual(['masklen(t."prefix") >= $1::bigint', '8']);
  expect(searchNetworks('prefix')({ table: 't', bind: (v: unknown) => String(v) } as never, '10.1.1.5')).toBe(
    't."prefix" >>= 10.1.1.5/32::inet',
  );
  expect(searchNetworks('prefix')({ table: 't' } as never, 'ber')).toBeUndefined();
});
