import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Effect, Forbidden, type Model, type Stored } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { openTown, type Town } from '../../testing/database.ts';
import type { Requester } from '../../core/requester.ts';
import { district, house, room, superuser, user } from '../../testing/town.ts';
import { create } from '../create/create.ts';
import { mergeChanges } from './effects.ts';
import type { Change } from '../context/change.ts';
import { remove } from '../remove/remove.ts';
import type { WriteContext } from '../context/context.ts';
import { updateMany, updateOne } from '../update/update.ts';

let town: Town;
let engine: Engine;
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: '019a0000-0000-7000-8000-0000000000cc', method: 'POST', path: '/', user: 'root', userId: 1 },
};
const touched: Model[] = [];
const having = (model: Model, ...effects: Effect[]) => {
  model.effects.push(...effects);
  touched.push(model);
};

beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql('truncate town_house, town_room, town_district, change, change_queue restart identity cascade');
});
afterEach(() => {
  for (const model of touched.splice(0)) model.effects.length = 0;
});

const records = async () =>
  (await town.sql('select key, body::jsonb as body from change order by id')).map(({ key, body }) => {
    const { action, request, prechange, postchange, data } = body as Record<string, unknown> & {
      request: { id: string } | null;
      data: unknown;
    };
    return { key, action, request: request?.id, prechange, postchange, told: data !== null };
  });
const make = (bodies: object[]) => create(engine, house, bodies as never, bodies.length === 1, context);

/** Each new house gets two rooms. */
const furnish: Effect = async (changes, { create: store }) => {
  await store(
    'town.room',
    changes
      .filter((c) => c.action === 'created')
      .flatMap((c) => ['hall', 'attic'].map((name) => ({ house: c.after!['id']!, name }))),
  );
};

