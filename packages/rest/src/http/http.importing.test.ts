import { beforeAll, describe, expect, test } from '@jest/globals';
import { Api } from './http.ts';
import { ask, raw, town } from '../testing/http.ts';
import { user } from '../testing/town.ts';

const CREATED = '2019-05-06T07:08:09.123456Z';
const UPDATED = '2020-05-06T07:08:09Z';
const times = { created: CREATED, last_updated: UPDATED };

let open: Api;
beforeAll(() => {
  const engine = town.engine();
  open = new Api(town.engine({ settings: { ...engine.settings, importApi: true } }));
});

interface Result {
  id: number | null;
  outcome: string;
  notes: Record<string, unknown>;
  errors: Record<string, unknown>;
}
async function bring(path: string, objects: unknown[], more: object = {}): Promise<Result[]> {
  const [status, body] = await ask('POST', `${path}/import/`, { objects, ...more }, { api: open });
  expect([status, body]).toEqual([200, { results: expect.any(Array) }]);
  return body.results as unknown as Result[];
}
const outcomes = (results: Result[]): string => results.map(({ outcome }) => outcome).join();
const events = async (type: string): Promise<Record<string, unknown>[]> =>
  (await town.sql(`select body::jsonb as body from change where key like $1 order by id`, [`${type}:%`])).map(
    ({ body }) => body as Record<string, unknown>,
  );

