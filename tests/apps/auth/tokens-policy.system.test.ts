import { createHmac } from 'node:crypto';
import { invalidating, typeId } from '@cadastre/model';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { PASSWORD, type System, startSystem } from '../../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { unique } from '../../support/unique.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const tokens = '/api/users/tokens/';
const DAY_MS = 86_400_000;

let system: System;
let admin: Client;
let auth: pg.Pool;
let user: number;
/** Changes a token in the database, and invalidates caches of it as the API does. */
const changed = ({ id }: Body, columns: string, values: unknown[] = []) =>
  auth.query(
    `with changed as (update users_token set ${columns} where id = $1 returning id) ${invalidating(`select ${typeId('users.token')}, id from changed`)}`,
    [id, ...values],
  );
const clientOf = ({ key, token }: Body): Client => admin.as(`Bearer svc_${key}.${token}`);
const daysLeft = ({ expires }: Body): number => (Date.parse(expires) - Date.now()) / DAY_MS;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const refused = { status: 400, body: { expires: ['A token has to expire within 30 days.'] } };

beforeAll(async () => {
  system = await startSystem({
    TOKEN_MAX_DAYS: '30',
    TOKEN_IDLE_DAYS: '10',
    TOKEN_WARN_CHECK_SECONDS: '1',
    TOKEN_ROTATION_SECONDS: '0',
    TOKEN_ROTATION_MAX_SECONDS: '60',
  });
  admin = new Client(system.base, `Token ${system.token}`);
  auth = new pg.Pool({ connectionString: system.databaseUrl('auth'), max: 1 });
  user = (await admin.read('/api/users/users/?username=admin')).results[0].id;
}, 300_000);

afterAll(async () => {
  await auth?.end();
  await system?.stop();
});

describe('where tokens have to expire', () => {
  test('a new one does, at the end of the time unless it says otherwise', async () => {
    expect(daysLeft(await admin.make(tokens, { user }))).toBeCloseTo(30, 2);
    expect(daysLeft(await admin.make(tokens, { user, expires: null }))).toBeCloseTo(30, 2);
    expect(daysLeft(await admin.make(tokens, { user, expires: inDays(3) }))).toBeCloseTo(3, 2);
    expect(await admin.post(tokens, { user, expires: inDays(31) })).toMatchObject(refused);
    const provision = (more: object) =>
      admin.as().post('/api/users/tokens/provision/', { username: 'admin', password: PASSWORD, ...more });
    expect(daysLeft((await provision({})).body)).toBeCloseTo(30, 2);
    expect(await provision({ expires: inDays(40) })).toMatchObject(refused);
  });

  test('it cannot be put off further, and one from before the policy goes on until its end is changed', async () => {
    const token = await admin.make(tokens, { user });
    const path = `${tokens}${token.id}/`;
    expect(await admin.patch(path, { expires: null })).toMatchObject(refused);
    expect(await admin.patch(path, { expires: inDays(31) })).toMatchObject(refused);
    expect((await admin.patch(path, { expires: inDays(29) })).status).toBe(200);
    await changed(token, 'expires = null');
    expect((await admin.patch(path, { description: 'old' })).body).toMatchObject({ expires: null, description: 'old' });
    expect((await clientOf(token).get(path)).status).toBe(200);
    await changed(token, `expires = '2999-01-01T00:00:00.123456Z'`);
    const { body } = await admin.get(path);
    expect((await admin.patch(path, { expires: body.expires, enabled: true })).status).toBe(200);
    expect(await admin.patch(path, { expires: inDays(31) })).toMatchObject(refused);
  });

  test('one that takes the place of another has the whole time, and the other ends as the settings say', async () => {
    const token = await admin.make(tokens, { user, expires: inDays(2) });
    const path = `${tokens}${token.id}/rotate/`;
    expect(await admin.post(path, { expires: inDays(31) })).toMatchObject(refused);
    expect(await admin.post(path, { valid_seconds: 61 })).toMatchObject({
      status: 400,
      body: { valid_seconds: [expect.any(String)] },
    });
    const { body } = await admin.post(path, {});
    expect(daysLeft(body)).toBeCloseTo(30, 2);
    expect((await clientOf(token).get(tokens)).status).toBe(403);
  });
});

