import { describe, expect, test } from '@jest/globals';
import { key } from '../../../services/auth/passwords/attempts.ts';
import { codeOf, enrol, onAuth, PASSWORD, person, pressing, textIn, withApp } from '../../support/identity/factors.ts';
import { Jar } from '../../support/pages/jar.ts';
import { useSystem } from '../../support/system.ts';

const used = useSystem();
const second = { selector: 'form:has([name="code"])' };
const factors = '/user/factors/';
const provision = '/api/users/tokens/provision/';
const somebody = () => withApp(used.system, used.admin);

test('the pages speak German, too', async () => {
  const { name } = await somebody();
  const jar = new Jar(used.system.base);
  await jar.logIn(name, PASSWORD);
  const { html } = await jar.visit('/login/second/', { headers: { 'accept-language': 'de' } });
  for (const text of ['Zweiter Schritt', 'Aus deiner App, oder ein Wiederherstellungscode.', 'Weiter'])
    expect(html).toContain(text);
});

describe('logging in', () => {
  test('a right password begins no session; a code does, once', async () => {
    const { name, secret } = await somebody();
    const jar = new Jar(used.system.base);
    const asked = await jar.logIn(name, PASSWORD, '/user/sessions/');
    expect([asked.status, jar.inSession, asked.html.includes('Second step')]).toEqual([200, false, true]);
    expect((await jar.get('/user/sessions/')).location).toContain('/login/');
    const code = codeOf(secret);
    const entered = await jar.send(asked, { code }, second);
    expect([entered.status, entered.location, jar.inSession]).toEqual([303, '/user/sessions/', true]);
    const other = new Jar(used.system.base);
    const again = await other.send(await other.logIn(name, PASSWORD), { code }, second);
    expect([again.status, other.inSession, again.html.includes('was used before')]).toEqual([403, false, true]);
    const next = await other.send(again, { code: codeOf(secret, 1) }, second);
    expect([next.status, other.inSession]).toEqual([303, true]);
    const methods = await onAuth<{ method: string }>(
      used.system,
      'select s.method from user_session s join users_user u on u.id = s.user_id where u.username = $1 order by s.id',
      [name],
    );
    expect(methods.map(({ method }) => method)).toEqual(['password', 'password+totp', 'password+totp']);
  });

  test('who does not know the password is told nothing', async () => {
    const { name } = await somebody();
    const { name: without } = await person(used.admin);
    const [one, other] = await Promise.all(
      [name, without].map((who) => new Jar(used.system.base).logIn(who, 'Wrong-Horse-9')),
    );
    const plain = (html: string, who: string) =>
      html
        .replaceAll(who, 'WHO')
        .replace(/name="(csrf_token|challenge)" value="[^"]*"/g, '')
        .replace(/data-passkey="[^"]*"/g, '');
    expect([one!.status, plain(one!.html, name)]).toEqual([403, plain(other!.html, without)]);
  });

  test('a recovery code works once, and the page says how many are left', async () => {
    const { name, codes } = await somebody();
    const [jar, other] = [new Jar(used.system.base), new Jar(used.system.base)];
    const entered = await jar.send(await jar.logIn(name, PASSWORD), { code: codes[0]!.toUpperCase() }, second);
    expect([entered.status, jar.inSession]).toEqual([303, true]);
    expect((await jar.get(factors)).html).toContain('9 of 10 are left.');
    expect((await other.send(await other.logIn(name, PASSWORD), { code: codes[0]! }, second)).status).toBe(403);
    const anew = await jar.send(
      await jar.get(factors),
      {},
      { selector: 'main form:has(button[name="codes"])', ...pressing('codes', '1') },
    );
    const fresh = textIn(anew, 'pre.code').split('\n');
    expect([fresh.length, fresh.includes(codes[1]!)]).toEqual([10, false]);
    const third = new Jar(used.system.base);
    const old = await third.send(await third.logIn(name, PASSWORD), { code: codes[1]! }, second);
    expect([old.status, (await third.send(old, { code: fresh[0]! }, second)).status]).toEqual([403, 303]);
  });

  test('after too many wrong codes a right one counts for nothing; the user is told later', async () => {
    const { name, id, secret } = await somebody();
    const jar = new Jar(used.system.base);
    let shown = await jar.logIn(name, PASSWORD);
    for (let i = 0; i < 5; i++) shown = await jar.send(shown, { code: '000000' }, second);
    expect(shown.status).toBe(403);
    const late = await jar.send(shown, { code: codeOf(secret) }, second);
    expect([late.status, Number(late.headers.get('retry-after')) > 800, jar.inSession]).toEqual([429, true, false]);
    // Attempts from other addresses wait as well.
    expect(
      (await used.admin.as().post(provision, { username: name, password: PASSWORD, code: codeOf(secret) })).status,
    ).toBe(429);
    await onAuth(
      used.system,
      `update failed_login set until = now() - interval '1 second' where key = '${key('factor', String(id))}'`,
    );
    expect((await jar.send(late, { code: codeOf(secret) }, second)).status).toBe(303);
    expect((await jar.get('/user/profile/')).html).toMatch(/5 attempts|5 [a-z ]*failed/);
  });

  test('the step is over when the password is another one, and is bound to the visit', async () => {
    const { id, name, secret } = await somebody();
    const jar = new Jar(used.system.base);
    const asked = await jar.logIn(name, PASSWORD);
    const other = new Jar(used.system.base);
    const foreign = await other.send(await other.logIn(name, PASSWORD), {}, second);
    expect(foreign.status).toBe(400);
    for (const [cookie, value] of jar.cookies) if (cookie.includes('step')) other.cookies.set(cookie, value);
    const mixed = await other.send(foreign, { code: codeOf(secret) }, second);
    expect([mixed.status, other.inSession, mixed.html.includes('took too long')]).toEqual([403, false, true]);
    await used.admin.patch(`/api/users/users/${id}/`, { password: 'Another-Horse-9' });
    const late = await jar.send(asked, { code: codeOf(secret) }, second);
    expect([late.status, jar.inSession]).toEqual([403, false]);
    const nothing = new Jar(used.system.base);
    expect([
      (await nothing.get('/login/second/')).location,
      (await nothing.post('/login/second/', { code: '1' })).status,
    ]).toEqual(['/login/', 403]);
  });

  test('what was typed in a session that ended goes on after the second step', async () => {
    const { jar, name, secret } = await somebody();
    const page = await jar.get('/user/api-tokens/');
    await onAuth(
      used.system,
      'delete from user_session s using users_user u where u.id = s.user_id and u.username = $1',
      [name],
    );
    jar.cookies.clear();
    const kept = await jar.send(page, { description: 'typed before' }, { selector: 'main form.panel' });
    expect([kept.status, kept.html.includes('typed before')]).toEqual([403, true]);
    const step = await jar.send(kept, { username: name, password: PASSWORD });
    const on = await jar.send(step, { code: codeOf(secret) }, second);
    expect([on.status, on.html.includes('data-again'), on.html.includes('typed before')]).toEqual([200, true, true]);
    expect((await jar.send(on)).html).toContain('typed before');
  });
});