describe('effects', () => {
  test('make objects, recorded under the same request, by a constant number of statements', async () => {
    having(house, furnish);
    const statements = async (n: number, letter: string) => {
      const before = town.statements();
      await make(Array.from({ length: n }, (_, i) => ({ name: `${letter}${i}`, slug: `${letter}${i}` })));
      return town.statements() - before;
    };
    await statements(1, 'x');
    expect(await statements(20, 'y')).toBe(await statements(2, 'z'));
    expect((await records()).slice(0, 3)).toMatchObject([
      { key: 'town.house:1', action: 'created' },
      {
        key: 'town.room:1',
        action: 'created',
        request: context.cause.id,
        prechange: null,
        postchange: { name: 'hall', house: 1 },
      },
      { key: 'town.room:2', told: true },
    ]);
    expect(
      await town.sql('select name, created is not null as stamped from town_room where house_id = 1 order by id'),
    ).toEqual([
      { name: 'hall', stamped: true },
      { name: 'attic', stamped: true },
    ]);
  });

  test('see what was, what is, and what was given; what they set is in the answer', async () => {
    const seen: Stored[] = [];
    having(house, async (changes, { update }) => {
      seen.push(...changes);
      await update(
        'town.house',
        changes.filter((c) => c.after?.['floors'] === null).map((c) => ({ id: c.after!['id']!, floors: 7 })),
      );
    });
    const { texts } = await make([{ name: 'A', slug: 'a' }]);
    expect(JSON.parse(texts[0]!)).toMatchObject({ name: 'A', floors: 7 });
    expect((await records()).map((r) => [r.key, r.action])).toEqual([['town.house:1', 'created']]);
    await updateOne(engine, house, 1, { name: 'B' }, 'patch', undefined, context);
    expect(seen.at(-1)).toMatchObject({
      action: 'updated',
      before: { name: 'A', floors: 7 },
      after: { name: 'B' },
      given: { name: 'B' },
    });
  });

  test('follow from effects', async () => {
    having(house, furnish);
    having(room, async (changes, { update }) => {
      await update(
        'town.house',
        changes
          .filter((c) => c.action === 'created')
          .slice(0, 1)
          .map((c) => ({ id: c.after!['house']!, comments: 'has rooms' })),
      );
    });
    await make([{ name: 'A', slug: 'a' }]);
    expect(await town.sql('select comments from town_house')).toEqual([{ comments: 'has rooms' }]);
  });

  test('that never end are stopped', async () => {
    having(house, async (changes, { update }) => {
      await update(
        'town.house',
        changes.map((c) => ({ id: c.after!['id']!, floors: Number(c.after!['floors']) + 1 })),
      );
    });
    await expect(make([{ name: 'A', slug: 'a' }])).rejects.toThrow('effects do not come to an end: town.house');
    expect(await town.sql('select 1 from town_house')).toEqual([]);
  });

  test('derive columns without a record of their own', async () => {
    having(room, async (changes, { derive, find }) => {
      const houses = [...new Set(changes.map((c) => (c.after ?? c.before)!['house'] as number))];
      const rooms = await find('town.room', { house: houses });
      await derive(
        'town.house',
        houses.map((id) => ({ id, floors: rooms.filter((r) => r['house'] === id).length })),
      );
    });
    await make([{ name: 'A', slug: 'a' }]);
    const [{ last_updated: before }] = (await town.sql('select last_updated from town_house')) as [
      { last_updated: unknown },
    ];
    await create(
      engine,
      room,
      [
        { house: 1, name: 'r1' },
        { house: 1, name: 'r2' },
      ],
      false,
      context,
    );
    expect(await town.sql('select floors, last_updated from town_house')).toEqual([
      { floors: 2, last_updated: before },
    ]);
    expect((await records()).slice(1)).toMatchObject([
      { key: 'town.room:1' },
      { key: 'town.room:2' },
      { key: 'town.house:1', action: 'updated', told: false },
    ]);
    await remove(engine, room, { ids: [1], messages: new Map(), single: true }, context);
    expect(await town.sql('select floors from town_house')).toEqual([{ floors: 1 }]);
  });

  test('see what is cascaded away, and may remove', async () => {
    const gone: string[] = [];
    having(room, async (changes) => {
      gone.push(...changes.filter((c) => c.action === 'deleted').map((c) => String(c.before!['name'])));
    });
    having(district, async (changes, { remove: drop, find }) => {
      if (changes.some((c) => c.action === 'deleted'))
        await drop(
          'town.house',
          (await find('town.house', { district: null })).map((h) => h['id'] as number),
        );
    });
    await create(engine, district, [{ name: 'D', slug: 'd' }], true, context);
    await make([{ name: 'A', slug: 'a', district: 1 }]);
    await create(engine, room, [{ house: 1, name: 'r1' }], true, context);
    await remove(engine, district, { ids: [1], messages: new Map(), single: true }, context);
    expect(gone).toEqual(['r1']);
    expect(
      (await records())
        .slice(3)
        .map((r) => `${r.action} ${r.key}`)
        .sort(),
    ).toEqual(['deleted town.district:1', 'deleted town.house:1', 'deleted town.room:1']);
  });

  test('keep the places of a tree', async () => {
    having(house, async (changes, { create: store }) => {
      const [top] = await store('town.district', [{ name: 'top', slug: `top-${changes[0]!.after!['id']}` }]);
      await store('town.district', [{ name: 'below', slug: `below-${changes[0]!.after!['id']}`, parent: top!['id']! }]);
    });
    await make([{ name: 'A', slug: 'a' }]);
    expect(await town.sql('select _path::text as path from town_district order by id')).toEqual([
      { path: '{1}' },
      { path: '{1,2}' },
    ]);
  });

  test('refuse, at the object that is wrong', async () => {
    having(house, async (changes, { refuse }) => {
      const bad = changes.find((c) => c.after?.['name'] === 'bad');
      if (bad) refuse({ name: ['No.'] }, bad);
    });
    await expect(make([{ name: 'bad', slug: 'a' }])).rejects.toMatchObject({ status: 400, body: { name: ['No.'] } });
    await expect(
      make([
        { name: 'A', slug: 'a' },
        { name: 'bad', slug: 'b' },
      ]),
    ).rejects.toMatchObject({ status: 400, body: [{}, { name: ['No.'] }] });
    const {
      ids: [first, second],
    } = await make([
      { name: 'A', slug: 'a' },
      { name: 'B', slug: 'b' },
    ]);
    await expect(
      updateMany(
        engine,
        house,
        [
          { id: second!, name: 'bad' },
          { id: first!, floors: 2 },
        ],
        'patch',
        context,
      ),
    ).rejects.toMatchObject({ body: [{ name: ['No.'] }, {}] });
  });

  test('that would store the same twice are a 400', async () => {
    having(house, async (changes, { create: store }) => {
      await store(
        'town.room',
        changes.flatMap((c) => [1, 2].map(() => ({ house: c.after!['id']!, name: 'same' }))),
      );
    });
    await expect(make([{ name: 'A', slug: 'a' }])).rejects.toMatchObject({
      status: 400,
      body: { __all__: ['Room with this House and Name already exists.'] },
    });
    expect(await town.sql('select 1 from town_house')).toEqual([]);
  });
});

test('objects may be found out inside the transaction', async () => {
  const { ids } = await create(
    engine,
    house,
    {
      given: [{}],
      make: async (client) => [{ name: String((await client.query('select 40 + 2 as n')).rows[0].n), slug: 's' }],
    },
    true,
    context,
  );
  expect(await town.sql('select id::int, name from town_house')).toEqual([{ id: ids[0], name: '42' }]);
  expect(await create(engine, house, { given: [{}], make: async () => [] }, false, context)).toEqual({
    texts: [],
    etag: undefined,
    ids: [],
  });
});

