import { generic, integer, model, objectType, ref, refs, text } from '@cadastre/model';
import { expect, test } from '@jest/globals';
import { orderOf } from './order.ts';

const made = (name: string, fields: Parameters<typeof model>[1]['fields'], more: { tree?: boolean } = {}) =>
  model(name, { path: name, label: name, brief: [], fields: { name: text({ max: 9 }), ...fields }, ...more });
const namesOf = (order: ReturnType<typeof orderOf>): string[][] =>
  order.levels.map((level) => level.map(({ name }) => name));

test('what is referred to comes first; what needs nothing of each other comes together', () => {
  const order = orderOf(
    [made('a.c', { b: ref('a.b') }), made('a.b', { z: refs('a.z') }), made('a.z', {}), made('a.y', {})],
    () => 1,
  );
  expect(namesOf(order)).toEqual([['a.z', 'a.y'], ['a.b'], ['a.c']]);
  expect([order.precedes('a.z', 'a.b'), order.precedes('a.b', 'a.z'), order.precedes('a.b', 'a.b')]).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  [1, 100, ['a.master', 'a.member']],
  [100, 1, ['a.member', 'a.master']],
])('in a circle, those wait for their references of which there are fewer (%i and %i)', (masters, members, first) => {
  const models = [
    made('a.master', { first: ref('a.member', { optional: true }) }),
    made('a.member', { master: ref('a.master', { optional: true }) }),
  ];
  const order = orderOf(models, (type) => (type === 'a.master' ? masters : members));
  expect(namesOf(order).flat()).toEqual(first);
});

test('a reference that must be there is never the one that waits', () => {
  const models = [
    made('a.bay', { inside: ref('a.device', { optional: true }), device: ref('a.device') }),
    made('a.device', { bay: ref('a.bay', { optional: true }) }),
  ];
  expect(namesOf(orderOf(models, (type) => (type === 'a.bay' ? 1 : 1000))).flat()).toEqual(['a.device', 'a.bay']);
  const impossible = [made('a.one', { two: ref('a.two') }), made('a.two', { one: ref('a.one') })];
  expect(() => orderOf(impossible, () => 1)).toThrow('cannot be without each other: a.one, a.two');
});

test('what can be about anything comes last', () => {
  const about = {
    object_type: objectType(),
    object_id: integer(),
    object: generic('object_type', 'object_id'),
  };
  const order = orderOf([made('a.note', about), made('a.bookmark', about), made('z.last', {})], () => 1);
  expect(namesOf(order)).toEqual([['z.last'], ['a.note', 'a.bookmark']]);
});
