import { describe, expect, test } from '@jest/globals';
import type { Body, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const password = 'Correct-Horse-9';
const tokens = '/api/users/tokens/';

const send = async (session: Session, path: string, form: Record<string, string> = {}) =>
  session.post(path, { csrf_token: await session.csrfToken(path), ...form });
const admin = () => logIn(used.system.base, 'admin', adminPassword);
const clientOf = ({ key, token }: Body): Client => used.admin.as(`Bearer svc_${key}.${token}`);

describe('the page of a token', () => {
  test('tells when and from where it was last used', async () => {
    const { id: user, name } = await userWith(used.admin);
    const token = await used.admin.make(tokens, { user, description: unique('nightly') });
    const mine = await logIn(used.system.base, name, password);
    const page = `/users/tokens/${token.id}/`;
    expect((await mine.get(page)).html).toMatch(/Last used<\/dt><dd>never/);
    await clientOf(token).get(tokens, { 'X-Forwarded-For': '192.0.2.44' });
    await eventually(async () => expect((await mine.get(page)).html).toContain('<code>192.0.2.44</code>'));
  });

  test('rotates it, and shows the new one once', async () => {
    const { id: user, name } = await userWith(used.admin);
    const token = await used.admin.make(tokens, { user });
    const mine = await logIn(used.system.base, name, password);
    const page = `/users/tokens/${token.id}/`;
    expect((await mine.get(page)).html).toContain(`href="${page}rotate/"`);
    expect((await mine.get(`${page}rotate/`)).html).toContain('The old one goes on for a while');
    const wrong = await send(mine, `${page}rotate/`, { valid_seconds: '9999999' });
    expect([wrong.status, wrong.html.includes('between 0 and 604800')]).toEqual([400, true]);
    const { status, html } = await send(mine, `${page}rotate/`, { valid_seconds: '3600' });
    expect(status).toBe(200);
    const header = /Authorization: (Bearer svc_\w+\.\w{40})</.exec(html)![1]!;
    expect(html).toContain('with nbt_ in place of svc_');
    const next = used.admin.as(header);
    expect((await next.get(`${tokens}?limit=1`)).status).toBe(200);
    expect((await mine.get(page)).html).toContain('Another took its place');
    const left = Date.parse((await used.admin.read(`${tokens}${token.id}/`)).expires) - Date.now();
    expect([left > 3_000_000, left <= 3_600_000]).toEqual([true, true]);
  });
});

describe('the page of a user', () => {
  test('lists the tokens, and revokes them all after it has asked', async () => {
    const { id } = await userWith(used.admin);
    const description = unique('backup');
    const token = await used.admin.make(tokens, { user: id, description });
    const boss = await admin();
    const page = `/users/users/${id}/`;
    const { html } = await boss.get(page);
    expect(html).toContain(`<a href="/users/tokens/${token.id}/">${description}</a>`);
    expect((await boss.get(`${page}revoke-tokens/`)).html).toContain('What uses them is refused');
    expect((await used.admin.read(`${tokens}?user_id=${id}`)).count).toBe(2);
    expect(await send(boss, `${page}revoke-tokens/`)).toMatchObject({ status: 303, location: page });
    expect((await used.admin.read(`${tokens}?user_id=${id}`)).count).toBe(0);
    expect((await clientOf(token).get(tokens)).status).toBe(403);
  });

  test('takes the password away, and says that there is none', async () => {
    const { id, name } = await userWith(used.admin);
    const boss = await admin();
    const page = `/users/users/${id}/`;
    const words = 'used by its tokens alone';
    expect((await boss.get(page)).html).not.toContain(words);
    expect(await send(boss, `${page}take-password/`)).toMatchObject({ status: 303, location: page });
    expect((await boss.get(page)).html).toContain(words);
    expect((await logIn(used.system.base, name, password)).status).toBe(403);
    const own = (await used.admin.read('/api/users/users/?username=admin')).results[0].id;
    const refused = await send(boss, `/users/users/${own}/take-password/`);
    expect([refused.status, refused.html.includes('Nobody can take the own password away')]).toEqual([400, true]);
  });

  test('offers neither to users who may not change it', async () => {
    const { id } = await userWith(used.admin);
    const { name } = await userWith(used.admin, { types: ['users.user'], actions: ['view'] });
    const looking = await logIn(used.system.base, name, password);
    const { html } = await looking.get(`/users/users/${id}/`);
    expect([html.includes('Rights'), html.includes('revoke-tokens'), html.includes('take-password')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
