import { expect, test } from '@jest/globals';
import { spanOf } from '@cadastre/model';
import { netOf } from './blocks.ts';
import { cellsOf } from './cells.ts';
import { type Address, type Range, shareUsed, type Used } from './used.ts';

const address = (text: string, status = 'active'): Address =>
  ({ address: text, status: { value: status, label: status } }) as Address;
const range = (from: string, to: string, marked = false): Range =>
  ({ start_address: from, end_address: to, mark_utilized: marked, mark_populated: false }) as Range;
const used: Used = {
  addresses: [address('10.0.0.1/29'), address('10.0.0.1/32'), address('10.0.0.2/29', 'reserved')],
  ranges: [range('10.0.0.4/29', '10.0.0.5/29')],
  upTo: undefined,
  count: 3,
};

test('every address is a cell', () => {
  const cells = cellsOf(4, spanOf(netOf('10.0.0.0/29')), used, true);
  expect(cells.map(({ short, kind }) => `${short} ${kind}`)).toEqual([
    '.0 end',
    '.1 used',
    '.2 kept',
    '.3 free',
    '.4 range',
    '.5 range',
    '.6 free',
    '.7 end',
  ]);
  expect(cells[1]!.addresses).toHaveLength(2);
  expect(cellsOf(6, spanOf(netOf('2001:db8::/127')), { ...used, addresses: [] }, false).map((c) => c.short)).toEqual([
    ':',
    ':1',
  ]);
});

test('a network is in use by its addresses and marked ranges, of those that can be used', () => {
  const net = netOf('10.0.0.0/29');
  expect(shareUsed(net, used, false)).toBeCloseTo((2 / 6) * 100);
  expect(shareUsed(net, used, true)).toBe(25);
  expect(shareUsed(net, { ...used, ranges: [range('10.0.0.4/29', '10.0.0.5/29', true)] }, true)).toBe(50);
  expect(shareUsed(net, { ...used, upTo: net.address }, true)).toBeUndefined();
});
