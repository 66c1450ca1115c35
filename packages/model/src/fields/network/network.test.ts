import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { family, ipAddress, network, withMask } from './network.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });

describe('ipAddress', () => {
  test.each([
    ['10.0.0.1/24', '10.0.0.1/24'],
    ['10.0.0.1', '10.0.0.1/32'],
    [' 10.0.0.1/8 ', '10.0.0.1/8'],
    ['10.0.0.1/255.255.0.0', '10.0.0.1/16'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['10.0.0.0/24', '10.0.0.0/24'],
  ])('%s is stored as %s', (given, stored) => {
    expect(parse(ipAddress(), given)).toEqual({ value: stored });
  });

  test.each<[Json, string]>([
    ['bad', 'bad'],
    ['10.0.0.1/33', '10.0.0.1/33'],
    [5, '5'],
    [true, 'true'],
    [['10.0.0.1'], 'list'],
  ])('%j is none', (given, named) => {
    expect(parse(ipAddress(), given)).toEqual({ errors: [`Invalid IP address format: ${named}`] });
  });

  test('may not be blank', () => {
    expect(parse(ipAddress(), ' ')).toEqual({ errors: ['This field may not be blank.'] });
  });

  test('is always shown with its mask', () => {
    expect(ipAddress().print!('10.0.0.1')).toBe('"10.0.0.1/32"');
    expect(ipAddress().print!('10.0.0.1/24')).toBe('"10.0.0.1/24"');
    expect(withMask('2001:db8::1')).toBe('2001:db8::1/128');
  });
});

describe('network', () => {
  test.each([
    ['10.0.0.0/24', '10.0.0.0/24'],
    ['10.9.9.9', '10.9.9.9/32'],
    ['::/0', '::/0'],
    ['2001:db8::/32', '2001:db8::/32'],
  ])('%s is stored as %s', (given, stored) => {
    expect(parse(network(), given)).toEqual({ value: stored });
  });

  test('has no host bits', () => {
    expect(parse(network(), '10.9.9.9/24')).toEqual({
      errors: ['10.9.9.9/24 is not a valid prefix. Did you mean 10.9.9.0/24?'],
    });
    expect(parse(network(), '2001:db8::1/64')).toEqual({
      errors: ['2001:db8::1/64 is not a valid prefix. Did you mean 2001:db8::/64?'],
    });
    expect(parse(network(), 'bad')).toEqual({ errors: ['Invalid IP prefix format: bad'] });
  });
});

test('the family follows from the address, and is a bare number in the nested form', () => {
  expect(family('address').computed!.print(['10.0.0.1/24'])).toBe('{"value":4,"label":"IPv4"}');
  expect(family('address').computed!.print(['::1'])).toBe('{"value":6,"label":"IPv6"}');
  expect(family('address').inNested!.computed!.print(['::1'])).toBe('6');
});
