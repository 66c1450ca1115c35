import type { RuleContext, Values } from '@cadastre/model';
import { expect, test } from '@jest/globals';
import { hostsHaveIt } from './addressRules.ts';

const held = { assigned_object_type: 'dcim.interface', assigned_object_id: 7 };
const asked = (object: Values, before: Values | null = null) =>
  hostsHaveIt({ ...held, ...object }, { before } as RuleContext);

test.each([
  ['10.0.0.0/8', 'network ID'],
  ['10.0.0.3/30', 'broadcast address'],
  ['0.0.0.0/1', 'network ID'],
  ['255.255.255.255/1', 'broadcast address'],
  ['::/1', 'network ID'],
  ['2001:db8::8/125', 'network ID'],
])('%s is a %s', (address, what) => {
  expect(asked({ address })).toEqual({
    address: [`${address.split('/')[0]} is a ${what}, which may not be assigned to an interface.`],
  });
  expect(asked({ address, assigned_object_type: null, assigned_object_id: null })).toBeUndefined();
});

test.each(['10.0.0.1/30', '10.0.0.0/31', '10.0.0.1/31', '10.0.0.0/32', '2001:db8::f/125', '2001:db8::/127', '::1/128'])(
  '%s is a host',
  (address) => expect(asked({ address })).toBeUndefined(),
);

test('what is there already may be changed in other ways', () => {
  const object = { address: '10.0.0.0/24' };
  expect(asked({ ...object, description: 'x' }, { ...held, ...object })).toBeUndefined();
  expect(asked(object, { ...held, assigned_object_id: 8, ...object })).toHaveProperty('address');
  expect(asked(object, { ...held, address: '10.0.0.0/31' })).toHaveProperty('address');
});
