import { expect, test } from '@jest/globals';
import type { RuleContext, Values } from '@cadastre/model';
import { heightOfType, roomToGrow } from './deviceTypeRules.ts';
import { meetsProfile, whyNoProfile } from './moduleTypeAttributes.ts';

test('heights go in halves, and children are flat', () => {
  const wrong = (u_height: number | string, subdevice_role: string | null = null) =>
    heightOfType({ u_height, subdevice_role }, {} as RuleContext);
  expect([wrong(1), wrong('2.5'), wrong(0, 'child')]).toEqual([undefined, undefined, undefined]);
  expect([wrong(1.3), wrong('1.0', 'child')]).toEqual([
    { u_height: ['U height must be in increments of 0.5 rack units.'] },
    { u_height: ['Child device types must be 0U.'] },
  ]);
});

test('a type grows where all its devices have room, those of the same type as high as it', async () => {
  const devices: Values[] = [1, 3].map((position, i) => ({
    id: i + 1,
    device_type: 5,
    rack: 9,
    position,
    face: 'front',
  }));
  const context = {
    before: { u_height: 1 },
    related: async (type: string) => (type === 'dcim.rack' ? { starting_unit: 1, u_height: 4 } : null),
    found: async () => devices,
    displayOf: async (_: string, id: number) => `#${id}`,
  } as unknown as RuleContext;
  const grown = (u_height: number) => roomToGrow({ id: 5, u_height, is_full_depth: true }, context);
  expect(await Promise.all([grown(1), grown(2), grown(0.5)])).toEqual([undefined, undefined, undefined]);
  expect(await grown(2.5)).toEqual({
    u_height: ['Device #1 in rack #9 does not have sufficient space to accommodate a height of 2.5U'],
  });
  expect(await roomToGrow({ id: 5, u_height: 9 }, { ...context, before: null })).toBeUndefined();
});

test('a profile says which attributes there are', () => {
  expect([
    whyNoProfile({ type: 'object', properties: { a: {} } }),
    whyNoProfile({ properties: {} }),
    whyNoProfile([]),
  ]).toEqual([[], ['JSON schema must define properties'], ['Invalid JSON schema definition']]);
});

test('attributes meet the profile; what a change leaves out stays as long as there is one', async () => {
  const context = (before: Values | null, schema: unknown, given: Values = {}) =>
    ({ before, given, related: async (_: string, id: unknown) => (id ? { schema } : null) }) as unknown as RuleContext;
  const schema = { properties: { a: { type: 'integer' }, b: {} }, required: ['a'] };
  const type: Values = { profile: 1, attributes: { b: 2 } };
  expect([await meetsProfile(type, context({ attributes: { a: 1 } }, schema)), type['attributes']]).toEqual([
    undefined,
    { a: 1, b: 2 },
  ]);
  expect(await meetsProfile({ profile: 1, attributes: null }, context(null, schema))).toEqual({
    __all__: ["Invalid schema: 'a' is a required property"],
  });
  const without = async (before: Values | null, given: Values) => {
    const one: Values = { profile: null, attributes: { a: 1 } };
    return [await meetsProfile(one, context(before, null, given)), one['attributes']];
  };
  expect(await without(null, {})).toEqual([undefined, { a: 1 }]);
  expect(await without({ attributes: { a: 1 } }, { attributes: { a: 1 } })).toEqual([undefined, { a: 1 }]);
  expect(await without({ attributes: { a: 1 } }, { profile: null })).toEqual([undefined, null]);
});
