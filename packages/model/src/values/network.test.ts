import { expect, test } from '@jest/globals';
import {
  addressOf,
  addressText,
  gaps,
  hostsOf,
  networkOf,
  networksOf,
  networkText,
  sizeOf,
  spanOf,
} from './network.ts';

const span = (text: string) => spanOf(networkOf(text)!);
const between = (first: string, last: string) => ({ first: addressOf(first)!.address, last: addressOf(last)!.address });

test.each([
  ['10.1.2.3', '10.1.2.3/32'],
  ['10.1.2.3/24', '10.1.2.3/24'],
  ['10.1.2.3/255.255.255.0', '10.1.2.3/24'],
  ['10.1.2.3/0.0.0.255', '10.1.2.3/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['10.1.2.3/0.0.0.0', '10.1.2.3/0'],
  ['2001:DB8:0:0::1', '2001:db8::1/128'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::/0', '::/0'],
])('%s is %s', (text, whole) => expect(networkText(networkOf(text)!)).toBe(whole));

test.each([
  '',
  'bad',
  '10.1',
  '10.1.2',
  '10.1.2.256',
  '010.1.2.3',
  '0x0a.1.2.3',
  '10.1.2.3/33',
  '10.1.2.3/',
  '10.1.2.3/-1',
  '10.1.2.3/255.0.255.0',
  'fe80::1%eth0',
  '2001:db8::/129',
  '10.1.2.3/24/1',
  '1.2.3.4/::',
  '10.1.2.3 ',
])('%p is no address', (text) => expect(networkOf(text)).toBeUndefined());

test('a network is as large as its mask says, exactly', () => {
  expect(sizeOf(6, 0)).toBe(2n ** 128n);
  expect(sizeOf(4, 24)).toBe(256n);
  expect(addressText(6, span('2001:db8::/32').last)).toBe('2001:db8:ffff:ffff:ffff:ffff:ffff:ffff');
  expect(addressText(4, span('10.1.1.77/24').first)).toBe('10.1.1.0');
});

test.each([
  ['10.0.0.77/24', '10.0.0.1', '10.0.0.254'],
  ['10.0.0.0/30', '10.0.0.1', '10.0.0.2'],
  ['10.0.0.1/31', '10.0.0.0', '10.0.0.1'],
  ['10.0.0.1/32', '10.0.0.1', '10.0.0.1'],
  ['2001:db8::/126', '2001:db8::1', '2001:db8::3'],
  ['2001:db8::1/127', '2001:db8::', '2001:db8::1'],
  ['2001:db8::/128', '2001:db8::', '2001:db8::'],
])('hosts of %s have %s to %s', (text, first, last) => expect(hostsOf(networkOf(text)!)).toEqual(between(first, last)));

test('a span is made up of the fewest networks', () => {
  expect(networksOf(4, between('10.0.0.1', '10.0.0.10')).map(networkText)).toEqual([
    '10.0.0.1/32',
    '10.0.0.2/31',
    '10.0.0.4/30',
    '10.0.0.8/31',
    '10.0.0.10/32',
  ]);
  expect(networksOf(4, span('0.0.0.0/0')).map(networkText)).toEqual(['0.0.0.0/0']);
  expect(networksOf(6, between('::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe'))).toHaveLength(128);
});

test('gaps are what nothing covers', () => {
  const taken = [span('10.0.0.0/30'), span('10.0.0.0/31'), span('10.0.0.6/32'), span('10.0.1.0/24')];
  const text = [...gaps(span('10.0.0.0/28'), taken)].map(
    ({ first, last }) => `${addressText(4, first)}-${addressText(4, last)}`,
  );
  expect(text).toEqual(['10.0.0.4-10.0.0.5', '10.0.0.7-10.0.0.15']);
  expect([...gaps(span('10.0.0.0/24'), [span('10.0.0.0/8')])]).toEqual([]);
  expect([...gaps(span('10.0.0.0/24'), [])]).toHaveLength(1);
});
