import { describe, expect, test } from '@jest/globals';
import { count, model, ref, referrer, referrers, refs, text } from '../index.ts';
import { Catalogue } from './catalogue.ts';
import { listedBy, orderedBy, orderingOf } from './ordering.ts';

const declared = (name: string, ordering: string[], fields: Parameters<typeof model>[1]['fields'], more: object = {}) =>
  model(name, { path: 'x', label: 'x', ordering, brief: [], fields: { name: text(), ...fields }, ...more });

const street = declared('a.street', ['name'], {});
const region = declared('a.region', [], { parent: ref('a.region', { optional: true }) }, { tree: true });
const house = declared('b.house', ['street', '-region_id', 'number'], {
  street: ref('a.street'),
  region: ref('a.region', { optional: true }),
  number: text(),
});
const room = declared('b.room', ['house', 'name'], { house: ref('b.house'), in: ref('a.region', { optional: true }) });
const guest = declared('c.guest', ['name'], { rooms: refs('b.room'), regions: refs('a.region') });
const models = new Map([street, region, house, room, guest].map((one) => [one.name, one]));
const columns = (type: string) => [...orderedBy(models, type)].map(([of, names]) => [of, [...names]]);

describe('what a list is sorted by', () => {
  test('is what its model says, or the tree', () => {
    expect([orderingOf(house), orderingOf(region), orderingOf({ ordering: [] })]).toEqual([
      ['street', '-region_id', 'number'],
      ['_sort'],
      [],
    ]);
  });
  test('leads over references to what those are sorted by, but not by the id', () => {
    expect(columns('b.room')).toEqual([
      ['b.room', ['house_id', 'name']],
      ['b.house', ['street_id', 'region_id', 'number']],
      ['a.street', ['name']],
    ]);
    expect(columns('a.region')).toEqual([['a.region', ['_sort']]]);
    expect(columns('a.unheard')).toEqual([]);
  });
  test('is kept where others show such a list', () => {
    const catalogue = new Catalogue([
      { service: 'a', models: [street, region] },
      { service: 'b', models: [house, room] },
      { service: 'c', models: [guest] },
    ]);
    const kept = catalogue.replicas('c');
    expect([...kept.keys()].sort()).toEqual(['a.region', 'a.street', 'b.house', 'b.room']);
    expect([kept.get('a.street'), kept.get('b.house')]).toEqual([
      new Set(['id', '_version', 'name']),
      new Set(['id', '_version', 'street_id', 'region_id', 'number']),
    ]);
  });
});

test('a list is of several, and of objects of their own', () => {
  expect(
    [refs('a.b'), referrers('a.b', 'c'), ref('a.b'), referrer('a.b', 'c'), count('a.b', 'c')].map(listedBy),
  ).toEqual(['a.b', 'a.b', undefined, undefined, undefined]);
});
