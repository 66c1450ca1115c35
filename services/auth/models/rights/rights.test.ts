import { describe, expect, test } from '@jest/globals';
import type { Json } from '@cadastre/model';
import { alternatives, beyond, type Granted, within } from './rights.ts';

test.each<[Json, unknown]>([
  [null, null],
  [{}, null],
  [[], null],
  [[{ a: 1 }, {}], null],
  [{ a: 1 }, [{ a: 1 }]],
  [
    [{ a: 1 }, { b: 2 }],
    [{ a: 1 }, { b: 2 }],
  ],
])('constraints %j leave %j', (stored, left) => {
  expect(alternatives(stored)).toEqual(left);
});

describe('conditions are within others', () => {
  test.each<[string, Json, Json]>([
    ['the same', { a: 1 }, { a: 1 }],
    ['one more', { a: 1, b: 2 }, { a: 1 }],
    ['each of several', [{ a: 1, b: 2 }, { c: 3 }], [{ c: 3 }, { a: 1 }]],
    ['lists and dictionaries', { a: [1, { b: 2 }], c: 1 }, { a: [1, { b: 2 }] }],
    ["everybody's own", { user: '$user' }, { user: '$user' }],
    ['anything within everything', { a: 1 }, null],
    ['everything within everything', null, {}],
  ])('%s', (_, given, own) => {
    expect(within(alternatives(given), alternatives(own))).toBe(true);
  });

  test.each<[string, Json, Json]>([
    ['none', null, { a: 1 }],
    ['an empty one among them', [{ a: 1 }, {}], { a: 1 }],
    ['another value', { a: 2 }, { a: 1 }],
    ['another type', { a: '1' }, { a: 1 }],
    ['a list for a value', { a: [1] }, { a: 1 }],
    ['a longer list', { a: [1, 2] }, { a: [1] }],
    ['one condition less', { a: 1 }, { a: 1, b: 2 }],
    ['one of several beyond', [{ a: 1 }, { b: 1 }], { a: 1 }],
    ["somebody else's", { user: 7 }, { user: '$user' }],
    ["one's own for all", { user: '$user' }, { user: 7 }],
    ['what objects inherit', { toString: 1 }, { constructor: 1 }],
  ])('not %s', (_, given, own) => {
    expect(within(alternatives(given), alternatives(own))).toBe(false);
  });

  test('nothing is within nothing', () => {
    expect(within([{ a: 1 }], false)).toBe(false);
  });
});

describe('what a permission allows beyond what somebody has', () => {
  const granted: Granted = (action, type) =>
    type === 'dcim.site' && action === 'view'
      ? null
      : type === 'dcim.site' && action === 'change'
        ? [{ status: 'active' }]
        : false;
  const permission = (actions: string[], constraints: Json = null, object_types = ['dcim.site']) => ({
    enabled: true,
    object_types,
    actions,
    constraints,
  });

  test('is said action by action', () => {
    expect(beyond(permission(['view'], { status: 'planned' }), granted)).toEqual([]);
    expect(beyond(permission(['view', 'change', 'add'], null, ['dcim.site', 'dcim.rack']), granted)).toEqual([
      'change dcim.site',
      'add dcim.site',
      'view dcim.rack',
      'change dcim.rack',
      'add dcim.rack',
    ]);
    expect(beyond(permission(['change'], { status: 'active', name: 'x' }), granted)).toEqual([]);
  });

  test('leaves out what it allowed before, unless it was off', () => {
    const had = permission(['view', 'delete'], { status: 'active' }, ['dcim.rack']);
    expect(beyond(permission(['delete'], { status: 'active', name: 'x' }, ['dcim.rack']), granted, had)).toEqual([]);
    expect(beyond(permission(['delete'], null, ['dcim.rack']), granted, had)).toEqual(['delete dcim.rack']);
    expect(beyond(had, granted, { ...had, enabled: false })).toEqual(['view dcim.rack', 'delete dcim.rack']);
    expect(beyond({ ...had, enabled: false }, granted, had)).toEqual([]);
  });
});
