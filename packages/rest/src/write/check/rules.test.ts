import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Check, columnsOf, Forbidden, type Reference, typeId } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { catalogue, house, superuser, tables, user } from '../../testing/town.ts';
import { parseItem } from '../parse/parse.ts';
import { resolveFor, resolveOwn } from '../resolve/own.ts';
import { RuleReads, runAllRules, runChecks, runRules } from './rules.ts';
import { transaction } from '../../db/transaction.ts';
import { untilLockWaits } from '../../testing/locks.ts';

let town: Town;
let engine: Engine;
beforeAll(async () => {
  town = await openTown();
  engine = town.engine({ facilities: { answer: 42 } });
  await town.sql(`insert into replica.people_person (id, _version, name, slug) values (1, 1, 'Ann', 'ann')`);
  await town.sql(
    `insert into town_district (id, name, slug, parent_id, _path) values (1, 'North', 'north', null, '{1}'), (2, 'Far', 'far', 1, '{1,2}')`,
  );
  await town.sql(
    `insert into town_house (id, name, slug, district_id, floors) values (1, 'A', 'a', 2, 3), (2, 'B', 'b', null, 3), (3, 'C', 'c', null, null)`,
  );
});
afterAll(async () => {
  await town?.close();
});

describe('a rule may ask', () => {
  const context = (who = superuser) => new RuleReads(engine, town.pool, who).context({ id: 1 });
  test('for related objects, once each', async () => {
    const asked = context();
    const before = town.statements();
    expect(
      await Promise.all([
        asked.related('town.house', 1),
        asked.related('town.house', 1),
        asked.related('people.person', 1),
      ]),
    ).toEqual([
      expect.objectContaining({ id: 1, name: 'A', district: 2, floors: 3 }),
      expect.objectContaining({ name: 'A' }),
      { id: 1, name: 'Ann', slug: 'ann', group: null },
    ]);
    expect(town.statements() - before).toBe(2);
    expect(
      await Promise.all([
        asked.related('town.house', 99),
        asked.related('town.house', null),
        asked.related('town.house', undefined),
        asked.related('no.such', 1),
        asked.related('people.club', 1),
      ]),
    ).toEqual([null, null, null, null, null]);
  });
  test('for objects that nobody changes meanwhile', async () => {
    const rename = (text: string) =>
      transaction(town.pool, async (client) => {
        await client.query(`set local lock_timeout = '50ms'`);
        await client.query(`update town_house set name = $1 where id = 3`, [text]);
      });
    await transaction(town.pool, async (client) => {
      const asked = new RuleReads(engine, client, superuser).context({ id: 1 });
      expect(await asked.related('town.house', 3)).toMatchObject({ name: 'C' });
      await rename('D');
      // As it is now, whatever was read before.
      expect(await Promise.all([asked.held('town.house', 3), asked.held('town.house', 99)])).toEqual([
        expect.objectContaining({ name: 'D' }),
        null,
      ]);
      await expect(rename('E')).rejects.toMatchObject({ code: '55P03' });
      // What another service owns is not kept.
      expect(await asked.held('people.person', 1)).toMatchObject({ name: 'Ann' });
    });
    await rename('C');
  });
  test('whether an object lies below another', async () => {
    const { isBelow } = context();
    expect(
      await Promise.all([
        isBelow('town.district', 2, 1),
        isBelow('town.district', 1, 2),
        isBelow('town.district', 1, 1),
        isBelow('town.district', 99, 1),
      ]),
    ).toEqual([true, false, true, false]);
  });
  test('what an object is called', async () => {
    const { displayOf } = context();
    expect([
      await displayOf('town.house', 1),
      await displayOf('people.person', 1),
      await displayOf('town.house', 99),
    ]).toEqual(['A [a]', 'Ann', '']);
  });
  test('who writes, what that user has been given, and for what the service offers', () => {
    const { requester, service, before } = context(
      user({ 'add town.house': null, 'view town.house': [{ name: 'x' }] }),
    );
    expect([requester.userId, requester.superuser, before]).toEqual([7, false, { id: 1 }]);
    expect(['add', 'view', 'delete'].map((action) => requester.granted(action, 'town.house'))).toEqual([
      null,
      [{ name: 'x' }],
      false,
    ]);
    expect(service('answer')).toBe(42);
    expect(() => service('question')).toThrow('no facility question in service town');
  });
});