describe('the policy is told before somebody types', () => {
  const within = 'Within 30 days at most. A new token expires then if it is left empty.';
  const idle = 'A token that was not used for 10 days counts no longer.';
  const pagesOf = async (session: Session, ...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await session.get(path)).html));

  test('by the API, to anybody who is authenticated', async () => {
    expect(await admin.read(`${tokens}policy/`)).toEqual({
      max_days: 30,
      default_days: 30,
      idle_days: 10,
      warn_days: [14, 7, 1],
      rotation_seconds: 0,
      rotation_max_seconds: 60,
      per_user: 100,
    });
    expect((await admin.as().get(`${tokens}policy/`)).status).toBe(403);
  });

  test('in the forms for one’s own tokens and for those of others, in German, too', async () => {
    const { id } = await admin.make(tokens, { user });
    const session = await logIn(system.base, 'admin', PASSWORD);
    const forms = ['/user/api-tokens/', '/users/tokens/add/', `/users/tokens/${id}/edit/`];
    for (const html of await pagesOf(session, ...forms)) {
      expect(html).toMatch(new RegExp(`id="[a-z-]*expires-help"[^>]*>${within} ${idle}`));
      expect(html).toMatch(/name="expires"[^>]*aria-describedby="[^"]*expires-help[ "]/);
    }
    const [rotate] = await pagesOf(session, `/users/tokens/${id}/rotate/`);
    expect(rotate).toContain('The new token expires within 30 days.');
    const preferences = '/user/preferences/';
    await session.post(preferences, { csrf_token: await session.csrfToken(preferences), language: 'de' });
    const german = await pagesOf(session, ...forms);
    for (const html of german)
      expect(html).toContain('In höchstens 30 Tagen. Bleibt es leer, läuft ein neues Token dann ab.');
    expect((await pagesOf(session, `/users/tokens/${id}/rotate/`))[0]).toContain('läuft in höchstens 30 Tagen ab');
  });
});

test('a token that was not used for too long counts no longer', async () => {
  const token = await admin.make(tokens, { user });
  expect((await clientOf(token).get(`${tokens}?limit=1`)).status).toBe(200);
  await eventually(async () => expect((await admin.read(`${tokens}${token.id}/use/`)).last_used).not.toBeNull());
  await changed(token, `last_used = now() - interval '9 days'`);
  const { idle_until: until } = await admin.read(`${tokens}${token.id}/use/`);
  expect((Date.parse(until) - Date.now()) / DAY_MS).toBeCloseTo(1, 2);
  await changed(token, `last_used = now() - interval '11 days', created = now() - interval '1 year'`);
  await eventually(async () =>
    expect(await clientOf(token).get(`${tokens}?limit=1`)).toMatchObject({
      status: 403,
      body: { detail: 'Token was not used for 10 days' },
    }),
  );
});

/** Makes a token that was created long ago expire within a number of days. */
const near = (token: Body, days: number) =>
  changed(token, `created = now() - interval '1 year', expires = now() + make_interval(hours => $2)`, [days * 24 - 1]);