describe('a token for a name and a password', () => {
  const ask = (body: object) => used.admin.as().post(provision, { password: PASSWORD, ...body });

  test('takes a code of the second factor, too', async () => {
    const { name: username, secret, codes } = await somebody();
    expect(await ask({ username })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('as `code`') },
    });
    expect(await ask({ username, code: '000000' })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('not right') },
    });
    for (const code of [{}, [], true]) expect((await ask({ username, code })).status).toBe(400);
    const code = codeOf(secret);
    const made = await ask({ username, code });
    expect([made.status, made.body.token.length, made.body.code]).toEqual([201, 40, undefined]);
    expect([(await ask({ username, code })).status, (await ask({ username, code: codes[0] })).status]).toEqual([
      403, 201,
    ]);
  });

  test('the password is looked at first', async () => {
    const { name: username, secret } = await somebody();
    const wrong = await ask({ username, password: 'Wrong-Horse-9', code: codeOf(secret) });
    expect(wrong).toMatchObject({ status: 403, body: { detail: 'Invalid username/password' } });
  });
});

test('with a token, the own password is changed with a code only', async () => {
  const { id, secret } = await somebody();
  const { key, token } = await used.admin.make('/api/users/tokens/', { user: id });
  const mine = used.admin.as(`Bearer svc_${key}.${token}`);
  const change = (more: object) =>
    mine.post('/api/users/password/', { current_password: PASSWORD, password: 'Another-Horse-9', ...more });
  expect(await change({})).toMatchObject({ status: 400, body: { code: [expect.stringContaining('second factor')] } });
  expect((await change({ code: '000000' })).status).toBe(400);
  expect((await change({ code: codeOf(secret) })).status).toBe(204);
});

