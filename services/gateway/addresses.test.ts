import { describe, expect, test } from '@jest/globals';
import { addressIn, clientAddress, within } from './addresses.ts';

describe('addressIn', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'], ['192.0.2.7:8080', '192.0.2.7'], ['[2001:db8::1]:443', '2001:db8::1'], ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'], ['::ffff:10.0.0.1', '10.0.0.1'], ['nonsense', null], ['', null], ['1.2.3', null],
  ])('%s → %s', (text, address) => expect(addressIn(text)).toBe(address));
});

describe('clientAddress', () => {
  const find = clientAddress(['x-real-ip', 'x-forwarded-for']);
  test('takes the first header that is present and its first address, else the connection', () => {
    expect(find({}, '::ffff:127.0.0.1')).toBe('127.0.0.1');
    expect(find({ 'x-forwarded-for': '192.0.2.7, 10.0.0.1' }, '127.0.0.1')).toBe('192.0.2.7');
    expect(find({ 'x-real-ip': '192.0.2.8', 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1')).toBe('192.0.2.8');
  });
  test('a header without an address hides what comes later', () => expect(find({ 'x-real-ip': 'me' }, '127.0.0.1')).toBeNull());
  test('headers that are not named are not looked at', () => {
    expect(clientAddress(['remote-addr', 'x-forwarded-for'])({ 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1')).toBe('127.0.0.1');
  });
});

describe('within', () => {
  const inside = within(['192.0.2.0/24', '10.1.1.1', '2001:db8::/32', '10.2.2.2/16', 'nonsense']);
  test.each([
    ['192.0.2.255', true], ['192.0.3.1', false], ['10.1.1.1', true], ['10.1.1.2', false], ['10.2.200.1', true],
    ['2001:db8:1::1', true], ['2001:db9::1', false], ['::ffff:192.0.2.1', true], ['nonsense', false],
  ])('%s %s', (address, expected) => expect(inside(address)).toBe(expected));
  test('names of networks', () => {
    expect(within(['loopback'])('::ffff:127.0.0.1')).toBe(true);
    expect(within(['uniquelocal'])('172.31.0.1')).toBe(true);
    expect(within(['uniquelocal'])('172.32.0.1')).toBe(false);
  });
  test('an empty list holds nobody', () => expect(within([])('127.0.0.1')).toBe(false));
});
