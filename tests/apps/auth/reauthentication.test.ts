import { describe, expect, test } from '@jest/globals';
import { codeOf, onAuth, PASSWORD, person, pressing, withApp } from '../../support/identity/factors.ts';
import { Jar } from '../../support/pages/jar.ts';
import { PageForm } from '../../support/pages/pageForm.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const tokens = '/user/api-tokens/';
const newToken = { selector: 'main form.panel' };

/** Makes the re-authentication of a user's sessions as old as given. */
async function proofsAre(name: string, seconds: number): Promise<void> {
  await onAuth(
    used.system,
    'update user_session s set proved = now() - make_interval(secs => $2) from users_user u where u.id = s.user_id and u.username = $1',
    [name, seconds],
  );
  // What gateways have cached of it is invalidated with that.
  const [user] = await onAuth<{ id: string }>(used.system, 'select id from users_user where username = $1', [name]);
  await used.admin.patch(`/api/users/users/${user!.id}/`, { first_name: unique('x') });
}

const tokensOf = async (name: string): Promise<string[]> =>
  (
    await onAuth<{ description: string }>(
      used.system,
      'select t.description from users_token t join users_user u on u.id = t.user_id where u.username = $1 order by t.id',
      [name],
    )
  ).map(({ description }) => description);

async function loggedIn(name: string): Promise<Jar> {
  const jar = new Jar(used.system.base);
  await jar.logIn(name, PASSWORD);
  return jar;
}

describe('a proof that is not as long ago as it must be', () => {
  test('is the login', async () => {
    const { name } = await person(used.admin);
    const jar = await loggedIn(name);
    expect((await jar.send(await jar.get(tokens), { description: 'fresh' }, newToken)).status).toBe(200);
    expect(await tokensOf(name)).toEqual(['fresh']);
  });

  test('is asked for later, and what was typed goes on from there', async () => {
    const { name } = await person(used.admin);
    const jar = await loggedIn(name);
    const page = await jar.get(tokens);
    await proofsAre(name, 901);
    const refused = await jar.send(page, { description: 'later' }, newToken);
    expect([refused.status, refused.html.includes('data-again'), await tokensOf(name)]).toEqual([403, true, []]);
    const asked = await jar.send(refused);
    expect([asked.status, asked.html.includes('Is it you?'), asked.html.includes('type="password"')]).toEqual([
      200,
      true,
      true,
    ]);
    const wrong = await jar.send(asked, { password: 'Wrong-Horse-9' });
    expect([wrong.status, wrong.html.includes('not your password')]).toEqual([403, true]);
    const on = await jar.send(wrong, { password: PASSWORD });
    expect([on.status, on.html.includes('data-again')]).toEqual([200, true]);
    expect((await jar.send(on)).status).toBe(200);
    expect(await tokensOf(name)).toEqual(['later']);
    expect((await jar.send(await jar.get(tokens), { description: 'again' }, newToken)).status).toBe(200);
    expect(await tokensOf(name)).toEqual(['later', 'again']);
  });

  test('is a code, where the user has a second factor: the password is not enough', async () => {
    const { jar, name, secret } = await withApp(used.system, used.admin);
    const page = await jar.get(tokens);
    await proofsAre(name, 901);
    const asked = await jar.send(await jar.send(page, { description: 'by code' }, newToken));
    expect([asked.html.includes('type="password"'), asked.html.includes('name="code"')]).toEqual([false, true]);
    const csrfToken = /name="csrf_token" value="([^"]*)"/.exec(asked.html)![1]!;
    await jar.post('/reauthenticate/', { csrf_token: csrfToken, password: PASSWORD });
    expect((await jar.send(await jar.get(tokens), { description: 'by password' }, newToken)).status).toBe(403);
    expect((await jar.send(asked, { code: '000000' })).status).toBe(403);
    await jar.send(await jar.send(asked, { code: codeOf(secret) }));
    expect(await tokensOf(name)).toEqual(['by code']);
  });

  test('is asked for before a form is filled in that would need it', async () => {
    const jar = new Jar(used.system.base);
    const { name, id } = await person(used.admin);
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['users.user', 'users.group', 'users.objectpermission', 'extras.webhook', 'dcim.site'],
      actions: ['view', 'add', 'change', 'delete'],
      users: [id],
    });
    await jar.logIn(name, PASSWORD);
    await proofsAre(name, 901);
    for (const path of [
      '/users/users/add/',
      '/users/groups/add/',
      '/users/permissions/add/',
      '/extras/webhooks/add/',
      `/users/users/${id}/edit/`,
      `/users/users/${id}/delete/`,
    ])
      expect([path, (await jar.get(path)).location]).toEqual([
        path,
        `/reauthenticate/?next=${encodeURIComponent(path)}`,
      ]);
    expect((await jar.get('/dcim/sites/add/')).status).toBe(200);
    expect((await jar.get('/users/users/')).status).toBe(200);
    const asked = await jar.get('/reauthenticate/?next=%2Fusers%2Fgroups%2Fadd%2F');
    expect((await jar.send(asked, { password: PASSWORD })).location).toBe('/users/groups/add/');
    const form = await jar.get('/users/groups/add/');
    const made = await jar.send(form, { name: unique('proven') });
    expect([made.status, made.location]).toEqual([303, expect.stringMatching(/^\/users\/groups\/\d+\/$/)]);
  });

  test('is needed for second factors as well', async () => {
    const { jar, name } = await withApp(used.system, used.admin);
    const page = await jar.get('/user/factors/');
    await proofsAre(name, 901);
    for (const [button, value] of [
      ['begin', 'totp'],
      ['codes', '1'],
      ['remove', '1'],
    ] as const) {
      const form = `main form:has([name="${button}"])`;
      const { status, html } = await jar.send(page, button === 'begin' ? { name: 'x' } : {}, {
        selector: form,
        ...pressing(button, value),
      });
      expect([button, status, html.includes('data-again')]).toEqual([button, 403, true]);
    }
  });

  test('is needed for another password, where there is a second factor', async () => {
    const { jar, name } = await withApp(used.system, used.admin);
    const page = await jar.get('/user/password/');
    await proofsAre(name, 901);
    const fields = { current_password: PASSWORD, password: 'Another-Horse-9', again: 'Another-Horse-9' };
    const refused = await jar.send(page, fields);
    expect([refused.status, refused.html.includes('data-again'), refused.html.includes('Another-Horse-9')]).toEqual([
      403,
      true,
      false,
    ]);
    const { name: other } = await person(used.admin);
    const simple = await loggedIn(other);
    const form = await simple.get('/user/password/');
    await proofsAre(other, 901);
    expect((await simple.send(form, fields)).location).toBe('/login/');
  });
});

