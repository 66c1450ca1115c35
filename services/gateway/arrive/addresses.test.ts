import { describe, expect, test } from '@jest/globals';
import { addressIn, clientAddress, within } from './addresses.ts';

describe('addressIn', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:8080', '192.0.2.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:a00:1', '10.0.0.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['nonsense', null],
    ['', null],
    ['1.2.3', null],
  ])('%s → %s', (text, address) => expect(addressIn(text)).toBe(address));
});

describe('clientAddress', () => {
  const find = clientAddress(['x-real-ip', 'x-forwarded-for'], ['127.0.0.0/8', '10.0.0.0/8']);
  const forwarded = (list: string, remote = '127.0.0.1') => find({ 'x-forwarded-for': list }, remote);
  test('is that of the connection, unless a header says otherwise', () => {
    expect(find({}, '::ffff:127.0.0.1')).toBe('127.0.0.1');
    expect(find({}, '::FFFF:7F00:1')).toBe('127.0.0.1');
    expect(find({}, undefined)).toBeNull();
  });
  test('nobody but a trusted proxy says otherwise', () => {
    for (const remote of ['192.0.2.1', '2001:db8::1', '']) expect(forwarded('10.1.1.1', remote)).toBe(remote || null);
    expect(clientAddress(['x-forwarded-for'], [])({ 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1')).toBe('127.0.0.1');
    for (const remote of ['127.0.0.1', '::ffff:127.0.0.1', '10.9.9.9'])
      expect(forwarded('192.0.2.7', remote)).toBe('192.0.2.7');
  });
  test('is the last in the list that is no trusted proxy: what stands before it, the client may have written', () => {
    expect(forwarded('192.0.2.7, 10.0.0.1')).toBe('192.0.2.7');
    expect(forwarded('192.0.2.7, 203.0.113.9')).toBe('203.0.113.9');
    expect(forwarded('192.0.2.7, 203.0.113.9:4711, 10.0.0.1, ::ffff:10.0.0.2')).toBe('203.0.113.9');
    expect(forwarded('10.0.0.1, 10.0.0.2')).toBe('10.0.0.1');
  });
  test('is unknown where something else than an address decides', () => {
    for (const list of ['', 'me', '192.0.2.7, me', '192.0.2.7,', '192.0.2.7 203.0.113.9', 'for=192.0.2.7'])
      expect(forwarded(list)).toBeNull();
    expect(forwarded('me, 192.0.2.7')).toBe('192.0.2.7');
  });
  test('the first header that is present decides, whatever it holds', () => {
    expect(find({ 'x-real-ip': '192.0.2.8', 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1')).toBe('192.0.2.8');
    expect(find({ 'x-real-ip': 'me', 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1')).toBeNull();
  });
  test('headers that are not named, or named after the connection, are not looked at', () => {
    for (const names of [['x-real-ip'], ['remote-addr', 'x-forwarded-for']])
      expect(clientAddress(names, ['127.0.0.0/8'])({ 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1')).toBe('127.0.0.1');
  });
});

describe('within', () => {
  const inside = within(['192.0.2.0/24', '10.1.1.1', '2001:db8::/32', '10.2.2.2/16', 'nonsense']);
  test.each([
    ['192.0.2.255', true],
    ['192.0.3.1', false],
    ['10.1.1.1', true],
    ['10.1.1.2', false],
    ['10.2.200.1', true],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['::ffff:192.0.2.1', true],
    ['nonsense', false],
  ])('%s %s', (address, expected) => expect(inside(address)).toBe(expected));
  test('prefixes of IPv4 that are written as those of IPv6', () => {
    const [one, net, all] = ['::ffff:192.0.2.1/128', '::ffff:c000:200/120', '::ffff:0:0/96'].map((text) =>
      within([text]),
    );
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'])
      expect([one, net, all].map((some) => some!(address))).toEqual([true, true, true]);
    for (const address of ['192.0.2.9', '::ffff:192.0.2.9'])
      expect([one, net, all].map((some) => some!(address))).toEqual([false, true, true]);
    expect([net, all].map((some) => some!('192.0.3.1'))).toEqual([false, true]);
    for (const some of [one, net, all]) expect(some!('2001:db8::1')).toBe(false);
    // The prefix of all IPv6 addresses does not include IPv4.
    expect(within(['::/0'])('192.0.2.1')).toBe(false);
  });
  test('names of networks', () => {
    expect(within(['loopback'])('::ffff:127.0.0.1')).toBe(true);
    expect(within(['uniquelocal'])('172.31.0.1')).toBe(true);
    expect(within(['uniquelocal'])('172.32.0.1')).toBe(false);
  });
  test('an empty list holds nobody', () => expect(within([])('127.0.0.1')).toBe(false));
});
