import { expect, test } from '@jest/globals';
import { appName, typeLabel, typeTitle } from './names.ts';

test('apps and types have names for people', () => {
  expect([appName('ipam'), appName('tenancy')]).toEqual(['IPAM', 'Tenancy']);
  expect(typeLabel({ app: 'ipam', label: 'ASN' })).toBe('IPAM | ASN');
  expect(typeTitle({ app: 'dcim', label: 'site group' })).toBe('DCIM > Site Group');
});
