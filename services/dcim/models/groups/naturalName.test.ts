import { expect, test } from '@jest/globals';
import { nameKey, named } from './naturalName.ts';

const sorted = (...names: string[]) => [...names].sort((a, b) => (nameKey(a) < nameKey(b) ? -1 : 1));

test('ports are counted', () => {
  expect(sorted('xe-0/0/10', 'xe-0/0/2', 'xe-0/1/0', 'xe-0/0/2:1', 'xe-0/0/2.100')).toEqual([
    'xe-0/0/2',
    'xe-0/0/2.100',
    'xe-0/0/2:1',
    'xe-0/0/10',
    'xe-0/1/0',
  ]);
  expect(sorted('eth10', 'eth2', 'eth1.20', 'eth1.3', 'eth1')).toEqual(['eth1', 'eth1.3', 'eth1.20', 'eth2', 'eth10']);
});

test('what has slots comes before what has none, whatever its kind', () => {
  expect(sorted('ae0', 'xe-0/0/1', 'lo', 'me0', 'xe-1/0/0')).toEqual(['xe-0/0/1', 'xe-1/0/0', 'ae0', 'lo', 'me0']);
});

test('the key of a name', () => {
  expect(nameKey('xe-0/0/1')).toBe('000000009999' + '9999xe-000001............');
  expect(nameKey('Gi1/0/2 uplink 3')).toBe('0001000099999999Gi000002............ uplink 00000003');
  expect(nameKey('x'.repeat(90))).toHaveLength(100);
  expect(named({ name: 'lo0' })).toEqual({ name: 'lo0', _name: '9999999999999999lo000000............' });
});