test('changes of one object are one', () => {
  const change = (
    action: Change['action'],
    before: string | null,
    after: string | null,
    more: Partial<Change> = {},
  ): Change => ({
    action,
    model: house,
    before: before ? ['1', before] : null,
    after: after ? ['1', after] : null,
    message: '',
    ...more,
  });
  expect(mergeChanges(change('created', null, 'a'), change('updated', 'a', 'b'))).toEqual(change('created', null, 'b'));
  expect(mergeChanges(change('updated', 'a', 'b', { message: 'why' }), change('updated', 'b', 'c'))).toEqual(
    change('updated', 'a', 'c', { message: 'why' }),
  );
  expect(mergeChanges(change('updated', 'a', 'b'), change('deleted', 'b', null))).toEqual(change('deleted', 'a', null));
  expect(mergeChanges(change('created', null, 'a'), change('deleted', 'a', null))).toBeUndefined();
  expect(
    mergeChanges(change('updated', 'a', 'b', { derived: true }), change('updated', 'b', 'c', { derived: true })),
  ).toEqual(change('updated', 'a', 'c', { derived: true }));
  expect(mergeChanges(change('updated', null, 'b', { derived: true }), change('updated', 'b', 'c'))).toEqual(
    change('updated', 'b', 'c'),
  );
});

describe('what a model says of its writes', () => {
  const limited = user({
    'view town.house': null,
    'add town.house': null,
    'change town.house': null,
    'haunt town.house': [{ name__startswith: 'g' }],
  });
  const body = (name: string) => ({ name, slug: name });
  const by = (who: Requester): WriteContext => ({ ...context, who });
  afterEach(() => {
    delete house.needs;
    delete house.ahead;
  });

  test('an effect may forbid them', async () => {
    having(house, async (_, { requester }) => {
      if (!requester.superuser) throw new Forbidden('Not you.');
    });
    await expect(create(engine, house, [body('a')], true, by(limited))).rejects.toMatchObject({
      status: 403,
      body: { detail: 'Not you.' },
    });
    expect(await town.sql('select 1 from town_house')).toEqual([]);
    await make([body('a')]);
  });

  test('a permission of its own holds on the very objects that take it', async () => {
    house.needs = [
      { action: 'haunt', when: ({ name }, before) => before === null && name !== 'plain', refusal: 'No ghosts.' },
    ];
    const refused = { status: 403, body: { detail: 'No ghosts.' } };
    await create(engine, house, [body('ghost')], true, by(limited));
    await create(engine, house, [body('plain'), body('gnome')], false, by(limited));
    await expect(create(engine, house, [body('elf')], true, by(limited))).rejects.toMatchObject(refused);
    await expect(create(engine, house, [body('goblin'), body('elf')], false, by(limited))).rejects.toMatchObject(
      refused,
    );
    await expect(
      create(engine, house, [body('goblin')], true, by(user({ 'add town.house': null }))),
    ).rejects.toMatchObject(refused);
    await make([body('elf')]);
    expect((await town.sql('select name from town_house order by id')).map(({ name }) => name)).toEqual([
      'ghost',
      'plain',
      'gnome',
      'elf',
    ]);
  });

  test('what takes long is done before the transaction, for each object by itself, and not for whom it would be refused', async () => {
    const done: string[] = [];
    house.ahead = async ({ name }) => {
      done.push(String(name));
      return { comments: `${name}!` };
    };
    const rules = [...house.rules];
    house.rules.push((object, { ahead }) => {
      Object.assign(object, ahead);
      return undefined;
    });
    try {
      await make([body('a'), body('b')]);
      const rows = await town.sql('select id::int as id, name, comments from town_house order by id');
      expect(rows.map(({ comments }) => comments)).toEqual(['a!', 'b!']);
      await updateMany(
        engine,
        house,
        rows.toReversed().map(({ id }) => ({ id, name: `c${id}` })) as never,
        'patch',
        context,
      );
      await updateOne(engine, house, rows[0]!['id'] as number, { name: 'd' }, 'patch', undefined, context);
      expect((await town.sql('select comments from town_house order by id')).map(({ comments }) => comments)).toEqual([
        'd!',
        'c2!',
      ]);
      await expect(create(engine, house, [body('e')], true, by(user({})))).rejects.toMatchObject({ status: 403 });
      await expect(updateOne(engine, house, 1, { name: 'e' }, 'patch', undefined, by(user({})))).rejects.toMatchObject({
        status: 403,
      });
      await expect(create(engine, house, [{ name: 'e' }], true, context)).rejects.toMatchObject({ status: 400 });
      expect(done).toEqual(['a', 'b', 'c2', 'c1', 'd']);
    } finally {
      house.rules.splice(0, house.rules.length, ...rules);
    }
  });
});
