import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { codeOf, enrol, onAuth, PASSWORD, person, pressing, textIn, withApp } from '../../support/identity/factors.ts';
import { Jar } from '../../support/pages/jar.ts';
import { useSystem } from '../../support/system.ts';

const used = useSystem();
const second = { selector: 'form:has([name="code"])' };
const factors = '/user/factors/';
const somebody = () => withApp(used.system, used.admin);

describe('setting one up', () => {
  test('the secret is shown once, as a picture and as text, and counts when a code has confirmed it', async () => {
    const { name } = await person(used.admin);
    const jar = new Jar(used.system.base);
    await jar.logIn(name, PASSWORD);
    const page = await jar.get(factors);
    expect(page.html).toContain('You have no second factor.');
    const begun = await jar.send(
      page,
      { name: 'phone' },
      { selector: 'main form:has([name="begin"])', ...pressing('begin', 'totp') },
    );
    const secret = textIn(begun, 'code.secret').replaceAll(' ', '');
    expect([secret, begun.html.includes('src="data:image/svg+xml;base64,')]).toEqual([
      expect.stringMatching(/^[A-Z2-7]{32}$/),
      true,
    ]);
    const wrong = await jar.send(begun, { code: '000000' }, { selector: 'main form:has([name="confirm"])' });
    expect([wrong.status, wrong.html.includes('not the code of the present time')]).toEqual([400, true]);
    expect(wrong.html.replaceAll(' ', '')).not.toContain(secret);
    expect(
      await onAuth(
        used.system,
        'select 1 from user_factor f join users_user u on u.id = f.user_id where u.username = $1',
        [name],
      ),
    ).toEqual([]);
    const right = await jar.send(wrong, { code: codeOf(secret) }, { selector: 'main form:has([name="confirm"])' });
    expect(textIn(right, 'pre.code').split('\n')).toHaveLength(10);
    const later = await jar.get(factors);
    expect([
      later.html.includes('phone'),
      later.html.includes('10 of 10 are left.'),
      later.html.includes('<pre'),
    ]).toEqual([true, true, false]);
  });

  test('the database holds neither the secret nor the recovery codes, and the log nothing of them', async () => {
    const { id, secret, codes } = await somebody();
    const rows = JSON.stringify([
      await onAuth(used.system, 'select * from user_factor where user_id = $1', [id]),
      await onAuth(used.system, 'select * from recovery_code where user_id = $1', [id]),
      await onAuth(used.system, 'select body::text from change'),
      (await used.admin.get(`/api/extras/object-changes/?limit=0`)).text,
      readFileSync(join(used.system.folder, 'log'), 'utf8'),
    ]);
    for (const one of [secret.replaceAll(' ', ''), secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(rows).not.toContain(one);
    expect(rows).toContain('sealed:1:');
  });

  test('tokens neither see nor make them, and nobody sees those of another', async () => {
    for (const [method, path] of [
      ['get', ''],
      ['post', 'totp/'],
      ['post', 'passkeys/'],
      ['post', 'confirm/'],
      ['post', 'recovery-codes/'],
      ['delete', '1/'],
    ] as const) {
      const { status, body } = await used.admin[method](`/api/users/factors/${path}`, {});
      expect([path, status, body.detail]).toEqual([path, 403, expect.stringContaining('not by tokens')]);
    }
  });

  test('there are several, with names; one is removed without the others; too many are refused', async () => {
    const { jar, id } = await somebody();
    await enrol(jar, 'tablet');
    const both = await jar.get(factors);
    const [first] = await onAuth<{ id: string }>(
      used.system,
      'select id from user_factor where user_id = $1 order by id',
      [id],
    );
    const gone = await jar.send(
      both,
      {},
      { selector: 'main form:has(button[name="remove"])', ...pressing('remove', first!.id) },
    );
    expect(gone.location).toBe('/user/factors/?done=removed');
    const { html } = await jar.get(factors);
    expect([html.includes('phone'), html.includes('tablet')]).toEqual([false, true]);
    const other = await jar.send(
      both,
      {},
      { selector: 'main form:has(button[name="remove"])', ...pressing('remove', '999999999') },
    );
    expect(other.status).toBe(404);
    await onAuth(
      used.system,
      "insert into user_factor (user_id, kind, name) select $1, 'totp', 'x' from generate_series(1, 9)",
      [id],
    );
    const more = await jar.send(
      await jar.get(factors),
      { name: 'one more' },
      { selector: 'main form:has([name="begin"])', ...pressing('begin', 'totp') },
    );
    expect([more.status, more.html.includes('10 second factors at most')]).toEqual([400, true]);
  });

  test.each(['', ' ', 'x'.repeat(101), 'a\0b'])('a name like %j is refused, by its field', async (name) => {
    const { jar } = await somebody();
    const page = await jar.get(factors);
    const { status, html } = await jar.send(
      page,
      { name },
      { selector: 'main form:has([name="begin"])', ...pressing('begin', 'totp') },
    );
    expect([status, html.includes('name-problem')]).toEqual([400, true]);
  });
});

test('what was begun has to be confirmed soon, and in the same session', async () => {
  const { name, id } = await person(used.admin);
  const [jar, other] = [new Jar(used.system.base), new Jar(used.system.base)];
  await jar.logIn(name, PASSWORD);
  await other.logIn(name, PASSWORD);
  const begin = async () =>
    jar.send(
      await jar.get(factors),
      { name: 'phone' },
      { selector: 'main form:has([name="begin"])', ...pressing('begin', 'totp') },
    );
  const begun = await begin();
  const code = codeOf(textIn(begun, 'code.secret'));
  const key = /name="confirm" value="([^"]*)"/.exec(begun.html)![1]!;
  const csrfToken = /name="csrf_token" value="([^"]*)"/.exec((await other.get(factors)).html)![1]!;
  const elsewhere = await other.post(factors, { csrf_token: csrfToken, confirm: key, name: 'phone', code });
  expect([elsewhere.status, elsewhere.html.includes('in another session')]).toEqual([400, true]);
  await onAuth(used.system, "update factor_enrolment set until = now() - interval '1 second' where user_id = $1", [id]);
  const late = await jar.send(begun, { code }, { selector: 'main form:has([name="confirm"])' });
  expect([late.status, late.html.includes('too long ago')]).toEqual([400, true]);
  const again = await begin();
  const right = { code: codeOf(textIn(again, 'code.secret')) };
  expect((await jar.send(again, right, { selector: 'main form:has([name="confirm"])' })).status).toBe(200);
  const twice = await jar.send(again, right, { selector: 'main form:has([name="confirm"])' });
  expect([
    twice.status,
    (await onAuth(used.system, 'select 1 from user_factor where user_id = $1', [id])).length,
  ]).toEqual([400, 1]);
});

