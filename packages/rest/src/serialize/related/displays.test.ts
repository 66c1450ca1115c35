import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Model, type Json, typeId, type Values } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { applyEvents } from '../../replication/follow/apply.ts';
import { parseQuery } from '../../read/query/query.ts';
import { list } from '../../read/list/list.ts';
import { detail } from '../../read/detail.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { eventOf } from '../../testing/event.ts';
import { catalogue, context, district, house, key, sign, superuser } from '../../testing/town.ts';
import { create } from '../../write/create/create.ts';
import { remove } from '../../write/remove/remove.ts';
import { RuleReads } from '../../write/check/rules.ts';
import { updateMany } from '../../write/update/update.ts';
import { displaysAt } from './displays.ts';

let town: Town;
let engine: Engine;
let other: Engine;

beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
  other = town.engine();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql(
    'truncate town_house, town_sign, town_key, town_district, replica.people_person, replica.any_object, cache_invalidation, change, change_queue restart identity',
  );
  await town.sql(`insert into replica.people_person (id, _version, name, slug) values (1, 1, 'Ann', 'ann')`);
  await town.sql(`insert into town_district (name, slug, _path) values ('North', 'north', '{1}')`);
  await town.sql(
    `insert into town_house (name, slug, keeper_id, district_id) values ('A', 'a', 1, 1), ('B', 'b', null, null)`,
  );
  await town.sql(
    `insert into town_sign (text, place_type, place_id) values ('s1', 'town.house', 1), ('s2', 'people.person', 1), ('s3', 'town.district', 1), ('s4', 'town.house', 99)`,
  );
  await town.sql(
    `insert into town_key (name, house_id, sign_id, spare_id) values ('', 1, 1, null), ('', 2, null, 1), ('named', 1, 1, 2)`,
  );
  for (const one of [engine, other]) {
    one.cache.invalidateAll();
    await one.invalidations.wait();
  }
});

const page = async (model: Model, from = other) =>
  (
    JSON.parse(
      await list(
        from,
        model,
        parseQuery('fields=id,display,spare,sign', { paginateCount: 50, maxPageSize: 0 }),
        superuser,
        { base: '', path: '/' },
      ),
    ) as { results: Values[] }
  ).results;
const shown = async (model: Model, from = other) => (await page(model, from)).map((one) => one['display']);
const change = (model: Model, bodies: Json[]) => updateMany(engine, model, bodies, 'patch', context);
const records = async () =>
  (await town.sql(`select key, body::jsonb ->> 'display' as display from change order by id`)).map(
    (r) => `${r['key']} ${r['display']}`,
  );

describe('the text of an object contains that of others', () => {
  test('over a generic field, a reference, or a chain of them', async () => {
    expect(await shown(sign)).toEqual(['s1 at A [a]', 's2 at Ann', 's3 at North', 's4']);
    expect(await shown(key)).toEqual(['Ann, s1 at A [a] (1)', 'nobody, no sign (2)', 'named']);
  });
  test('also where it stands inside another object, and where that is asked for alone', async () => {
    expect((await page(key)).map((one) => (one['spare'] as Values | null)?.['display'])).toEqual([
      undefined,
      'Ann, s1 at A [a] (1)',
      'nobody, no sign (2)',
    ]);
    expect((await page(key)).map((one) => (one['sign'] as Values | null)?.['display'])).toEqual([
      's1 at A [a]',
      undefined,
      's1 at A [a]',
    ]);
    expect(
      JSON.parse(
        (
          await detail(
            other,
            key,
            '1',
            parseQuery('fields=display', { paginateCount: 50, maxPageSize: 0 }),
            superuser,
            '',
          )
        ).text,
      ),
    ).toEqual({ display: 'Ann, s1 at A [a] (1)' });
  });
  test('in changes and refusals, and for rules', async () => {
    await change(key, [{ id: 1, spare: 2 }]);
    expect(await records()).toEqual(['town.key:1 Ann, s1 at A [a] (1)']);
    await expect(remove(engine, sign, { ids: [1], messages: new Map(), single: true }, context)).rejects.toMatchObject({
      body: { detail: 'Unable to delete object. 2 dependent objects were found: Ann, s1 at A [a] (1) (1), named (3)' },
    });
    const { displayOf } = new RuleReads(engine, town.pool, superuser).context(null);
    expect(await Promise.all([displayOf('town.key', 1), displayOf('town.sign', 3), displayOf('town.key', 99)])).toEqual(
      ['Ann, s1 at A [a] (1)', 's3 at North', ''],
    );
  });
  test('by as many statements for a page as for one object, none when they are remembered', async () => {
    const statements = async (from: Engine) => {
      const before = town.statements();
      await shown(key, from);
      return town.statements() - before;
    };
    await statements(engine);
    const warm = await statements(engine);
    await town.sql(`insert into town_key (name, house_id, sign_id) select '', 1, 1 from generate_series(1, 30)`);
    await town.sql('insert into cache_invalidation (type, id) select $1, max(id) from town_key', [typeId('town.key')]);
    // Which rows there are, as what is remembered of them might do, and how many; the rows; and what these show of others.
    expect(await statements(engine)).toBe(warm + 4);
    expect(await statements(engine)).toBe(warm);
  });
  test('only where they matter', async () => {
    await town.sql(`update town_key set name = 'n' || id`);
    other.cache.invalidateAll();
    const before = town.statements();
    await list(other, key, parseQuery('fields=display', { paginateCount: 50, maxPageSize: 0 }), superuser, {
      base: '',
      path: '/',
    });
    // The poll, the page and its total.
    expect(town.statements() - before).toBe(4);
  });
});

