import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Engine } from '../../engine.ts';
import { objectSnapshots } from '../../templates/objectSnapshots.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { gate, superuser } from '../../testing/town.ts';
import { create } from '../create/create.ts';
import { remove } from '../remove/remove.ts';
import type { WriteContext } from '../context/context.ts';
import { updateOne } from '../update/update.ts';

let town: Town;
let engine: Engine;
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: '019a0000-0000-7000-8000-0000000000cc', method: 'POST', path: '/', user: 'root', userId: 1 },
};

beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
  await town.sql(`insert into replica.people_person (id, _version, name, slug) values (1, 1, 'Ann', 'ann')`);
});
afterAll(async () => {
  await town?.close();
});

const patch = (body: object) => updateOne(engine, gate, 1, body as never, 'patch', undefined, context);

/** What the last record of the gate says of its lists. */
async function lists() {
  const [last] = await town.sql(
    `select body::jsonb -> 'prechange' as before, body::jsonb -> 'postchange' as after from change where key = 'town.gate:1' order by id desc limit 1`,
  );
  const { before, after } = last as { before: Record<string, unknown> | null; after: Record<string, unknown> | null };
  return [before, after].map((one) => one && [one['left'], one['right']]);
}

const ann = { position: 2, made_by: 1 };
const nobody = { position: 1, made_by: null };

test('snapshots hold the lists that are part of an object, as they were and as they are', async () => {
  await create(
    engine,
    gate,
    [{ name: 'East', left: [ann, { position: 1 }], right: [{ position: 1 }] } as never],
    true,
    {
      ...context,
    },
  );
  expect(await lists()).toEqual([null, [[nobody, ann], [{ position: 1 }]]]);
  await patch({ left: [{ position: 3 }, ann] });
  expect(await lists()).toEqual([
    [[nobody, ann], [{ position: 1 }]],
    [[ann, { position: 3, made_by: null }], [{ position: 1 }]],
  ]);
  // Also where they stay as they are.
  await patch({ name: 'West' });
  const now = [[ann, { position: 3, made_by: null }], [{ position: 1 }]];
  expect(await lists()).toEqual([now, now]);
  const [picture] = await objectSnapshots(engine, gate, [1], superuser);
  expect(JSON.parse(picture!.snapshot)).toMatchObject({ left: now[0], right: now[1] });
  await remove(engine, gate, { ids: [1], messages: new Map(), single: true }, context);
  expect(await lists()).toEqual([now, null]);
});
