import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Jar } from '../../support/pages/jar.ts';
import { useSystem } from '../../support/system.ts';
import { userWith } from '../../support/users.ts';
import { logIn, type Session } from '../../support/pages/visitor.ts';

const used = useSystem();
const password = 'Correct-Horse-9';
const path = '/api/users/sessions/';

const somebody = () =>
  userWith(used.admin, { types: ['users.user', 'users.token'], actions: ['view', 'change', 'delete'] });
const enter = (name: string): Promise<Session> => logIn(used.system.base, name, password);
/** A request to the API with the cookie of a session. */
const ask = async (cookie: string, method = 'GET', at = path) => {
  const response = await fetch(used.system.base + at, { method, headers: { cookie } });
  return { status: response.status, text: await response.text() };
};
const idsOf = async ({ cookie }: Session): Promise<number[]> =>
  (JSON.parse((await ask(cookie)).text) as { results: { id: number }[] }).results.map(({ id }) => id);

test('the cookie of a session that has ended is worth nothing, on pages and for the API', async () => {
  const { name } = await somebody();
  const [mine, other] = [await enter(name), await enter(name)];
  expect((await ask(other.cookie)).status).toBe(200);
  await mine.post('/user/sessions/', { csrf_token: await mine.csrfToken('/user/sessions/') });
  expect([(await ask(other.cookie)).status, (await ask(other.cookie, 'GET', '/api/dcim/sites/')).status]).toEqual([
    403, 403,
  ]);
  expect((await other.get('/user/profile/')).location).toMatch(/^\/login\//);
});

test('a new login in a browser ends the session that was there, also one of another user', async () => {
  const [one, two] = [await somebody(), await somebody()];
  const [before, bystander] = [await enter(one.name), await enter(one.name)];
  /** The login page of another tab, sent by a browser that has a session. */
  const enterWith = async (cookie: string, name: string) => {
    const jar = new Jar(used.system.base);
    const page = await jar.get('/login/');
    const [, key, value] = /^([^=]+)=(.*)$/.exec(cookie)!;
    jar.cookies.set(key!, value!);
    expect((await jar.send(page, { username: name, password })).status).toBe(303);
    return `${key}=${jar.cookies.get(key!)}`;
  };
  const anew = await enterWith(before.cookie, one.name);
  const statuses = (...cookies: string[]) => Promise.all(cookies.map(async (cookie) => (await ask(cookie)).status));
  expect(await statuses(before.cookie, anew, bystander.cookie)).toEqual([403, 200, 200]);
  const other = await enterWith(anew, two.name);
  expect(await statuses(anew, other, bystander.cookie)).toEqual([403, 200, 200]);
  // A forged cookie ends no session.
  const theirs = `${bystander.cookie.slice(0, -4)}AAAA`;
  expect(await statuses(await enterWith(theirs, two.name), bystander.cookie)).toEqual([200, 200]);
  const { results } = await used.admin.read(`/api/core/security-events/?kind=session_ended&user_id=${one.id}`);
  expect(results.map(({ detail }: { detail: string }) => detail)).toEqual([
    'Somebody has logged in anew in the same browser.',
    'Somebody has logged in anew in the same browser.',
  ]);
});

test('a user who is turned off is logged out, and stays so when turned on again', async () => {
  const [{ id, name }, bystander] = [await somebody(), await somebody()];
  const [one, two, theirs] = [await enter(name), await enter(name), await enter(bystander.name)];
  for (const is_active of [false, true])
    expect((await used.admin.patch(`/api/users/users/${id}/`, { is_active })).status).toBe(200);
  expect([(await ask(one.cookie)).status, (await ask(two.cookie)).status, (await ask(theirs.cookie)).status]).toEqual([
    403, 403, 200,
  ]);
  expect(await idsOf(await enter(name))).toHaveLength(1);
});

test('nobody sees or ends another’s sessions, whatever they may do to users', async () => {
  const [one, two] = [await somebody(), await somebody()];
  const [mine, theirs] = [await enter(one.name), await enter(two.name)];
  const [foreign] = await idsOf(theirs);
  expect(await idsOf(mine)).not.toContain(foreign);
  for (const filter of [`?user_id=${two.id}`, `?user=${two.name}`, `?id=${foreign}`])
    expect((await ask(mine.cookie, 'GET', path + filter)).text).not.toContain(`"id":${foreign},`);
  expect((await ask(mine.cookie, 'GET', `${path}${foreign}/`)).status).toBe(405);
  await mine.post('/user/sessions/', { csrf_token: await mine.csrfToken('/user/sessions/'), end: String(foreign) });
  expect((await ask(theirs.cookie)).status).toBe(200);
  const admin = await logIn(used.system.base, 'admin', 'admin');
  expect(await idsOf(admin)).not.toContain(foreign);
});

test('a token neither sees nor ends sessions, and a cookie ends none without a form of its session', async () => {
  const { client, name } = await somebody();
  const [mine, other] = [await enter(name), await enter(name)];
  const [first] = await idsOf(other);
  for (const answer of [await client.get(path), await client.delete(path), await client.delete(`${path}${first}/`)])
    expect(answer.status).toBe(403);
  expect([
    (await ask(mine.cookie, 'DELETE')).status,
    (await ask(mine.cookie, 'DELETE', `${path}${first}/`)).status,
    (await mine.post('/user/sessions/', { csrf_token: await other.csrfToken('/user/sessions/') })).status,
    (await mine.post('/user/sessions/', {})).status,
    (await used.admin.as().get(path)).status,
  ]).toEqual([403, 403, 403, 403, 403]);
  expect([(await ask(mine.cookie)).status, (await ask(other.cookie)).status]).toEqual([200, 200]);
});

const jtiOf = (cookie: string): string =>
  (JSON.parse(Buffer.from(cookie.split('=')[1]!.split('.')[1]!, 'base64url').toString()) as { jti: string }).jti;

test('what a cookie holds is in no answer, no page and no log', async () => {
  const { name } = await somebody();
  const mine = await enter(name);
  const { text } = await ask(mine.cookie);
  const page = (await mine.get('/user/sessions/')).html;
  const secrets = [jtiOf(mine.cookie), mine.cookie.split('=')[1]!];
  const logs = readdirSync(used.system.folder)
    .filter((file) => /log/.test(file))
    .map((file) => readFileSync(join(used.system.folder, file), 'utf8'));
  expect(logs.length).toBeGreaterThan(0);
  for (const secret of secrets) for (const where of [text, page, ...logs]) expect(where).not.toContain(secret);
});

test('the present password cannot be guessed without end by who finds a browser open', async () => {
  const { name } = await somebody();
  const mine = await enter(name);
  const csrfToken = await mine.csrfToken('/user/password/');
  const next = 'Another-Horse-10';
  const guess = async (word: string) =>
    (await mine.post('/user/password/', { csrf_token: csrfToken, current_password: word, password: next, again: next }))
      .status;
  const seen: number[] = [];
  for (let i = 0; i < 12; i += 1) seen.push(await guess(`guess ${i}`));
  // As many guesses as at the login; after that even the right password is refused.
  expect([new Set(seen.slice(0, 10)), seen.at(-1), await guess(password)]).toEqual([new Set([400]), 429, 429]);
});
