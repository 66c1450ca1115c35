import { describe, expect, test } from '@jest/globals';
import { Api } from './http.ts';
import { peers } from '../testing/database.ts';
import { superuser } from '../testing/town.ts';
import { answerDeletion } from '../write/consequences/asking.ts';
import { Unreachable } from '../peers/peers.ts';
import { town, nobody, answerDependents, REQUEST, raw, ask, names } from '../testing/http.ts';

describe('changing', () => {
  test('changes what is given', async () => {
    expect(await ask('PATCH', 'houses/3/', { floors: 4, tags: [1], comments: ' x ' })).toMatchObject([
      200,
      { name: 'H10', floors: 4, comments: 'x', tags: [{ id: 1 }] },
    ]);
    expect(await ask('PATCH', 'houses/3/', { add_tags: [2], remove_tags: [1] })).toMatchObject([
      200,
      { floors: 4, tags: [{ id: 2 }] },
    ]);
    expect(await ask('PUT', 'houses/3/', { name: 'H10', slug: 'h10', tags: [] })).toMatchObject([200, { tags: [] }]);
    expect(await ask('PUT', 'houses/3/', { name: 'H10' })).toEqual([400, { slug: ['This field is required.'] }]);
    expect(await ask('PATCH', 'houses/3/', { floors: null })).toMatchObject([200, { floors: null }]);
    expect(await ask('PATCH', 'houses/3/', { add_tags: [1], remove_tags: [1] })).toEqual([
      400,
      { remove_tags: ['Tags may not be present in both "add_tags" and "remove_tags": 1'] },
    ]);
  });
  test('only what the client has seen, if it asks for that', async () => {
    const etag = (await raw('GET', 'houses/3/')).headers['ETag']!;
    const changed = await raw('PATCH', 'houses/3/', { comments: 'seen' }, { headers: { 'if-match': `"x", ${etag}` } });
    expect(changed.status).toBe(200);
    const stale = await raw('PATCH', 'houses/3/', { comments: 'unseen' }, { headers: { 'if-match': etag } });
    expect([stale.status, stale.headers['ETag'], JSON.parse(stale.body)]).toEqual([
      412,
      changed.headers['ETag'],
      { detail: 'Precondition failed.' },
    ]);
    expect((await ask('DELETE', 'houses/3/', undefined, { headers: { 'if-match': etag } }))[0]).toBe(412);
    expect((await raw('PATCH', 'houses/3/', { comments: '' }, { headers: { 'if-match': '*' } })).status).toBe(200);
  });
  test('many: all or none', async () => {
    expect(
      await ask('PATCH', 'houses/', [
        { id: 2, floors: 6 },
        { id: 1, floors: 3 },
      ]),
    ).toMatchObject([
      200,
      [
        { id: 2, floors: 6 },
        { id: 1, floors: 3 },
      ],
    ]);
    expect(
      await ask('PATCH', 'houses/', [
        { id: 1, floors: 9 },
        { id: 2, status: 'nope' },
      ]),
    ).toEqual([400, [{}, { status: ['nope is not a valid choice.'] }]]);
    expect(await ask('PATCH', 'houses/', [{ id: 1, floors: 9 }, { id: 99 }])).toEqual([
      400,
      { id: ['No House with id 99 exists, or you may not touch it.'] },
    ]);
    expect(await ask('PATCH', 'houses/', [{ floors: 9 }])).toEqual([400, [{ id: ['This field is required.'] }]]);
    expect(await ask('PATCH', 'houses/', [{ id: 1 }, { id: 1 }])).toEqual([
      400,
      [{}, { id: ['Object 1 is named more than once.'] }],
    ]);
    expect(await ask('PATCH', 'houses/', { id: 1 })).toEqual([
      400,
      { non_field_errors: ['Expected a list of items but got type "dict".'] },
    ]);
    expect((await ask('GET', 'houses/1/?fields=floors'))[1]).toEqual({ floors: 3 });
    await ask('PATCH', 'houses/', [
      { id: 1, floors: 2 },
      { id: 2, floors: 5 },
    ]);
  });
  test('may write the other end of a relation', async () => {
    const [, made] = await ask('POST', 'notes/', [{ text: 'one', seen: [2] }, { text: 'two' }]);
    const [one, two] = (made as unknown as { id: number }[]).map((n) => n.id);
    expect((await ask('PATCH', 'houses/1/', { seen_in: [one, two] }))[1]).toMatchObject({
      // The newest first, as in lists of notes.
      seen_in: [{ id: two }, { id: one }],
    });
    expect((await ask('PATCH', 'houses/1/', { seen_in: [{ text: 'two' }] }))[1]).toMatchObject({
      seen_in: [{ id: two }],
    });
    expect((await ask('GET', `notes/${one}/?fields=seen`))[1]).toMatchObject({ seen: [{ name: 'h2' }] });
    expect((await ask('GET', `notes/${two}/?fields=seen`))[1]).toMatchObject({ seen: [{ name: 'h1' }] });
    const changes = await town.sql(
      `select key, body::jsonb -> 'prechange' -> 'seen' as before, body::jsonb -> 'postchange' -> 'seen' as after from change where key like 'town.note:%' order by id desc limit 1`,
    );
    expect(changes).toEqual([{ key: `town.note:${one}`, before: [1, 2], after: [2] }]);
    expect(await ask('PATCH', 'houses/1/', { seen_in: [999] })).toEqual([
      400,
      { seen_in: ['Related object not found using the provided numeric ID: 999'] },
    ]);
    expect((await ask('DELETE', 'notes/', [{ id: one }, { id: two }]))[0]).toBe(204);
  });
  test('a tree moves whole branches, and never below themselves', async () => {
    expect(await ask('PATCH', 'districts/1/', { parent: 3 })).toEqual([
      400,
      { parent: ['Cannot assign self or child district as parent.'] },
    ]);
    expect(await ask('PATCH', 'districts/1/', { parent: 2 })).toMatchObject([200, { _depth: 1 }]);
    expect((await ask('GET', 'districts/3/'))[1]).toMatchObject({ _depth: 2 });
    expect(await names('district=south')).toBe('h1,h2');
    expect((await ask('GET', 'districts/2/?fields=house_count'))[1]).toEqual({ house_count: 2 });
    await ask('PATCH', 'districts/1/', { parent: null });
    expect(await names('district=south')).toBe('');
  });
});

