import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { explore } from '@cadastre/templates/render';
import type { Models } from '@cadastre/templates';
import type { Render } from './engine.ts';
import type { Requester } from '../core/requester.ts';
import { openTown, type Town } from '../testing/database.ts';
import { superuser } from '../testing/town.ts';
import type { RemoteObjects } from './remoteObjects.ts';
import { rendered } from './render.ts';

let town: Town;
const asked: unknown[] = [];
let rounds = 0;
const render: Render = async (template, context, _, models) => {
  rounds += 1;
  expect(JSON.parse(models)).toHaveProperty('maxWants');
  return explore({ kind: 'explore', template, context, models, maxOutput: 10_000 });
};
/** The service that keeps people: everybody has a biography, and nobody refers to anything. */
const neighbours: RemoteObjects = {
  show: async (service, type, ids) => {
    asked.push([service, type, ids]);
    return ids.map((id) => ({
      id,
      version: 1,
      display: `p${id}`,
      data: JSON.stringify({ id, display: `p${id}`, biography: `of ${id}` }),
      snapshot: '{}',
    }));
  },
  related: async (service, { type, field, ids }) => {
    asked.push([service, type, field, ids]);
    return { pairs: [], objects: [] };
  },
};

beforeAll(async () => {
  town = await openTown();
  await town.sql(`insert into town_house (name, slug) select 'house ' || i, 'h' || i from generate_series(1, 30) i`);
  await town.sql(
    `insert into replica.people_person (id, name, slug) select i, 'p' || i, 'p' || i from generate_series(101, 130) i`,
  );
  await town.sql(
    `insert into town_room (house_id, name, owner_id) select h.id, 'room ' || i, h.id + 100 from town_house h cross join generate_series(1, 3) i`,
  );
});
afterAll(async () => {
  await town?.close();
});

const houses = (count: number) =>
  JSON.stringify({
    queryset: Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      name: `house ${i + 1}`,
      display: `house ${i + 1}`,
      slug: `h${i + 1}`,
      room_count: 3,
    })),
  });
const make = async (
  template: string,
  count: number,
  settings: object = {},
  who: Requester = superuser,
): Promise<{ text: string; statements: number }> => {
  const usual = town.engine().settings;
  const engine = town.engine({ render, neighbours, settings: { ...usual, ...settings } });
  asked.length = 0;
  rounds = 0;
  const before = town.statements();
  const text = await rendered(
    engine,
    {
      template,
      context: houses(count),
      environment: null,
      roots: { queryset: { type: 'town.house', many: true } },
      what: 'export template',
    },
    who,
  );
  return { text, statements: town.statements() - before };
};
const refused = async (template: string, settings: object = {}): Promise<unknown> =>
  make(template, 3, settings).then(
    ({ text }) => text,
    ({ body }: { body: unknown }) => body,
  );

const ROOMS =
  '{% for h in queryset %}{{ h.slug }}:{% for r in h.room_set.all() %}{{ r.name }} {{ r.owner.biography }}, {% endfor %};{% endfor %}';

test('what refers to objects is loaded for all of them at once, wherever it is', async () => {
  const one = await make(ROOMS, 1);
  const many = await make(ROOMS, 30);
  expect(one.text).toBe('h1:room 1 of 101, room 2 of 101, room 3 of 101, ;');
  expect(many.text.match(/room 2 of \d+/g)).toHaveLength(30);
  expect(many.statements).toBe(one.statements);
  expect(rounds).toBe(3);
});

test('other services are asked once for all objects of a type', async () => {
  await make(ROOMS, 30);
  expect(asked).toEqual([['people', 'people.person', Array.from({ length: 30 }, (_, i) => i + 101)]]);
});

test('only what the requester may view is loaded', async () => {
  const who: Requester = {
    userId: 7,
    username: 'x',
    grants: { superuser: false, userId: 7, byAction: new Map([['view town.room', [{ name: 'room 2' }]]]) },
  };
  expect(
    (
      await make(
        '{% for h in queryset %}{{ h.room_set.all() | map(attribute="name") | join("+") }} {% endfor %}',
        2,
        {},
        who,
      )
    ).text,
  ).toBe('room 2 room 2 ');
  const nobody: Requester = { ...who, grants: { ...who.grants, byAction: new Map() } };
  expect((await make('{{ queryset.first().room_set.count() }}', 2, {}, nobody)).text).toBe('0');
});

test('a template is given no more objects than the setting allows', async () => {
  expect((await make(ROOMS, 3, { maxRelatedObjects: 12 })).text).toContain('room 3 of 103');
  expect(await refused(ROOMS, { maxRelatedObjects: 11 })).toEqual({
    detail:
      'The export template could not be rendered: it asks for more than 11 related objects (TEMPLATE_MAX_RELATED).',
  });
  expect(await refused('{{ queryset.first().room_set.count() }}', { maxRelatedObjects: 2 })).toEqual({
    detail: expect.stringContaining('more than 2 related objects'),
  });
});

test('a template that goes on and on is stopped', async () => {
  const engine = town.engine({ render: async () => ({ wants: [['type', 'town.house']] }), neighbours });
  await expect(
    rendered(engine, { template: '', context: '{}', environment: null, roots: {}, what: 'config template' }, superuser),
  ).rejects.toMatchObject({
    status: 400,
    body: { detail: 'The config template could not be rendered: it goes on from object to object more than 20 times.' },
  });
});

test('wants that make no sense are left alone', async () => {
  const wants = [
    ['object', 'no.type', 1],
    ['list', 'town.house', 1, 'no_such'],
    ['object', 'town.house', '1; drop table town_house' as unknown as number],
  ] as const;
  let turn = 0;
  const engine = town.engine({
    neighbours,
    render: async (_t, _c, _e, models) =>
      turn++ ? { text: Object.keys((JSON.parse(models) as Models).objects).join() } : { wants: [...wants] },
  });
  expect(
    await rendered(
      engine,
      { template: '', context: '{}', environment: null, roots: {}, what: 'config template' },
      superuser,
    ),
  ).toBe('no.type 1');
});
