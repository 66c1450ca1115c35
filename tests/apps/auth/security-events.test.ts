import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn } from '../../support/pages/visitor.ts';

const used = useSystem();
const path = '/api/core/security-events/';
const password = 'Correct-Horse-9';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const eventsOf = async (query: string): Promise<Body[]> =>
  ((await used.admin.get(`${path}?ordering=time&limit=1000&${query}`)).body as { results: Body[] }).results;
/** Waits for a number of events: a refusal is recorded after its answer was sent, so later events may come first. */
const some = (query: string, count: number): Promise<Body[]> =>
  eventually(async () => {
    const found = await eventsOf(query);
    if (found.length < count) throw new Error(`${found.length} of ${count} events at ${query}`);
    return found;
  });
const short = ({ kind, result, method }: Body): string =>
  [kind.value, result.value, method].filter((part) => part).join(' ');

test('who comes and goes is on record, from where, and how', async () => {
  const { id, name } = await userWith(used.admin, { actions: ['view'] });
  expect((await logIn(used.system.base, name, 'Wrong-Horse-9')).status).toBe(403);
  const session = await logIn(used.system.base, name, password);
  await session.post('/logout/', { csrf_token: await session.csrfToken('/user/profile/') });
  const events = await some(`user_id=${id}`, 3);
  expect(events.map(short)).toEqual(['login failure password', 'login success password', 'logout success']);
  expect(events[1]).toMatchObject({
    user_name: name,
    user: { id, username: name },
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    browser: expect.stringMatching(/./),
    count: 1,
  });
  const { last_login } = (await used.admin.get(`/api/users/users/${id}/`)).body as Body;
  expect(Math.abs(Date.parse(last_login) - Date.parse(events[1].time))).toBeLessThan(5_000);
});

test('what somebody types as a name is written nowhere unless there is such a user', async () => {
  const typed = unique('My-Password-1');
  // No other test uses this address, so the event is not merged with similar ones.
  const address = '2001:db8:5ec:1::7';
  await logIn(used.system.base, typed, password, undefined, { 'x-forwarded-for': address });
  const [event] = await some(`kind=login&result=failure&address=${address}`, 1);
  expect(event).toMatchObject({ user: null, user_name: '' });
  expect((await used.admin.get(`${path}?q=${typed}`)).body).toMatchObject({ count: 0 });
});

test('tokens and permissions that are refused are on record, those that are alike by their number', async () => {
  const { client, id, name } = await userWith(used.admin, { actions: ['view'] });
  for (let i = 0; i < 3; i++) await client.get('/api/users/tokens/?brief=true').then(() => client.get(path));
  const [event] = await some(`user_id=${id}&kind=permission_refused`, 1);
  expect(event).toMatchObject({
    result: { value: 'failure' },
    user_name: name,
    method: expect.stringMatching(/^token \d+$/),
    detail: `GET ${path}`,
    count: expect.any(Number),
  });
  const [token] = (await used.admin.get(`/api/users/tokens/?user_id=${id}`)).body.results as Body[];
  await used.admin.patch(`/api/users/tokens/${token.id}/`, { enabled: false });
  const secret = 'svc_AAAAAAAAAAAA.wrong-wrong-wrong';
  expect([
    (await client.get('/api/dcim/sites/')).status,
    (await used.admin.as(`Bearer ${secret}`).get(path)).status,
  ]).toEqual([403, 403]);
  const [refused] = await some(`user_id=${id}&kind=token_refused`, 1);
  expect(refused.detail).toMatch(/^GET \/api\/dcim\/sites\/: ./);
  expect((await used.admin.get(`${path}?q=wrong-wrong`)).body).toMatchObject({ count: 0 });
});

