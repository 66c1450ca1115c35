import { expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import { Cache } from '../../cache/cache.ts';
import { CustomFieldDefinitions, NO_DEFINITIONS } from '../../cache/customFieldDefinitions.ts';
import { finder } from '../filters/find.ts';
import { parseQuery } from '../query/query.ts';
import { catalogue, house, room, superuser, tables, user } from '../../testing/town.ts';
import type { Planner } from './plan.ts';
import { Plans } from './plans.ts';

const asked = (search: string) => parseQuery(search, { paginateCount: 50, maxPageSize: 1000 });

/** Plans of a town whose houses have ids by their names, and how often ids were looked for. */
function town(houses: Record<string, string>) {
  const cache = new Cache(catalogue);
  let looks = 0;
  const executor = {
    query: async ({ values: [names] }: { values: [string[]] }) => ({
      rows: names.flatMap((name) => (houses[name] ? [[name, houses[name]]] : [])),
    }),
  };
  const find = finder(tables, cache, executor as never, {} as never);
  const planner: Planner = {
    tables,
    cache,
    find: (wanted) => {
      looks += 1;
      return find(wanted);
    },
    definitions: NO_DEFINITIONS,
    maxRegexLength: 50,
  };
  return { cache, planner, plans: new Plans(cache), looks: () => looks };
}

test('the same query of the same requester has one plan', async () => {
  const { planner, plans, looks } = town({ a: '9' });
  const query = asked('house=a');
  const first = await plans.of(planner, room, query, superuser, false);
  expect(first.count!.values).toEqual([['9']]);
  // Grants of a superuser are made anew for each request.
  const again = { ...superuser, grants: { ...superuser.grants } };
  expect(await plans.of(planner, room, query, again, false)).toBe(first);
  expect(looks()).toBe(1);
});

test('another model, another requester, other grants and strictness have plans of their own', async () => {
  const { planner, plans } = town({});
  const query = asked('name=a');
  const first = await plans.of(planner, room, query, superuser, false);
  const viewer = user({ 'view town.room': null });
  for (const other of [
    await plans.of(planner, house, query, superuser, false),
    await plans.of(planner, room, query, superuser, true),
    await plans.of(planner, room, query, { ...superuser, userId: 2 }, false),
    await plans.of(planner, room, query, viewer, false),
  ])
    expect(other).not.toBe(first);
  expect(await plans.of(planner, room, query, superuser, false)).toBe(first);
  const narrowed = user({ 'view town.room': [{ name: 'b' }] });
  const seen = await plans.of(planner, room, query, narrowed, false);
  expect(seen.count!.values).toEqual([['a'], 'b']);
  await expect(plans.of(planner, room, query, user({}), false)).rejects.toMatchObject({ status: 403 });
});

test('a plan counts no longer when what filter values name has changed, or the definitions have', async () => {
  const houses: Record<string, string> = { a: '9' };
  const { cache, planner, plans } = town(houses);
  const query = asked('house=a');
  const first = await plans.of(planner, room, query, superuser, false);
  houses['a'] = '10';
  cache.invalidate(typeId('town.room'), '1');
  expect(await plans.of(planner, room, query, superuser, false)).toBe(first);
  cache.invalidate(typeId('town.house'), '9');
  const second = await plans.of(planner, room, query, superuser, false);
  expect(second.count!.values).toEqual([['10']]);
  delete houses['a'];
  cache.invalidateAll();
  await expect(plans.of(planner, room, query, superuser, false)).rejects.toMatchObject({ status: 400 });
  houses['a'] = '11';
  cache.invalidateAll();
  const third = await plans.of(planner, room, query, superuser, false);
  expect(third.count!.values).toEqual([['11']]);
  const defined = { ...planner, definitions: new CustomFieldDefinitions(new Map()) };
  expect(await plans.of(defined, room, query, superuser, false)).not.toBe(third);
});

test('what changes while a plan is made is in none that is kept', async () => {
  const houses: Record<string, string> = { a: '9' };
  const { cache, planner, plans } = town(houses);
  const query = asked('house=a');
  const overtaken: Planner = {
    ...planner,
    find: async (wanted) => {
      const ids = await planner.find(wanted);
      houses['a'] = '10';
      cache.invalidate(typeId('town.house'), '9');
      return ids;
    },
  };
  expect((await plans.of(overtaken, room, query, superuser, false)).count!.values).toEqual([['9']]);
  expect((await plans.of(planner, room, query, superuser, false)).count!.values).toEqual([['10']]);
});

test('what only its owner knows is asked again', async () => {
  const { planner, plans } = town({});
  let asking = 0;
  const told: Planner = {
    ...planner,
    find: async ({ values }) => {
      asking += 1;
      return new Map(values.map((value) => [value, ['7']]));
    },
  };
  const query = asked('house=a');
  for (let i = 0; i < 2; i += 1)
    expect((await plans.of(told, room, query, superuser, false)).count!.values).toEqual([['7']]);
  expect(asking).toBe(2);
});
