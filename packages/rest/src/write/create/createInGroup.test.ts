import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Engine } from '../../engine.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { context, room } from '../../testing/town.ts';
import { create } from './create.ts';

let town: Town;

beforeAll(async () => {
  town = await openTown();
  await town.sql(`insert into town_house (id, name, slug) values (1, 'A', 'a')`);
  // The server ends the connection while it commits, and remembers that it was asked to.
  await town.sql('create sequence commits');
  await town.sql(`create function end_connection() returns trigger language plpgsql as $$
    begin perform nextval('commits'); perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
  await town.sql(`create constraint trigger ending after insert on town_room deferrable initially deferred
    for each row when (new.name like 'lost %') execute function end_connection()`);
});
afterAll(async () => {
  await town?.close();
});

const together = (engine: Engine, names: readonly string[]) =>
  Promise.allSettled(names.map((name) => create(engine, room, [{ house: 1, name }], true, context)));

const stored = async (pattern: string) =>
  (await town.sql('select name from town_room where name like $1 order by id', [pattern])).map(({ name }) => name);

test('requests that arrive together have one insert and one commit', async () => {
  const before = town.ran.length;
  const names = ['kept 1', 'kept 2', 'kept 3'];
  const answers = await together(town.engine(), names);
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 'fulfilled'));
  expect(town.ran.slice(before).filter((text) => text === 'commit')).toHaveLength(1);
  expect(await stored('kept %')).toEqual(names);
});

test.each([
  [2, 2],
  [1, 3],
])('no more go together than the setting says: with %i, three take %i commits', async (most, commits) => {
  const before = town.ran.length;
  const names = [1, 2, 3].map((i) => `at most ${most}: ${i}`);
  await together(town.engine({ settings: { ...town.engine().settings, creates: { maxSize: most } } }), names);
  expect(town.ran.slice(before).filter((text) => text === 'commit')).toHaveLength(commits);
  expect((await stored(`at most ${most}: %`)).toSorted()).toEqual(names);
});

test('when nobody knows what became of their commit, each hears of it, and none is stored again', async () => {
  const engine = town.engine();
  const answers = await together(engine, ['lost 1', 'lost 2', 'lost 3']);
  expect(answers).toEqual(
    [1, 2, 3].map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: '57P01' }) })),
  );
  expect(await town.sql('select last_value::int as commits, is_called from commits')).toEqual([
    { commits: 1, is_called: true },
  ]);
  expect(await stored('lost %')).toEqual([]);
  expect((await together(engine, ['found 1', 'found 2'])).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
  ]);
});