describe('ending sessions', () => {
  const sessions = '/user/sessions/';
  const countOf = async (name: string): Promise<number> =>
    (
      await onAuth(
        used.system,
        'select 1 from user_session s join users_user u on u.id = s.user_id where u.username = $1',
        [name],
      )
    ).length;
  const all = { selector: 'main form.buttons', ...pressing('others', '1') };

  test('of others than this one asks for it, and goes on from there', async () => {
    const { name } = await person(used.admin);
    const [mine] = [await loggedIn(name), await loggedIn(name), await loggedIn(name)];
    const page = await mine.get(sessions);
    await proofsAre(name, 901);
    const [, one] = /name="end" value="(\d+)"/.exec(page.html)!;
    const refused = await mine.send(page, {}, { selector: 'main form', ...pressing('end', one!) });
    expect([refused.status, refused.html.includes('data-again'), await countOf(name)]).toEqual([403, true, 3]);
    const asked = await mine.send(refused);
    const wrong = await mine.send(asked, { password: 'Wrong-Horse-9' });
    expect([wrong.status, await countOf(name)]).toEqual([403, 3]);
    const on = await mine.send(wrong, { password: PASSWORD });
    expect((await mine.send(on)).location).toBe(`${sessions}?done=one`);
    expect(await countOf(name)).toBe(2);
    await proofsAre(name, 901);
    const later = await mine.send(await mine.send(page, {}, all));
    expect([later.html.includes('Is it you?'), await countOf(name)]).toEqual([true, 2]);
    await mine.send(await mine.send(later, { password: PASSWORD }));
    expect(await countOf(name)).toBe(1);
    expect((await mine.get(sessions)).status).toBe(200);
  });

  test('takes a code of who has a second factor', async () => {
    const { jar, name, secret } = await withApp(used.system, used.admin);
    const other = new Jar(used.system.base);
    await other.send(
      await other.logIn(name, PASSWORD),
      { code: codeOf(secret) },
      { selector: 'form:has([name="code"])' },
    );
    expect(await countOf(name)).toBe(2);
    const page = await jar.get(sessions);
    await proofsAre(name, 901);
    const asked = await jar.send(await jar.send(page, {}, all));
    expect([asked.html.includes('type="password"'), asked.html.includes('name="code"')]).toEqual([false, true]);
    await jar.send(await jar.send(asked, { code: codeOf(secret, 1) }));
    expect(await countOf(name)).toBe(1);
  });

  test('of the present one asks for nothing, whichever way one leaves', async () => {
    const { name } = await person(used.admin);
    const [byForm, byNumber] = [await loggedIn(name), await loggedIn(name)];
    const ids = await onAuth<{ id: string }>(
      used.system,
      'select s.id from user_session s join users_user u on u.id = s.user_id where u.username = $1 order by s.id',
      [name],
    );
    await proofsAre(name, 901);
    const csrfToken = async (jar: Jar) => /name="csrf_token" value="([^"]*)"/.exec((await jar.get(sessions)).html)![1]!;
    await byForm.post('/logout/', { csrf_token: await csrfToken(byForm) });
    expect(await countOf(name)).toBe(1);
    await byNumber.post(sessions, { csrf_token: await csrfToken(byNumber), end: ids[1]!.id });
    expect(await countOf(name)).toBe(0);
  });

  test('of somebody else, whose account is turned off, asks for it as well', async () => {
    const [boss, other] = [await person(used.admin), await person(used.admin)];
    await used.admin.make('/api/users/permissions/', {
      name: unique('p'),
      object_types: ['users.user'],
      actions: ['view', 'change'],
      users: [boss.id],
    });
    await loggedIn(other.name);
    const jar = await loggedIn(boss.name);
    const path = `/users/users/${other.id}/edit/`;
    const page = await jar.get(path);
    await proofsAre(boss.name, 901);
    const form = new PageForm(page.html, 'main form[method="post"]');
    const off = form.sent().filter(([name]) => name !== 'is_active');
    const refused = await jar.post(path, off);
    expect([refused.status, refused.html.includes('data-again'), await countOf(other.name)]).toEqual([403, true, 1]);
    // The form is shown once more, as the secret values in it have to be typed again.
    const shown = await jar.send(await jar.send(await jar.send(refused), { password: PASSWORD }));
    expect((await jar.send(shown)).location).toBe(`/users/users/${other.id}/`);
    expect(await countOf(other.name)).toBe(0);
  });
});

