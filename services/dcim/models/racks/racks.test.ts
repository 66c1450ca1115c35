import { expect, test } from '@jest/globals';
import type { RuleContext, Values } from '@cadastre/model';
import { bears, measured } from '../groups/rackFrame.ts';
import { inGrams, weighed } from '../groups/weight.ts';
import { whyTooSmall } from './rackRules.ts';
import { unitsOfRack } from './rackReservation.ts';

const none = {} as RuleContext;

test('weights are kept in grams', () => {
  expect([
    inGrams(1.5, 'kg'),
    inGrams('2', 'lb'),
    inGrams(1, 'oz'),
    inGrams(7, 'g'),
    inGrams(0, 'kg'),
    inGrams(null, 'kg'),
    inGrams(1, null),
  ]).toEqual([1500, 907, 28, 7, null, null, null]);
  const object: Values = { weight: 2, weight_unit: 'kg', max_weight: 3 };
  expect([weighed(object, none), bears(object, none), object['_abs_weight'], object['_abs_max_weight']]).toEqual([
    undefined,
    undefined,
    2000,
    3000,
  ]);
});

test('outer dimensions have a unit, and no unit stays without them', () => {
  const empty: Values = { outer_width: null, outer_height: null, outer_depth: null, outer_unit: 'mm' };
  expect([measured(empty, none), empty['outer_unit']]).toEqual([undefined, null]);
  expect(measured({ ...empty, outer_height: 3 }, none)).toEqual({
    __all__: ['Must specify a unit when setting an outer dimension'],
  });
});

test('a frame is large enough for what is mounted', () => {
  const mounted = [
    { from: 3, to: 4.5 },
    { from: 8, to: 10 },
  ];
  expect(whyTooSmall({ u_height: 9, starting_unit: 1 }, mounted)).toBeUndefined();
  expect(whyTooSmall({ u_height: 8, starting_unit: 1 }, mounted)).toMatchObject({
    field: 'u_height',
    message: expect.stringContaining('9.0U'),
  });
  expect(whyTooSmall({ u_height: 42, starting_unit: 4 }, mounted)).toMatchObject({
    field: 'starting_unit',
    message: expect.stringContaining('at 3.0 or less'),
  });
  expect(whyTooSmall({ u_height: 1, starting_unit: 9 }, [])).toBeUndefined();
});

test('units that can be reserved are those of the rack', async () => {
  const context = { related: async () => ({ starting_unit: 10, u_height: 5 }) } as unknown as RuleContext;
  const wrong = (units: number[]) => unitsOfRack({ rack: 1, units }, context);
  expect(await Promise.all([wrong([10, 14]), wrong([9, 15, 10]), wrong([])])).toEqual([
    undefined,
    { units: ['Invalid unit(s) for 5U rack: 9, 15'] },
    { units: ['This field cannot be blank.'] },
  ]);
});