describe('what happened', () => {
  test('is recorded with what was and what is', async () => {
    await ask(
      'PATCH',
      'houses/3/',
      { floors: 8, changelog_message: 'grown' },
      { id: '019a0000-0000-7000-8000-0000000000aa' },
    );
    const [last] = await town.sql('select body, key from change order by id desc limit 1');
    const event = JSON.parse(last!['body'] as string) as Record<string, unknown>;
    expect(last!['key']).toBe('town.house:3');
    expect(event).toMatchObject({
      action: 'updated',
      objectType: 'town.house',
      objectId: 3,
      display: 'H10 [h10]',
      message: 'grown',
      request: {
        id: '019a0000-0000-7000-8000-0000000000aa',
        method: 'PATCH',
        path: '/api/town/houses/3/',
        user: 'root',
        userId: 1,
      },
      data: { floors: 8, url: '/api/town/houses/3/' },
      prechange: { floors: null },
      postchange: { floors: 8 },
      row: { floors: 8, id: 3 },
    });
    for (const part of ['data', 'prechange', 'postchange', 'row']) expect(event[part]).not.toHaveProperty('key');
    expect(await names('updated_by_request=019a0000-0000-7000-8000-0000000000aa')).toBe('H10');
    await ask('PATCH', 'houses/3/', { floors: null });
  });
  test('is known to another process before it answers', async () => {
    const other = new Api(town.engine());
    const name = async () =>
      (await ask('GET', 'rooms/1/', undefined, { api: other }))[1] as unknown as { house: { name: string } };
    await name();
    for (const changed of ['h1 a', 'h1 b', 'h1']) {
      await ask('PATCH', 'houses/1/', { name: changed });
      expect((await name()).house.name).toBe(changed);
    }
    const count = async () => (await ask('GET', 'rooms/', undefined, { api: other }))[1].count;
    const before = await count();
    const [, { id }] = await ask('POST', 'rooms/', { name: 'more', house: 1 });
    expect(await count()).toBe(before + 1);
    await ask('DELETE', `rooms/${id as unknown as number}/`);
    expect(await count()).toBe(before);
  });
});