test('users hear before their tokens expire, once', async () => {
  const description = unique('nightly');
  const token = await admin.make(tokens, { user, description });
  const noticed = async () =>
    (await admin.read('/api/extras/notifications/?limit=1000')).results.filter(
      (one: Body) => one.object_type === 'users.token' && one.object_id === token.id,
    );
  await near(token, 7);
  await eventually(async () => expect(await noticed()).toHaveLength(1));
  expect(await admin.read(`${tokens}${token.id}/use/`)).toMatchObject({ warned_days: 7 });
  const [first] = await noticed();
  expect(first).toMatchObject({
    user: { id: user },
    event_type: 'object_updated',
    display: `${description}: this token expires within 7 days`,
  });
  expect(JSON.stringify(first)).not.toContain(token.token);
  // Webhooks receive the security event.
  const events = `/api/core/security-events/?kind=token_expiring&object_type=users.token&object_id=${token.id}`;
  expect((await admin.read(events)).results).toMatchObject([{ user: { id: user }, detail: first.display, count: 1 }]);
  // The notification is read, and several checks follow: nothing new, until the expiry is nearer.
  const read = await admin.patch(`/api/extras/notifications/${first.id}/`, { read: new Date().toISOString() });
  expect([read.status, read.body]).toMatchObject([200, { read: expect.any(String) }]);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect((await noticed())[0].read).not.toBeNull();
  await near(token, 1);
  await eventually(async () => expect((await noticed())[0].read).toBeNull());
  expect(await admin.read(`${tokens}${token.id}/use/`)).toMatchObject({ warned_days: 1 });
  expect((await admin.read(events)).count).toBe(2);
});

describe('an event rule for tokens that expire soon', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('sends each warning once to a webhook, and nothing else', async () => {
    const name = unique('expiring');
    const secret = 'signs-what-is-sent';
    const { id: webhook } = await admin.make('/api/extras/webhooks/', {
      name,
      payload_url: `${receiver.url}/${name}`,
      secret,
    });
    await admin.make('/api/extras/event-rules/', {
      name,
      object_types: ['core.securityevent'],
      event_types: ['security_event'],
      conditions: { attr: 'kind.value', value: 'token_expiring' },
      action_type: 'webhook',
      action_object_type: 'extras.webhook',
      action_object_id: webhook,
    });
    const description = unique('backup');
    const token = await admin.make(tokens, { user, description });
    const warned = (days: number) =>
      eventually(() => {
        const found = receiver
          .at(`/${name}`)
          .map((one) => ({ ...one, told: JSON.parse(one.body.toString()) as Body }))
          .filter(({ told }) => told.data.object_id === token.id);
        const [last] = found.slice(-1);
        if (!last?.told.data.detail.includes(days === 1 ? 'within a day' : `within ${days} days`))
          throw new Error(`${found.length} deliveries, not yet that of ${days} days`);
        return { ...last, count: found.length };
      });
    await near(token, 7);
    const first = await warned(7);
    expect(first.told).toMatchObject({
      event: 'created',
      object_type: 'core.securityevent',
      data: {
        kind: { value: 'token_expiring' },
        result: { value: 'success' },
        user: { id: user, username: 'admin' },
        user_name: 'admin',
        object_type: 'users.token',
        object_id: token.id,
        detail: `${description}: this token expires within 7 days`,
      },
    });
    expect(first.headers['x-hook-signature']).toBe(createHmac('sha512', secret).update(first.body).digest('hex'));
    expect(first.body.toString()).not.toContain(token.token);
    await near(token, 1);
    expect(await warned(1)).toMatchObject({ count: 2, told: { data: { object_id: token.id } } });
    // The check runs each second: nothing is reported twice, nor are other events that were recorded meanwhile.
    await admin.patch(`${tokens}${token.id}/`, { enabled: false });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await warned(1)).count).toBe(2);
    const kinds = receiver.at(`/${name}`).map(({ body }) => (JSON.parse(body.toString()) as Body).data.kind.value);
    expect(new Set(kinds)).toEqual(new Set(['token_expiring']));
    const { results } = await admin.read(`/api/extras/webhook-deliveries/?webhook_id=${webhook}&limit=100`);
    const mine = results.filter((one: Body) => one.event_type === 'security_event');
    expect(mine).toHaveLength(receiver.at(`/${name}`).length);
    await eventually(async () =>
      expect(
        (await admin.read(`/api/extras/webhook-deliveries/?webhook_id=${webhook}&limit=100`)).results.map(
          (one: Body) => one.status.value,
        ),
      ).toEqual(mine.map(() => 'succeeded')),
    );
  });
});