describe('taking them away from somebody who has lost them', () => {
  const reset = (client: typeof used.admin, id: number) => client.post(`/api/users/users/${id}/reset-factors/`, {});

  test('is for superusers; the password is enough then, and the user is told', async () => {
    const { id, name } = await somebody();
    const { status, body } = await reset(used.admin, id);
    expect([status, body]).toEqual([200, { removed: 1 }]);
    const jar = new Jar(used.system.base);
    expect([(await jar.logIn(name, PASSWORD)).status, jar.inSession]).toEqual([303, true]);
    expect((await jar.get('/user/notifications/')).status).toBe(200);
    expect((await reset(used.admin, id)).body).toEqual({ removed: 0 });
    expect((await reset(used.admin, 999_999_999)).status).toBe(404);
  });

  test('is refused to others, even if they may change users', async () => {
    const { id } = await somebody();
    const { id: helper } = await person(used.admin);
    await used.admin.make('/api/users/permissions/', {
      name: `helper ${helper}`,
      object_types: ['users.user'],
      actions: ['view', 'change'],
      users: [helper],
    });
    const { key, token } = await used.admin.make('/api/users/tokens/', { user: helper });
    expect((await reset(used.admin.as(`Bearer svc_${key}.${token}`), id)).status).toBe(403);
    expect(await onAuth(used.system, 'select 1 from user_factor where user_id = $1', [id])).toHaveLength(1);
  });

  test('is a button on the page of the user', async () => {
    const { id } = await somebody();
    const jar = new Jar(used.system.base);
    await jar.logIn('admin', 'admin');
    const page = await jar.get(`/users/users/${id}/`);
    expect(page.html).toContain('Reset second factors');
    const form = await jar.get(`/users/users/${id}/reset-factors/`);
    const done = await jar.send(form, {}, { selector: 'main form.panel' });
    expect([done.status, done.location]).toEqual([303, `/users/users/${id}/`]);
    expect(await onAuth(used.system, 'select 1 from user_factor where user_id = $1', [id])).toEqual([]);
  });
});

describe('who must have one', () => {
  test('is led to setting it up, and can do nothing else until then', async () => {
    const group = await groupOf();
    const { name } = await person(used.admin, { groups: [group] });
    expect(await used.admin.as().post(provision, { username: name, password: PASSWORD })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('needs a second factor') },
    });
    const jar = new Jar(used.system.base);
    expect((await jar.logIn(name, PASSWORD)).status).toBe(303);
    for (const path of ['/', '/user/profile/', '/dcim/sites/', '/users/users/'])
      expect([path, (await jar.get(path)).location]).toEqual([path, factors]);
    const api = await jar.visit('/api/users/config/', { headers: { accept: 'application/json' } });
    expect([api.status, api.html.includes('needs a second factor')]).toEqual([403, true]);
    const csrfToken = /name="csrf_token" value="([^"]*)"/.exec((await jar.get(factors)).html)![1]!;
    expect((await jar.post('/user/api-tokens/', { csrf_token: csrfToken, description: 'x' })).location).toBe(factors);
    expect((await jar.get(factors)).html).toContain('Your account needs a second factor.');
    const { codes } = await enrol(jar);
    expect(codes).toHaveLength(10);
    expect((await jar.get('/user/profile/')).status).toBe(200);
    expect((await jar.get('/dcim/sites/')).location).toBe('');
  });

  test('others are not', async () => {
    const { name } = await person(used.admin);
    const jar = new Jar(used.system.base);
    await jar.logIn(name, PASSWORD);
    expect((await jar.get('/user/profile/')).status).toBe(200);
  });
});

async function groupOf(): Promise<number> {
  const name = 'must-have-a-second-factor';
  const found = await used.admin.read(`/api/users/groups/?name=${name}`);
  return found.results[0]?.id ?? (await used.admin.make('/api/users/groups/', { name })).id;
}