describe('deleting', () => {
  test('takes what belongs to an object with it, and empties what referred to it', async () => {
    const [, { id: house }] = await ask('POST', 'houses/', { name: 'gone', slug: 'gone', district: { slug: 'south' } });
    await ask('POST', 'rooms/', { name: 'in it', house });
    expect((await ask('DELETE', `houses/${house as unknown as number}/`, { changelog_message: 'burnt' }))[0]).toBe(204);
    expect(
      await town.sql(
        `select key, body::jsonb ->> 'action' as action, body::jsonb ->> 'message' as message from change order by id desc limit 2`,
      ),
    ).toEqual(
      expect.arrayContaining([
        { key: `town.house:${house as unknown as number}`, action: 'deleted', message: 'burnt' },
        expect.objectContaining({ key: expect.stringMatching(/^town.room:/), action: 'deleted' }),
      ]),
    );
    const [, { id: district }] = await ask('POST', 'districts/', { name: 'Old', slug: 'old' });
    await ask('PATCH', 'houses/3/', { district });
    expect((await ask('DELETE', `districts/${district as unknown as number}/`))[0]).toBe(204);
    expect((await ask('GET', 'houses/3/?fields=district'))[1]).toEqual({ district: null });
  });
  test('many: all or none', async () => {
    const [, made] = await ask('POST', 'rooms/', [
      { name: 'd1', house: 1 },
      { name: 'd2', house: 1 },
    ]);
    const ids = (made as unknown as { id: number }[]).map(({ id }) => ({ id }));
    expect((await ask('DELETE', 'rooms/', [...ids, { id: 999 }]))[0]).toBe(400);
    expect((await ask('GET', `rooms/${ids[0]!.id}/`))[0]).toBe(200);
    expect((await ask('DELETE', 'rooms/', ids))[0]).toBe(204);
    expect((await ask('GET', `rooms/${ids[0]!.id}/`))[0]).toBe(404);
    expect((await ask('DELETE', 'rooms/'))[1]).toEqual({
      non_field_errors: ['Expected a list of items but got type "dict".'],
    });
  });
  test('is refused while something depends on an object, here or elsewhere', async () => {
    const [, { id }] = await ask('POST', 'houses/', { name: 'held', slug: 'held' });
    const house = `houses/${id as unknown as number}/`;
    const [, { id: note }] = await ask('POST', 'notes/', {
      text: 'by the',
      about_type: 'town.house',
      about_id: id,
      landmark: id,
    });
    expect(await ask('DELETE', house)).toEqual([
      409,
      { detail: `Unable to delete object. 1 dependent objects were found: town.house (${note as unknown as number})` },
    ]);
    expect((await ask('DELETE', `notes/${note as unknown as number}/`))[0]).toBe(204);
    answerDependents(async () => ({ count: 2, names: ['Chess (1)', 'Go (2)'] }));
    try {
      expect(await ask('DELETE', house)).toEqual([
        409,
        { detail: 'Unable to delete object. 2 dependent objects were found: Chess (1), Go (2)' },
      ]);
    } finally {
      answerDependents(nobody);
    }
    answerDependents(async () => {
      throw new Unreachable('people', new Error('down'));
    });
    try {
      expect((await raw('DELETE', house)).status).toBe(503);
    } finally {
      answerDependents(nobody);
    }
    // A refused deletion leaves no marks behind.
    expect(await town.sql('select 1 from deletion_mark')).toEqual([]);
    expect((await ask('DELETE', house))[0]).toBe(204);
  });
  test('nothing is not possible', async () => {
    expect((await ask('DELETE', 'rooms/999/'))[0]).toBe(404);
  });
});

test("objects that protect another service's from deletion are counted and named, and no others", async () => {
  await ask('PATCH', 'houses/1/', { keeper: 1 });
  expect(await answerDeletion(town.engine(), 'people.person', [1, 2], REQUEST, superuser)).toEqual({
    count: 3,
    names: ['h1 [h1] (1)', 'h2 [h2] (2)', 'r1 (3)'],
  });
  expect(await answerDeletion(town.engine(), 'people.club', [1], REQUEST, superuser)).toEqual({
    count: 0,
    names: [],
    cascaded: [],
  });
});

test('a service that cannot be asked is an answer, and nothing is changed', async () => {
  const unreachable = new Api(
    town.engine({
      peers: {
        ...peers,
        resolve: async () => {
          throw new Unreachable('people', new Error('down'));
        },
      },
    }),
  );
  const answer = await raw('PATCH', 'houses/1/', { keeper: { slug: 'cid' }, floors: 99 }, { api: unreachable });
  expect([answer.status, answer.headers['Retry-After'], JSON.parse(answer.body)]).toEqual([
    503,
    '1',
    { detail: 'The people service cannot be reached. Nothing was changed.' },
  ]);
  expect((await ask('GET', 'houses/1/?fields=floors'))[1]).toEqual({ floors: 2 });
});