test('changes of rights are there as soon as they are made, with who made them, and without secrets', async () => {
  const { id } = await userWith(used.admin, { actions: ['view'] });
  const group = await used.admin.make('/api/users/groups/', { name: unique('group') });
  await used.admin.patch(`/api/users/users/${id}/`, { groups: [group.id], first_name: 'Ann' });
  await used.admin.patch(`/api/users/users/${id}/`, { password: 'Another-Horse-8' });
  await used.admin.patch(`/api/users/users/${id}/`, { first_name: 'Anna' });
  const events = await eventsOf(`object_type=users.user&object_id=${id}`);
  expect(events.map(({ kind, detail }) => [kind.value, detail.replace(/^user \S+ /, '')])).toEqual([
    ['rights_changed', 'created'],
    ['rights_changed', 'changed: permissions'],
    ['rights_changed', 'changed: groups'],
    ['password_changed', 'changed: password'],
  ]);
  expect(events[2]).toMatchObject({ user_name: 'admin', object: { id }, request_id: expect.any(String) });
  expect(JSON.stringify(events)).not.toMatch(/Another-Horse|argon2/);
  expect(await eventsOf(`object_type=users.group&object_id=${group.id}`)).toHaveLength(1);
});

test('a change that is refused leaves no event', async () => {
  const { id } = await userWith(used.admin, { actions: ['view'] });
  const before = (await eventsOf(`object_type=users.user&object_id=${id}`)).length;
  const answer = await used.admin.patch(`/api/users/users/${id}/`, { groups: [999_999_999], is_active: false });
  expect(answer.status).toBe(400);
  expect(await eventsOf(`object_type=users.user&object_id=${id}`)).toHaveLength(before);
});

test('nobody sees the record without a permission of its own, and nobody changes it', async () => {
  const { client } = await userWith(used.admin, { types: ['core.objectchange', 'users.user'], actions: ['view'] });
  const reader = await userWith(used.admin, { types: ['core.securityevent'], actions: ['view', 'change', 'delete'] });
  expect((await client.get(path)).status).toBe(403);
  const { status, body } = await reader.client.get(`${path}?limit=1`);
  expect(status).toBe(200);
  const one = `${path}${(body as Body).results[0].id}/`;
  for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
    expect((await used.admin.ask(method, one, { body: { kind: 'login' } })).status).toBe(405);
  expect((await used.admin.ask('POST', path, { body: { kind: 'login' } })).status).toBe(405);
});

test('each goes to webhooks as an event of a type of its own', async () => {
  const name = unique('security');
  const { id } = await used.admin.make('/api/extras/webhooks/', { name, payload_url: `${receiver.url}/${name}` });
  await used.admin.make('/api/extras/event-rules/', {
    name,
    object_types: ['core.securityevent'],
    event_types: ['security_event'],
    conditions: { attr: 'kind.value', value: 'login' },
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: id,
  });
  const user = await userWith(used.admin, { actions: ['view'] });
  await logIn(used.system.base, user.name, password);
  const told = await eventually(() => {
    const bodies = receiver.at(`/${name}`).map(({ body }) => JSON.parse(body.toString()) as Body);
    const found = bodies.find(({ data }) => data.user_name === user.name);
    if (!found) throw new Error(`${bodies.length} other events were told`);
    return found;
  });
  expect(told).toMatchObject({
    event: 'created',
    object_type: 'core.securityevent',
    data: { kind: { value: 'login' }, result: { value: 'success' }, method: 'password' },
  });
  const deliveries = await used.admin.get(`/api/extras/webhook-deliveries/?webhook_id=${id}`);
  expect(new Set((deliveries.body as Body).results.map((one: Body) => one.event_type))).toEqual(
    new Set(['security_event']),
  );
});

test('the database itself keeps events as they are', async () => {
  const client = new pg.Client({ connectionString: new URL('/cadastre_auth', used.system.postgres).toString() });
  await client.connect();
  try {
    const refused = { code: '23001' };
    await expect(client.query(`update core_securityevent set user_name = 'nobody'`)).rejects.toMatchObject(refused);
    await expect(client.query('delete from core_securityevent')).rejects.toMatchObject(refused);
    await client.query(
      `insert into core_securityevent (kind, result, detail, time) values ('login', 'success', 'old', now() - interval '400 days')`,
    );
    const gone = await client.query(`delete from core_securityevent where time < now() - interval '365 days'`);
    expect(gone.rowCount).toBe(1);
  } finally {
    await client.end();
  }
});