test('the refusal has a code for programs; tokens need no proof of that kind', async () => {
  const { name, id } = await person(used.admin);
  const jar = await loggedIn(name);
  const { html } = await jar.get('/user/sessions/');
  const csrfToken = /name="csrf_token" value="([^"]*)"/.exec(html)![1]!;
  await proofsAre(name, 901);
  // The API's browser page sends what is typed there with the session.
  const page = await jar.post('/api/users/tokens/', {
    csrf_token: csrfToken,
    _method: 'POST',
    _content: JSON.stringify({ user: id }),
  });
  expect(page.html).toMatch(/reauthentication_required|data-again/);
  expect(await tokensOf(name)).toEqual([]);
  const { key, token } = await used.admin.make('/api/users/tokens/', { user: id });
  const mine = used.admin.as(`Bearer svc_${key}.${token}`);
  expect((await mine.post('/api/users/tokens/', { user: id })).status).toBe(201);
});

describe('what a form brings along', () => {
  const kept = JSON.stringify({ to: tokens, fields: [['description', 'of somebody else']] });

  test('goes on only from a page of the same session', async () => {
    const { name } = await person(used.admin);
    const jar = await loggedIn(name);
    for (const csrfToken of [
      '',
      'x',
      /name="csrf_token" value="([^"]*)"/.exec((await new Jar(used.system.base).get('/login/')).html)![1]!,
    ]) {
      const shown = await jar.post('/reauthenticate/', { csrf_token: csrfToken, kept, password: PASSWORD });
      expect([shown.html.includes('of somebody else'), shown.html.includes('Is it you?')]).toEqual([false, true]);
    }
  });

  test('never leads elsewhere, and nobody proves anything without a session', async () => {
    const { name } = await person(used.admin);
    const jar = await loggedIn(name);
    const asked = await jar.get('/reauthenticate/?next=https%3A%2F%2Fevil.example%2F');
    expect((await jar.send(asked, { password: PASSWORD })).location).toBe('/');
    const nobody = new Jar(used.system.base);
    expect((await nobody.get('/reauthenticate/?next=%2Fx%2F')).location).toBe('/login/?next=%2Fx%2F');
    expect((await nobody.post('/reauthenticate/', { password: PASSWORD })).location).toBe('/login/?next=%2F');
  });
});

test('who was let in by another system logs in there once more, by the age of that', async () => {
  const { name } = await person(used.admin);
  const jar = await loggedIn(name);
  await onAuth(
    used.system,
    "update user_session s set method = 'oidc' from users_user u where u.id = s.user_id and u.username = $1",
    [name],
  );
  const page = await jar.get(tokens);
  await proofsAre(name, 901);
  const asked = await jar.send(await jar.send(page, { description: 'from elsewhere' }, newToken));
  expect([asked.html.includes('type="password"'), asked.html.includes('another system')]).toEqual([false, true]);
  const again = await jar.send(asked, {}, pressing('again', '1'));
  expect([jar.inSession, again.html.includes('from elsewhere'), again.html.includes('name="username"')]).toEqual([
    false,
    true,
    true,
  ]);
  await jar.send(await jar.send(again, { username: name, password: PASSWORD }));
  expect(await tokensOf(name)).toEqual(['from elsewhere']);
});
