import { describe, expect, test } from '@jest/globals';
import type { Body, Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn } from '../../support/pages/visitor.ts';

const used = useSystem();
const tokens = '/api/users/tokens/';
const users = '/api/users/users/';
const password = 'Correct-Horse-9';

const clientOf = ({ key, token }: Body): Client => used.admin.as(`Bearer svc_${key}.${token}`);
const adminId = async (): Promise<number> => (await used.admin.read(`${users}?username=admin`)).results[0].id;

describe('all tokens of a user', () => {
  test('are revoked at once, and none can be enabled again', async () => {
    const { id } = await userWith(used.admin);
    const made = await Promise.all([1, 2, 3].map(() => used.admin.make(tokens, { user: id })));
    for (const one of made) expect((await clientOf(one).get(`${tokens}?limit=1`)).status).toBe(200);
    const path = `${users}${id}/revoke-tokens/`;
    const message = 'The laptop was stolen.';
    // Including the token that userWith makes.
    expect(await used.admin.post(path, { changelog_message: message })).toMatchObject({
      status: 200,
      body: { count: 4 },
    });
    for (const one of made) expect((await clientOf(one).get(`${tokens}?limit=1`)).status).toBe(403);
    expect(await used.admin.post(path, {})).toMatchObject({ status: 200, body: { count: 0 } });
    const records = await used.admin.read(
      `/api/core/object-changes/?changed_object_type=users.token&changed_object_id=${made[0]!.id}&action=delete`,
    );
    expect(records.results).toMatchObject([{ message }]);
  });

  test('are revoked by those who may delete each of them, the user among these', async () => {
    const [mine, other] = [await userWith(used.admin), await userWith(used.admin)];
    const path = (id: number): string => `${users}${id}/revoke-tokens/`;
    expect((await mine.client.post(path(other.id), {})).status).toBe(403);
    // Users may do this to their own account, without any permission on users.
    expect(await other.client.post(path(other.id), {})).toMatchObject({ status: 200, body: { count: 1 } });
    await used.admin.make(tokens, { user: other.id });
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['users.user'],
      actions: ['view'],
      users: [mine.id],
    });
    await eventually(async () => {
      const refused = await mine.client.post(path(other.id), {});
      expect([refused.status, refused.body]).toEqual([
        403,
        { detail: 'You may not delete all tokens of this user. None was deleted.' },
      ]);
    });
    expect((await mine.client.post(path(await adminId()), {})).status).toBe(403);
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['users.token'],
      actions: ['delete'],
      users: [mine.id],
    });
    await eventually(async () =>
      expect(await mine.client.post(path(other.id), {})).toMatchObject({ status: 200, body: { count: 1 } }),
    );
    const superuser = await mine.client.post(path(await adminId()), {});
    expect([superuser.status, superuser.body.detail]).toEqual([403, expect.stringContaining('superusers')]);
    expect(await mine.client.post(path(mine.id), {})).toMatchObject({ status: 200, body: { count: 1 } });
    expect((await mine.client.get(`${tokens}?limit=1`)).status).toBe(403);
    for (const id of ['999999999', 'x'])
      expect((await used.admin.post(`${users}${id}/revoke-tokens/`, {})).status).toBe(404);
  });
});

describe('an account without a password', () => {
  test('is used by its tokens alone, until it has one again', async () => {
    const username = unique('machine');
    const { id } = await used.admin.make(users, { username, password });
    const path = `${users}${id}/password/`;
    const session = await logIn(used.system.base, username, password);
    expect([session.status, (await used.admin.read(path)).usable]).toEqual([303, true]);
    const token = await used.admin.make(tokens, { user: id });
    expect((await used.admin.delete(path)).status).toBe(204);
    expect(await used.admin.read(path)).toEqual({ usable: false });
    expect((await clientOf(token).get(`${tokens}?limit=1`)).status).toBe(200);
    const provision = (word: string) =>
      used.admin.as().post('/api/users/tokens/provision/', { username, password: word });
    for (const word of [password, '!', '********']) {
      expect((await provision(word)).status).toBe(403);
      expect((await logIn(used.system.base, username, word)).status).toBe(403);
    }
    // Sessions that had begun end with it.
    expect((await session.get('/user/profile/')).status).toBe(303);
    // Nor can the token set one: that takes the current password, which the account does not have.
    expect(
      await clientOf(token).post('/api/users/password/', { current_password: '!', password: 'Another-Horse-10' }),
    ).toMatchObject({ status: 400, body: { non_field_errors: [expect.stringContaining('not kept here')] } });
    const changes = await used.admin.get(
      `/api/core/object-changes/?changed_object_type=users.user&changed_object_id=${id}&action=update`,
    );
    expect(changes.body.results).toMatchObject([{ message: 'The password was taken away.' }]);
    expect(changes.text).not.toContain('argon2');
    expect((await used.admin.delete(path)).status).toBe(204);
    await used.admin.patch(`${users}${id}/`, { password: 'Another-Horse-10' });
    expect((await provision('Another-Horse-10')).status).toBe(201);
  });

  test('is made so by those who may change it, but not by itself, nor a superuser by others', async () => {
    const [mine, other] = [await userWith(used.admin), await userWith(used.admin)];
    const path = (id: number): string => `${users}${id}/password/`;
    expect([(await mine.client.delete(path(other.id))).status, (await mine.client.get(path(other.id))).status]).toEqual(
      [403, 403],
    );
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['users.user'],
      actions: ['view', 'change'],
      users: [mine.id],
    });
    await eventually(async () => expect((await mine.client.delete(path(other.id))).status).toBe(204));
    const own = await mine.client.delete(path(mine.id));
    expect([own.status, own.body.detail]).toEqual([403, 'Nobody can take the own password away.']);
    expect((await mine.client.delete(path(await adminId()))).status).toBe(403);
    expect(await used.admin.read(path(await adminId()))).toEqual({ usable: true });
  });
});
