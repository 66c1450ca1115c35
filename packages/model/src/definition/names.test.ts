import { expect, test } from '@jest/globals';
import { appName, singularOf, typeLabel, typeTitle } from './names.ts';

test('apps and types have names for people', () => {
  expect([appName('ipam'), appName('tenancy')]).toEqual(['IPAM', 'Tenancy']);
  expect(typeLabel({ app: 'ipam', label: 'ASN' })).toBe('IPAM | ASN');
  expect(typeTitle({ app: 'dcim', label: 'site group' })).toBe('DCIM > Site Group');
});

test('one of several', () => {
  expect(
    ['tagged_vlans', 'ipaddresses', 'policies', 'boxes', 'branches', 'device_types', 'address'].map(singularOf),
  ).toEqual(['tagged_vlan', 'ipaddress', 'policy', 'box', 'branch', 'device_type', 'address']);
});
