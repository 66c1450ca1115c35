import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsOf } from '../sql.ts';
import { list } from '../../read/list/list.ts';
import { parseQuery } from '../../read/query/query.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { house, superuser } from '../../testing/town.ts';
import { cancellable } from './cancellable.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const sleeping = () =>
  town.sql(`select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`);

test('the statement under way is cancelled when nobody waits for it any more, and the connection is of use again', async () => {
  const leaving = new AbortController();
  const work = cancellable(town.pool, { gone: leaving.signal }, (client) =>
    rowsOf(client, { text: 'select pg_sleep(60)', values: [] }),
  );
  while (!(await sleeping()).length)
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  leaving.abort();
  await expect(work).rejects.toMatchObject({ status: 499 });
  expect(await sleeping()).toEqual([]);
  expect(
    await cancellable(town.pool, {}, async (client) => (await rowsOf(client, { text: 'select 1', values: [] }))[0]),
  ).toEqual(['1']);
  await expect(cancellable(town.pool, { gone: leaving.signal }, async () => 1)).rejects.toMatchObject({ status: 499 });
});

test('a time of its own holds for the transaction and no longer', async () => {
  await expect(
    cancellable(town.pool, { ms: 50 }, (client) => rowsOf(client, { text: 'select pg_sleep(60)', values: [] })),
  ).rejects.toMatchObject({ code: '57014' });
  expect(
    await cancellable(
      town.pool,
      { ms: 50 },
      async (client) => (await rowsOf(client, { text: 'show statement_timeout', values: [] }))[0],
    ),
  ).toEqual(['50ms']);
  expect(await town.sql('show statement_timeout')).toEqual([{ statement_timeout: '0' }]);
});

test('a list with a regular expression has its turn and its time, and the answer names the filter', async () => {
  await town.sql(`insert into town_house (id, name, slug) values (1, 'h', 'h')`);
  const usual = town.engine().settings;
  const engine = town.engine({ settings: { ...usual, regex: { timeoutMs: 1000, waiting: 0 } } });
  const ask = (text: string) =>
    list(engine, house, parseQuery(`name__regex=${encodeURIComponent(text)}`, engine.settings), superuser, {
      base: '',
      path: '/',
    });
  const first = ask(String.raw`(\w?\d?\s?){240}x`).catch((error: unknown) => error);
  // Either of two that are sent at once may get its turn first.
  while (!engine.limiters.regexes.running)
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  await expect(ask('h')).rejects.toMatchObject({ status: 503 });
  expect(await first).toMatchObject({
    status: 400,
    body: {
      name__regex: ['The comparison took more than 1000 ms. Use a simpler regular expression, or further filters.'],
    },
  });
  expect(JSON.parse(await ask('h'))).toMatchObject({ count: 1 });
});