describe('the import API', () => {
  test('is shut unless the setting opens it, and for all but superusers', async () => {
    const shut = await ask('POST', 'houses/import/', { objects: [] });
    expect(shut).toEqual([403, { detail: expect.stringContaining('IMPORT_API') }]);
    expect(
      (await ask('POST', 'houses/import/', { objects: [] }, { api: open, who: user({ 'add town.house': null }) }))[0],
    ).toBe(403);
    expect(
      (await ask('GET', 'houses/import/', undefined, { api: open, who: user({ 'view town.house': null }) }))[0],
    ).toBe(403);
  });

  test('takes objects with their ids and times; what is equal stays, what differs changes', async () => {
    const house = {
      id: 5001,
      name: 'old',
      slug: 'old',
      floors: 3,
      district: 1,
      tags: [2],
      custom_fields: { code: 'x' },
      ...times,
    };
    expect(await bring('houses', [house])).toEqual([{ id: 5001, outcome: 'created', notes: {}, errors: {} }]);
    const [, stored] = await ask('GET', 'houses/5001/');
    expect(stored).toMatchObject({ id: 5001, name: 'old', created: CREATED, last_updated: UPDATED, floors: 3 });
    expect(outcomes(await bring('houses', [house]))).toBe('unchanged');
    expect(outcomes(await bring('houses', [{ ...house, floors: 4 }]))).toBe('updated');
    expect((await ask('GET', 'houses/5001/'))[1]).toMatchObject({ floors: 4, last_updated: UPDATED, created: CREATED });
    expect(outcomes(await bring('houses', [{ id: 5001, comments: 'a part' }]))).toBe('updated');
    expect((await ask('GET', 'houses/5001/'))[1]).toMatchObject({
      floors: 4,
      comments: 'a part',
      last_updated: UPDATED,
    });
  });

  test('goes on above the highest id', async () => {
    await bring('houses', [{ id: 7000, name: 'high', slug: 'high' }]);
    const [, made] = await ask('POST', 'houses/', { name: 'next', slug: 'next' });
    expect(made['id']).toBeGreaterThan(7000);
  });

  test('marks its events, so that nobody is told', async () => {
    await bring('houses', [{ id: 5010, name: 'quiet', slug: 'quiet' }]);
    const [event] = (await events('town.house')).filter(({ objectId }) => objectId === 5010);
    expect(event).toMatchObject({ action: 'created', imported: true, row: { id: 5010 } });
    expect(await town.sql('select from request_change where id = 5010')).toEqual([]);
  });

  test('notes what rules would refuse, and keeps it', async () => {
    const [result] = await bring('houses', [{ id: 5020, name: 'tower', slug: 'tower', floors: 500 }]);
    expect(result).toMatchObject({ outcome: 'created', notes: { floors: [expect.stringContaining('200')] } });
    expect((await ask('GET', 'houses/5020/'))[1]).toMatchObject({ floors: 500 });
  });

  test('refuses what cannot be stored, and stores the rest', async () => {
    const results = await bring('houses', [
      { id: 5030, name: 'good', slug: 'good' },
      { id: 5031, name: 'h1', slug: 'taken' },
      { id: 5032, name: 'lost', slug: 'lost', district: 999 },
      { id: 5033, name: 'odd', slug: 'odd', floors: 'many' },
      { id: 1, name: 'other', slug: 'other' },
      { id: 5034, name: 'twin', slug: 'twin' },
      { id: 5034, name: 'twin again', slug: 'twin-again' },
      { name: 'nameless' },
    ]);
    expect(outcomes(results)).toBe('created,refused,refused,refused,refused,created,refused,refused');
    expect(results.map(({ errors }) => Object.keys(errors).join())).toEqual([
      '',
      'name',
      'district',
      'floors',
      'id',
      '',
      'id',
      'id',
    ]);
    expect((await ask('GET', 'houses/1/'))[1]).toMatchObject({ name: 'h1' });
  });

  test('knows an object that is there by what no two share', async () => {
    expect(outcomes(await bring('houses', [{ id: 2, name: 'h2', slug: 'h2', floors: 9 }]))).toBe('updated');
    expect((await ask('GET', 'houses/import/?after=0&limit=2', undefined, { api: open }))[1]).toEqual({
      results: [
        { id: 1, imported: false },
        { id: 2, imported: true },
      ],
      next: 2,
    });
  });

  test('stores nothing in a dry run, where what is not there may come later', async () => {
    const results = await bring(
      'rooms',
      [
        { id: 6001, name: 'a', house: 4242 },
        { id: 6002, name: 'b', house: 1, number: 'x' },
      ],
      {
        dry_run: true,
      },
    );
    expect(outcomes(results)).toBe('created,refused');
    expect((await ask('GET', 'rooms/6001/'))[0]).toBe(404);
  });

  test('notes nothing in a dry run that may be right once everything is there', async () => {
    const house = { name: 'later', slug: 'later', custom_fields: { unheard: 1 } };
    const [tried] = await bring('houses', [{ id: 6010, ...house, district: 4242 }], { dry_run: true });
    expect(tried).toMatchObject({ outcome: 'created', notes: {} });
    const [imported] = await bring('houses', [{ id: 6010, ...house }]);
    expect(imported).toMatchObject({ outcome: 'created', notes: { custom_fields: { unheard: expect.any(String) } } });
  });

  test('puts trees together', async () => {
    await bring('districts', [
      { id: 901, name: 'root', slug: 'root' },
      { id: 900, name: 'leaf', slug: 'leaf' },
    ]);
    await bring('districts', [{ id: 900, parent: 901 }]);
    expect((await ask('GET', 'districts/900/'))[1]).toMatchObject({ parent: { id: 901 }, _depth: 1 });
  });

  test('deletes only what it imported', async () => {
    await bring('houses', [{ id: 5040, name: 'gone', slug: 'gone' }]);
    const [status, body] = await ask('DELETE', 'houses/import/', { ids: [5040, 1, 5041] }, { api: open });
    expect([status, (body.results as unknown as Result[]).map(({ outcome }) => outcome)]).toEqual([
      200,
      ['deleted', 'refused', 'refused'],
    ]);
    expect((await ask('GET', 'houses/5040/'))[0]).toBe(404);
    const [last] = (await events('town.house')).filter(({ objectId }) => objectId === 5040).slice(-1);
    expect(last).toMatchObject({ action: 'deleted', imported: true });
  });

  test('deletes many by as many statements as of one, and finds out one by one what stands in the way', async () => {
    const house = (id: number) => ({ id, name: `leaving ${id}`, slug: `leaving-${id}` });
    await bring(
      'houses',
      Array.from({ length: 12 }, (_, i) => house(5100 + i)),
    );
    const gone = async (ids: number[]): Promise<[string, number]> => {
      const before = town.statements();
      const [, body] = await ask('DELETE', 'houses/import/', { ids }, { api: open });
      return [outcomes(body.results as unknown as Result[]), town.statements() - before];
    };
    const [, one] = await gone([5100]);
    const [ended, many] = await gone(Array.from({ length: 9 }, (_, i) => 5101 + i));
    expect([ended, many]).toEqual([Array.from({ length: 9 }, () => 'deleted').join(), one]);
    await bring('notes', [{ id: 5200, text: 'here', landmark: 5110 }]);
    expect((await gone([5110, 5111]))[0]).toBe('refused,deleted');
  });

  test('wants lists, and no more than a request may hold', async () => {
    expect(await ask('POST', 'houses/import/', {}, { api: open })).toEqual([
      400,
      { objects: ['Expected a list of items.'] },
    ]);
    expect(await ask('POST', 'houses/import/', { objects: [], dry_run: 'yes' }, { api: open })).toEqual([
      400,
      { dry_run: ['Must be a valid boolean.'] },
    ]);
    expect(
      (await raw('POST', 'houses/import/', { objects: Array.from({ length: 101 }, () => ({})) }, { api: open })).status,
    ).toBe(413);
    expect((await raw('PUT', 'houses/import/', {}, { api: open })).status).toBe(405);
    expect(await ask('GET', 'houses/import/?after=x', undefined, { api: open })).toEqual([
      400,
      { after: ['A valid integer is required.'] },
    ]);
  });
});