test('what happens to them is on record, and nothing of what proves them', async () => {
  const { name, id, jar, secret } = await somebody();
  const half = new Jar(used.system.base);
  const asked = await half.send(await half.logIn(name, PASSWORD), { code: '000000' }, second);
  await half.send(asked, { code: codeOf(secret) }, second);
  await jar.send(
    await jar.get(factors),
    {},
    { selector: 'main form:has(button[name="codes"])', ...pressing('codes', '1') },
  );
  await used.admin.post(`/api/users/users/${id}/reset-factors/`, {});
  const events = await eventually(async () => {
    const { results } = await used.admin.read(`/api/core/security-events/?limit=500&ordering=-time`);
    const mine = (results as Body[]).filter((one) => one.user_id === id || one.object_id === id);
    if (mine.filter(({ kind }) => kind.value === 'factor_changed').length < 3) throw new Error('not all are there');
    return mine;
  });
  const said = events.map(({ kind, result, method, detail, user_name }: Body) =>
    [kind.value, result.value, user_name === name ? 'user' : user_name, method, detail].filter(Boolean).join(' '),
  );
  for (const one of [
    'factor_changed success user session added: totp',
    'second_factor failure user totp',
    'login success user password+totp',
    'factor_changed success user session new recovery codes',
    'factor_changed success admin reset: 1',
  ])
    expect(said.map((text: string) => text.replace(/ token \d+/, ''))).toContain(one);
});