describe('rules', () => {
  const run = async (...rules: typeof house.rules) => {
    const item = parseItem(house, {}, 0, 'patch', { knowsObjectType: () => true });
    await runRules(rules, item, { id: 1 }, new RuleReads(engine, town.pool, superuser).context(null));
    return item.errors;
  };
  test('add their messages up', async () => {
    expect(
      await run(
        () => ({ name: ['a'] }),
        async () => ({ name: ['b'], slug: 'c' }),
        () => undefined,
      ),
    ).toEqual({ name: ['a', 'b'], slug: 'c' });
  });
  test('may forbid', async () => {
    await expect(
      run(() => {
        throw new Forbidden('Not you.');
      }),
    ).rejects.toMatchObject({ status: 403, body: { detail: 'Not you.' } });
  });
  test('that are broken are a fault of ours', async () => {
    await expect(
      run(async () => {
        throw new TypeError('x');
      }),
    ).rejects.toBeInstanceOf(TypeError);
  });
});

describe('checks', () => {
  test('look at all objects at once, and may ask the database', async () => {
    const item = (index: number) => parseItem(house, {}, index, 'patch', { knowsObjectType: () => true });
    const proposed = [1, 2, 3].map((id, i) => ({ item: item(i), object: { id }, before: null }));
    const before = town.statements();
    const tall: Check = async (all, { query, tableOf }) => {
      const rows = await query(`select id from ${tableOf('town.house')} where id = any($1::bigint[]) and floors > 2`, [
        all.map(({ object }) => object['id']),
      ]);
      return all.map(({ object }) =>
        rows.some(([id]) => Number(id) === object['id']) ? { floors: ['Too tall.'] } : undefined,
      );
    };
    await runChecks({ ...house, checks: [tall] }, proposed, new RuleReads(engine, town.pool, superuser).checkContext());
    expect(proposed.map((p) => p.item.errors)).toEqual([{ floors: ['Too tall.'] }, { floors: ['Too tall.'] }, {}]);
    expect(town.statements() - before).toBe(1);
  });
});

describe('references', () => {
  const own = (references: Reference[], who = superuser) =>
    resolveOwn(tables, 'town.house', references, who, town.pool);
  test('mean objects by id or by attributes that fit just one', async () => {
    expect(
      await own([
        { id: 1 },
        { attributes: { slug: 'b' } },
        { attributes: { district: { parent: { slug: 'north' } } } },
        { attributes: { floors: 3 } },
        { attributes: { slug: 'x', name: "o'x", listed: true, height: null } },
        { id: 99 },
        { attributes: { id: 1 } },
      ]),
    ).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 1 },
      { error: "Multiple objects match the provided attributes: {'floors': 3}" },
      {
        error: `Related object not found using the provided attributes: {'slug': 'x', 'name': "o'x", 'listed': True, 'height': None}`,
      },
      { error: 'Related object not found using the provided numeric ID: 99' },
      { id: 1 },
    ]);
  });
  test('to what is being deleted mean nothing', async () => {
    await town.sql(
      `insert into deletion_mark values ($1, 1, now() + interval '1 minute'), ($1, 2, now() - interval '1 minute')`,
      [typeId('town.house')],
    );
    try {
      expect(await own([{ id: 1 }, { id: 2 }, { attributes: { slug: 'a' } }])).toMatchObject([
        { error: expect.any(String) },
        { id: 2 },
        { error: expect.any(String) },
      ]);
    } finally {
      await town.sql('truncate deletion_mark');
    }
  });
  test('by attributes see what the requester may see', async () => {
    expect(
      await own(
        [{ attributes: { slug: 'a' } }, { attributes: { slug: 'b' } }],
        user({ 'view town.house': [{ name: 'B' }] }),
      ),
    ).toMatchObject([{ error: expect.any(String) }, { id: 2 }]);
    expect(await own([{ attributes: { slug: 'a' } }, { id: 1 }], user({}))).toMatchObject([
      { error: expect.any(String) },
      { id: 1 },
    ]);
  });
  test('by attributes alone are found in one statement', async () => {
    const before = town.statements();
    expect(
      await own([
        { attributes: { slug: 'b' } },
        { attributes: { floors: 3 } },
        { attributes: { name: 'B' } },
        { attributes: { slug: 'x' } },
        { attributes: { slug__regex: 'b' } },
        { attributes: { colour: 'red' } },
      ]),
    ).toEqual([
      { id: 2 },
      { error: "Multiple objects match the provided attributes: {'floors': 3}" },
      { id: 2 },
      { error: "Related object not found using the provided attributes: {'slug': 'x'}" },
      { error: "Regular expressions cannot be used to reference related objects: 'slug__regex'." },
      { error: expect.stringContaining("Cannot resolve keyword 'colour' into field.") },
    ]);
    expect(town.statements() - before).toBe(1);
  });
  test.each<[string, Reference]>([
    ['by id', { id: 4 }],
    ['by attributes', { attributes: { slug: 'gone' } }],
  ])('%s wait for a deletion that is being carried out', async (_, reference) => {
    await town.sql(`insert into town_house (id, name, slug) values (4, 'Gone', 'gone')`);
    const asked = () =>
      resolveFor(tables, 'town.house', [reference], columnsOf(house).slice(0, 1), superuser, town.pool);
    expect((await asked()).results).toEqual([{ id: 4 }]);
    const client = await town.pool.connect();
    try {
      await client.query('begin');
      await client.query('delete from town_house where id = 4');
      let answered = false;
      const answer = asked().finally(() => (answered = true));
      await untilLockWaits(town.pool);
      expect(answered).toBe(false);
      await client.query('commit');
      expect(await answer).toEqual({ results: [{ error: expect.stringContaining('not found') }], rows: [] });
    } finally {
      client.release();
    }
  });
  test.each<Reference>([{ id: 1 }, { attributes: { slug: 'a' } }])(
    'leave commits as safe as they were: %j',
    async (reference) => {
      const client = await town.pool.connect();
      const safety = async () => (await client.query('show synchronous_commit')).rows[0];
      try {
        await client.query('set synchronous_commit = on');
        await client.query('begin');
        await resolveOwn(tables, 'town.house', [reference], superuser, client);
        expect(await safety()).toEqual({ synchronous_commit: 'on' });
        await client.query('commit');
        await resolveFor(tables, 'town.house', [reference], columnsOf(house).slice(0, 1), superuser, client);
        expect(await safety()).toEqual({ synchronous_commit: 'on' });
      } finally {
        await client.query('reset synchronous_commit');
        client.release();
      }
    },
  );
  test('are answered for other services with the rows that they keep', async () => {
    const columns = columnsOf(house).filter((c) => ['id', 'name', 'floors', '_version', 'guests'].includes(c.name));
    expect(
      await resolveFor(
        tables,
        'town.house',
        [{ id: 1 }, { id: 1 }, { attributes: { slug: 'x' } }],
        columns,
        superuser,
        town.pool,
      ),
    ).toEqual({
      results: [{ id: 1 }, { id: 1 }, { error: expect.any(String) }],
      rows: [{ id: 1, name: 'A', floors: 3, guests: [], _version: 1 }],
    });
  });
});