describe('in another process', () => {
  test('a new name shows at once, however far away', async () => {
    await shown(key);
    await change(house, [{ id: 1, name: 'Villa' }]);
    expect(await shown(key)).toEqual(['Ann, s1 at Villa [a] (1)', 'nobody, no sign (2)', 'named']);
    expect((await page(key)).map((one) => (one['spare'] as Values | null)?.['display'])).toEqual([
      undefined,
      'Ann, s1 at Villa [a] (1)',
      'nobody, no sign (2)',
    ]);
    await change(district, [{ id: 1, name: 'South' }]);
    expect((await shown(sign))[2]).toBe('s3 at South');
  });
  test('so does another object along the chain', async () => {
    await shown(key);
    await change(house, [{ id: 1, keeper: null }]);
    expect((await shown(key))[0]).toBe('nobody, s1 at A [a] (1)');
    await change(house, [{ id: 1, keeper: 1 }]);
    await applyEvents(engine, [
      eventOf('people.person', 1, 2, { display: 'Anne', row: { name: 'Anne', slug: 'ann', group_id: null } }),
    ]);
    expect([(await shown(key))[0], (await shown(sign))[1]]).toEqual(['Anne, s1 at A [a] (1)', 's2 at Anne']);
  });
});

describe('within one transaction', () => {
  test('texts are those of its end', async () => {
    await shown(key, engine);
    await change(sign, [{ id: 1, text: 'new' }]);
    await town.sql('truncate change');
    await change(key, [{ id: 1, name: '' }]);
    expect(await records()).toEqual(['town.key:1 Ann, new at A [a] (1)']);
  });
  test('what goes together is named as it was', async () => {
    await town.sql('update town_key set spare_id = null');
    await town.sql('truncate change');
    await remove(engine, house, { ids: [1], messages: new Map(), single: true }, context);
    expect((await records()).sort()).toEqual([
      'town.house:1 A [a]',
      'town.key:1 Ann, s1 at A [a] (1)',
      'town.key:3 named',
      'town.sign:1 s1 at A [a]',
    ]);
    const [event] = await town.sql(`select body::jsonb -> 'data' as data from change where key = 'town.key:1'`);
    expect(event).toMatchObject({ data: { house: { name: 'A' } } });
  });
  test('what is new is named too', async () => {
    await create(engine, key, [{ house: 1, sign: 2 }], false, context);
    expect(await records()).toEqual([expect.stringMatching(/^town\.key:\d+ Ann, s2 at Ann \(\d+\)$/)]);
  });
});

test('the text of an object whose table is not here is what its event told', async () => {
  await town.sql(
    `insert into replica.any_object (type, id, version, display, brief) values ($1, 7, 1, 'Chess', '{"display": "Chess"}')`,
    [typeId('people.club')],
  );
  const readContext = await other.readContext();
  expect([...(await displaysAt(readContext, 'people.club', '', ['7', '8']))]).toEqual([['7', 'Chess']]);
  expect([...(await displaysAt(readContext, 'people.club', 'home', ['7']))]).toEqual([]);
  expect([...(await displaysAt(readContext, 'nothing.known', '', ['7']))]).toEqual([]);
});

test('replicas keep the columns that texts are made of', () => {
  expect([...catalogue.replicas('town').get('people.person')!]).toContain('name');
});
