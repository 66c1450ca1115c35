import { expect, test } from '@jest/globals';
import { chassisPosition, inChassis } from './chassisNames.ts';

test('tokens stand for the position', () => {
  expect([
    inChassis('xe-{vc_position}/0/{vc_position:1}', '4'),
    inChassis('lo0', '4'),
    inChassis('{vc_positions} {vc_position }', '4'),
    inChassis('xe-{vc_position}/0', '$&'),
  ]).toEqual(['xe-4/0/4', 'lo0', '{vc_positions} {vc_position }', 'xe-$&/0']);
});

test('outside of a chassis for 0, or for what follows a colon', () => {
  expect([
    inChassis('xe-{vc_position}/{vc_position:1}', undefined),
    inChassis('{vc_position:}a', undefined),
    inChassis('{vc_position:{module}}', undefined),
  ]).toEqual(['xe-0/1', 'a', '{vc_position:{module}}']);
});

test('only members of a chassis have a position', () => {
  expect([
    chassisPosition({ virtual_chassis: 7, vc_position: 0 }),
    chassisPosition({ virtual_chassis: 7, vc_position: null }),
    chassisPosition({ virtual_chassis: null, vc_position: 3 }),
    chassisPosition(null),
  ]).toEqual(['0', undefined, undefined, undefined]);
});