describe('a transaction', () => {
  const count = async () => (await town.sql('select count(*)::int as n from town_note'))[0]!['n'];
  const insert = `insert into town_note (text) values ('x')`;
  test('is undone by an error, and its connection given back', async () => {
    await expect(
      transaction(town.pool, async (client) => {
        await client.query(insert);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect([await count(), town.pool.idleCount]).toEqual([0, town.pool.totalCount]);
    expect(
      await transaction(town.pool, async (client) => {
        await client.query(insert);
        return 5;
      }),
    ).toBe(5);
    expect(await count()).toBe(1);
  });
  test("is tried again when PostgreSQL ended it for another's sake, but not for ever", async () => {
    let tries = 0;
    expect(
      await transaction(town.pool, async () => {
        if (++tries < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' });
        return tries;
      }),
    ).toBe(3);
    tries = 0;
    await expect(
      transaction(town.pool, async () => {
        tries++;
        throw Object.assign(new Error('again'), { code: '40001' });
      }),
    ).rejects.toThrow('again');
    expect(tries).toBe(3);
    tries = 0;
    await expect(
      transaction(town.pool, async () => {
        tries++;
        throw Object.assign(new Error('unique'), { code: '23505' });
      }),
    ).rejects.toThrow('unique');
    expect(tries).toBe(1);
  });
});

test('the catalogue of these tests is right', () => {
  expect(catalogue.services()).toEqual(['town', 'people', 'extras']);
});

describe('rules of several objects', () => {
  test('run side by side and ask together', async () => {
    const drafts = [1, 2, 3, 1].map((asked, i) => ({
      item: parseItem(house, {}, i, 'patch', { knowsObjectType: () => true }),
      object: { id: 10 + i, asked },
      before: null,
    }));
    const seen: unknown[][] = [];
    const statements = town.statements();
    await runAllRules(
      [
        async ({ id, asked }, { related, found, isBelow, among }) => {
          const [one, same, below] = await Promise.all([
            related('town.house', asked),
            found('town.house', 'floors', 3),
            isBelow('town.district', 2, asked as number),
          ]);
          seen.push([id, one?.['name'], same.map((h) => h['name']), below, among.length]);
          return { name: [String(id)] };
        },
      ],
      drafts,
      new RuleReads(engine, town.pool, superuser),
    );
    expect(seen.sort()).toEqual([
      [10, 'A', ['A', 'B'], true, 4],
      [11, 'B', ['A', 'B'], true, 4],
      [12, 'C', ['A', 'B'], false, 4],
      [13, 'A', ['A', 'B'], true, 4],
    ]);
    expect(town.statements() - statements).toBe(3);
    expect(drafts.map(({ item }) => item.errors)).toEqual([
      { name: ['10'] },
      { name: ['11'] },
      { name: ['12'] },
      { name: ['13'] },
    ]);
  });
});
