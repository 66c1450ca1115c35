import { describe, expect, test } from '@jest/globals';
import type { Body, Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const tokens = '/api/users/tokens/';
const DAY_MS = 86_400_000;

const clientOf = (token: Body): Client =>
  used.admin.as(token.version === 1 ? `Token ${token.token}` : `Bearer svc_${token.key}.${token.token}`);
const statusOf = async (token: Body): Promise<number> => (await clientOf(token).get(`${tokens}?limit=1`)).status;
const secondsLeft = ({ expires }: Body): number => (Date.parse(expires) - Date.now()) / 1000;
const recordsOf = async (id: number): Promise<Body[]> =>
  (
    await used.admin.read(
      `/api/core/object-changes/?changed_object_type=users.token&changed_object_id=${id}&ordering=time`,
    )
  ).results;

describe('rotation', () => {
  test('makes a token like the old one, which goes on for the usual time', async () => {
    const { id: user } = await userWith(used.admin);
    const asked = {
      user,
      description: unique('backup'),
      write_enabled: false,
      allowed_ips: ['127.0.0.0/8', '::1/128'],
    };
    const old = await used.admin.make(tokens, asked);
    const { status, body: next } = await used.admin.post(`${tokens}${old.id}/rotate/`, {});
    expect(status).toBe(201);
    expect(next).toMatchObject({
      ...asked,
      user: { id: user },
      version: 2,
      enabled: true,
      expires: null,
      token: expect.stringMatching(/^\w{40}$/),
    });
    expect([next.id === old.id, next.key === old.key, next.token === old.token]).toEqual([false, false, false]);
    expect(await Promise.all([old, next].map(statusOf))).toEqual([200, 200]);
    const left = secondsLeft(await used.admin.read(`${tokens}${old.id}/`));
    expect([left > 86_000, left <= 86_400]).toEqual([true, true]);
    expect((await used.admin.read(`${tokens}${next.id}/`)).token).toBeNull();
    expect((await used.admin.read(`${tokens}${old.id}/use/`)).rotated).toMatch(/Z$/);
    // What happened to both is recorded, without any secret.
    const [before, after] = await Promise.all([recordsOf(old.id), recordsOf(next.id)]);
    expect(before.at(-1)).toMatchObject({
      action: { value: 'update' },
      message: expect.stringContaining('86400 seconds'),
    });
    expect(after).toMatchObject([{ action: { value: 'create' }, message: `Takes the place of ${old.display}.` }]);
    expect(before.at(-1)!.request_id).toBe(after[0]!.request_id);
    expect(JSON.stringify([before, after])).not.toContain(next.token);
    const events = async (about: number): Promise<Body[]> =>
      used.admin.column(`/api/core/security-events/?kind=token_changed&object_id=${about}&ordering=time`, 'detail');
    expect([(await events(old.id)).at(-1), await events(next.id)]).toEqual([
      `token ${old.display} rotated`,
      [expect.stringContaining('created')],
    ]);
  });

  test('ends the old one when it was asked to, at once if need be, and never later than it would have', async () => {
    const { id: user } = await userWith(used.admin);
    const one = await used.admin.make(tokens, { user, version: 1 });
    const next = await used.admin.post(`${tokens}${one.id}/rotate/`, { valid_seconds: 0 });
    expect([next.status, next.body.version]).toEqual([201, 1]);
    expect(await Promise.all([one, next.body].map(statusOf))).toEqual([403, 200]);

    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const two = await used.admin.make(tokens, { user, expires: soon });
    const { body } = await used.admin.post(`${tokens}${two.id}/rotate/`, { valid_seconds: 7_200 });
    expect(Date.parse((await used.admin.read(`${tokens}${two.id}/`)).expires)).toBe(Date.parse(soon));
    // It expires when the old one was to expire.
    expect(Math.abs(secondsLeft(body) - 3_600)).toBeLessThan(60);
    const until = new Date(Date.now() + 10 * DAY_MS).toISOString();
    const three = await used.admin.post(`${tokens}${body.id}/rotate/`, { expires: until });
    expect(Date.parse(three.body.expires)).toBe(Date.parse(until));
  });

  test('is done as a whole or not at all', async () => {
    const { id: user } = await userWith(used.admin);
    const token = await used.admin.make(tokens, { user });
    const path = `${tokens}${token.id}/rotate/`;
    const count = async () => (await used.admin.read(`${tokens}?user_id=${user}`)).count;
    const before = await count();
    for (const [body, error] of [
      [{ valid_seconds: -1 }, { valid_seconds: ['Ensure this value is between 0 and 604800.'] }],
      [{ valid_seconds: 604_801 }, { valid_seconds: ['Ensure this value is between 0 and 604800.'] }],
      [{ valid_seconds: 1.5 }, { valid_seconds: ['A valid integer is required.'] }],
      [{ valid_seconds: '9' }, { valid_seconds: ['A valid integer is required.'] }],
      [{ valid_seconds: null }, { valid_seconds: ['A valid integer is required.'] }],
      [{ user: 1 }, { user: ['Unknown field.'] }],
      [{ expires: '2020-01-01T00:00:00Z' }, { expires: [expect.stringContaining('must be in the future')] }],
      [{ expires: 'soon' }, { expires: [expect.any(String)] }],
      [[], { non_field_errors: [expect.any(String)] }],
    ] as const)
      expect([body, await used.admin.post(path, body)]).toMatchObject([body, { status: 400, body: error }]);
    expect([(await used.admin.read(`${tokens}${token.id}/`)).expires, await count()]).toEqual([null, before]);
    await used.admin.patch(`${tokens}${token.id}/`, { enabled: false });
    expect((await used.admin.post(path, {})).status).toBe(400);
    for (const id of ['999999999', 'x', '0'])
      expect((await used.admin.post(`${tokens}${id}/rotate/`, {})).status).toBe(404);
    expect((await used.admin.get(path)).status).toBe(405);
    expect((await used.admin.as().post(path, {})).status).toBe(403);
  });

  test('is for those who may make such a token and change the old one', async () => {
    const [mine, other] = [await userWith(used.admin), await userWith(used.admin)];
    const own = await mine.client.make(tokens, { user: mine.id });
    expect((await mine.client.post(`${tokens}${own.id}/rotate/`, {})).status).toBe(201);
    const theirs = await used.admin.make(tokens, { user: other.id });
    const rotate = () => mine.client.post(`${tokens}${theirs.id}/rotate/`, {});
    expect((await rotate()).status).toBe(404);
    const give = (actions: string[]) =>
      used.admin.make('/api/users/permissions/', {
        name: unique('p'),
        object_types: ['users.token'],
        actions,
        users: [mine.id],
      });
    await give(['view', 'change']);
    await eventually(async () => expect((await rotate()).status).toBe(403));
    expect((await used.admin.read(`${tokens}${theirs.id}/`)).expires).toBeNull();
    await give(['add', 'grant']);
    await eventually(async () => expect((await rotate()).status).toBe(201));
    // Only superusers may rotate tokens of superusers.
    const [admin] = (await used.admin.read('/api/users/users/?username=admin')).results;
    const high = await used.admin.make(tokens, { user: admin.id });
    const refused = await mine.client.post(`${tokens}${high.id}/rotate/`, {});
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('superusers')]);
    expect((await used.admin.read(`${tokens}${high.id}/`)).expires).toBeNull();
    await used.admin.delete(`${tokens}${high.id}/`);
  });
});

test('a token shows when and from where it was last used', async () => {
  const { client, id: user } = await userWith(used.admin);
  const token = await used.admin.make(tokens, { user });
  const path = `${tokens}${token.id}/use/`;
  expect(await client.read(path)).toEqual({
    last_used: null,
    last_address: '',
    expires: null,
    idle_until: null,
    rotated: null,
    warned_days: null,
  });
  expect((await clientOf(token).get(`${tokens}?limit=1`, { 'X-Forwarded-For': '2001:db8::7' })).status).toBe(200);
  await eventually(async () =>
    expect(await client.read(path)).toMatchObject({
      last_used: expect.stringMatching(/^\d{4}-/),
      last_address: '2001:db8::7',
    }),
  );
  const stranger = await userWith(used.admin);
  expect((await stranger.client.get(path)).status).toBe(404);
  // The representation of the token itself has the same members as before.
  expect(Object.keys(await client.read(`${tokens}${token.id}/`))).not.toContain('last_address');
});
