import { describe, expect, test } from '@jest/globals';
import { adminPassword, useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';
import { logIn } from '../../support/pages/visitor.ts';

const used = useSystem();
const users = '/api/users/users/';
const good = 'Correct-Horse-9';
const refused = (text: string) => ({ status: 400, body: { non_field_errors: [expect.stringContaining(text)] } });

describe('a new password', () => {
  test('is neither common nor made of names', async () => {
    const username = unique('quentin');
    const person = { username, first_name: 'Wilhelmina', email: 'maestro@example.com' };
    const make = (password: string) => used.admin.post(users, { ...person, password });
    expect(await make('Password-2026')).toMatchObject(refused('too common'));
    expect(await make('Wilhelmina-26')).toMatchObject(refused('too similar to the first name'));
    expect(await make('2026-ortseaM')).toMatchObject(refused('too similar to the email address'));
    const { status, body } = await make(good);
    expect(status).toBe(201);
    const path = `${users}${body.id}/`;
    // The user already has these names.
    expect(await used.admin.patch(path, { password: 'Wilhelmina-26' })).toMatchObject(refused('first name'));
    // Or gets them in the same request.
    expect(await used.admin.patch(path, { last_name: 'Babbington', password: 'Babbington-12' })).toMatchObject(
      refused('last name'),
    );
    expect((await used.admin.patch(path, { last_name: 'Babbington' })).status).toBe(200);
    expect((await used.admin.patch(path, { password: 'Babbington-and-4-more' })).status).toBe(200);
  });

  test('is held to the same where users choose their own', async () => {
    const { client, name } = await userWith(used.admin);
    const path = '/api/users/password/';
    const choose = (password: string) => client.post(path, { current_password: good, password });
    expect(await choose('Password-2026')).toMatchObject({
      status: 400,
      body: { password: ['This password is too common.'] },
    });
    expect(await choose(`A${name.toLowerCase()}1`)).toMatchObject({
      status: 400,
      body: { password: ['The password is too similar to the username.'] },
    });
    expect((await choose('Another-Horse-10')).status).toBe(204);
  });

  test('has its rules shown before anything is typed', async () => {
    const { client, name } = await userWith(used.admin);
    expect(await client.read('/api/users/password/')).toEqual({
      min_length: 12,
      max_length: 128,
      character_classes: true,
      refuses_guessable: true,
    });
    expect((await used.admin.as().get('/api/users/password/')).status).toBe(403);
    const mine = await logIn(used.system.base, name, good);
    const preferences = '/user/preferences/';
    await mine.post(preferences, { csrf_token: await mine.csrfToken(preferences), language: 'de' });
    const { html } = await mine.get('/user/password/');
    expect(html).toContain('Mindestens 12 und höchstens 128 Zeichen. Mit einer Ziffer');
    expect(html).toMatch(/id="f-password"[^>]*aria-describedby="password-help"/);
  });

  test('is described in the form of users as well', async () => {
    const admin = await logIn(used.system.base, 'admin', adminPassword);
    const { html } = await admin.get('/users/users/add/');
    expect(html).toMatch(/id="password-help">At least 12 characters, at most 128\. With a numeral/);
  });
});
