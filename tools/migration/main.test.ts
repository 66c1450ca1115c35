import { expect, test } from '@jest/globals';
import { orderOf } from './main.ts';

const known = ['dcim', 'ipam'];

test.each([
  [['dcim', 'add_racks'], { check: false, chosen: ['dcim'], name: 'add_racks' }],
  [['all'], { check: false, chosen: known, name: 'update' }],
  [['--check'], { check: true, chosen: known, name: 'update' }],
  [['--check', 'ipam'], { check: true, chosen: ['ipam'], name: 'update' }],
])('%j is understood', (given, order) => {
  expect(orderOf(given, known)).toEqual(order);
});

test.each([[[]], [['nothing']], [['dcim', '../name']], [['dcim', 'Name']]])('%j is refused', (given) => {
  expect(orderOf(given, known)).toBeUndefined();
});
