import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../../../tools/local/processes/free-ports.ts';
import { PASSWORD, startSystem, type System } from '../../../../tools/testing/fresh-system.ts';
import { Client } from '../../../support/client.ts';
import { jar } from '../../../support/identity/sites.ts';
import { unique } from '../../../support/unique.ts';

let system: System;
let admin: Client;
let issuer: string;

beforeAll(async () => {
  issuer = `http://127.0.0.1:${await freePort()}`;
  system = await startSystem({
    LOCAL_LOGIN: 'false',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'cadastre',
    OIDC_CLIENT_SECRET: 'a-secret-of-the-provider',
    REMOTE_AUTH_ENABLED: 'true',
    REMOTE_AUTH_PROXIES: '127.0.0.2',
    REMOTE_AUTH_AUTO_CREATE_USER: 'true',
    REMOTE_AUTH_GROUP_SYNC_ENABLED: 'true',
    REMOTE_AUTH_SUPERUSER_GROUPS: 'bosses',
  });
  admin = new Client(system.base, `Token ${system.token}`);
  await admin.make('/api/users/groups/', { name: 'netops' });
}, 300_000);
afterAll(async () => {
  await system?.stop();
}, 60_000);

const here = (path: string) => system.base + path;
const problemIn = (html: string) => /id="problem">([^<]*)</.exec(html)?.[1];
const csrfTokenIn = (html: string) => /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';

interface Said {
  status: number;
  location: string | undefined;
  session: string | undefined;
  html: string;
}

/** A request from an address of this machine: the proxy's, or another. */
const from = (
  localAddress: string,
  path: string,
  headers: Record<string, string | string[]>,
  method = 'GET',
): Promise<Said> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(system.base);
    const req = request({ host: '127.0.0.1', port, path, method, headers, localAddress }, (res) => {
      let html = '';
      res.setEncoding('utf8').on('data', (text: string) => {
        html += text;
      });
      res.on('end', () => {
        const cookies = res.headers['set-cookie'] ?? [];
        const session = cookies.find((one) => one.startsWith('cadastre_session='))?.split(';', 1)[0];
        resolve({ status: res.statusCode!, location: res.headers.location, session, html });
      });
    });
    req.once('error', reject).end();
  });
const byProxy = (path: string, headers: Record<string, string | string[]>) => from('127.0.0.2', path, headers);
const usersNamed = async (username: string) =>
  (await admin.read(`/api/users/users/?username=${username}`)).results as { id: number; groups: { name: string }[] }[];

describe('a proxy that says who comes', () => {
  test('begins a session for pages, which knows the groups of the header', async () => {
    const username = unique('ann');
    const headers = {
      'Remote-User': username,
      'Remote-User-Group': 'netops|elsewhere',
      'Remote-User-Email': 'a@x.example',
    };
    const sent = await byProxy('/user/sessions/', headers);
    expect([sent.status, sent.location]).toEqual([303, '/login/?next=%2Fuser%2Fsessions%2F']);
    const entered = await byProxy(sent.location!, headers);
    expect([entered.status, entered.location]).toEqual([303, '/user/sessions/']);
    const page = await byProxy('/user/sessions/', { ...headers, Cookie: entered.session! });
    expect([page.status, page.html.includes(username)]).toEqual([200, true]);
    expect(await usersNamed(username)).toEqual([
      expect.objectContaining({ email: 'a@x.example', groups: [expect.objectContaining({ name: 'netops' })] }),
    ]);
    // Without the header the session goes on, as in NetBox; with another name it does not.
    expect((await byProxy('/user/sessions/', { Cookie: entered.session! })).status).toBe(200);
    const other = await byProxy('/user/sessions/', { 'Remote-User': unique('bob'), Cookie: entered.session! });
    expect([other.status, other.location]).toEqual([303, '/login/?next=%2Fuser%2Fsessions%2F']);
    const [{ results }] = [
      await admin.read(`/api/core/security-events/?kind=login&method=remote&user_name=${username}`),
    ];
    expect(results).toEqual([expect.objectContaining({ method: 'remote' })]);
  });

  test('takes groups and the rights of superusers away with the next login', async () => {
    const username = unique('ann');
    const enter = (groups: string) => byProxy('/login/', { 'Remote-User': username, 'Remote-User-Group': groups });
    const mayRead = async ({ session }: Said) =>
      (await from('127.0.0.1', '/api/users/users/', { Cookie: session! })).status === 200;
    expect(await mayRead(await enter('netops|bosses'))).toBe(true);
    expect(await mayRead(await enter(''))).toBe(false);
    expect((await usersNamed(username))[0]!.groups).toEqual([]);
  });

  test.each(['127.0.0.1', '127.0.0.3'])('counts from its own address only, not from %s', async (address) => {
    const username = unique('mallory');
    const said = await from(address, '/login/', { 'Remote-User': username, 'X-Forwarded-For': '127.0.0.2' });
    expect([said.status, said.session]).toEqual([200, undefined]);
    expect(await usersNamed(username)).toEqual([]);
  });

  test('says nothing to the API', async () => {
    const said = await byProxy('/api/dcim/sites/', { 'Remote-User': 'admin' });
    expect([said.status, said.session]).toEqual([403, undefined]);
    expect((await from('127.0.0.2', '/api/dcim/sites/', { 'Remote-User': 'admin' }, 'POST')).status).toBe(403);
  });

  test('does not take over an account with a password', async () => {
    const said = await byProxy('/login/', { 'Remote-User': 'admin' });
    expect([said.status, said.session, problemIn(said.html)]).toEqual([
      403,
      undefined,
      'Your name belongs to another account here already. Please ask your administrator.',
    ]);
  });

  test('may not say two names', async () => {
    const said = await byProxy('/login/', { 'Remote-User': ['ann', 'bob'] });
    expect([said.status, said.session]).toEqual([400, undefined]);
    expect(problemIn((await byProxy('/login/', { 'Remote-User': 'a name' })).html)).toBe(
      'No account here can have your name. Please ask your administrator.',
    );
  });

  test('does not log in again who has just logged out', async () => {
    const headers = { 'Remote-User': unique('ann') };
    const { session } = await byProxy('/login/', headers);
    const said = await byProxy('/logout/', { ...headers, Cookie: session! });
    expect(said.location).toBe('/login/?left');
    expect((await byProxy('/login/?left', headers)).html).toContain('You are logged out.');
  });
});

describe('where passwords are turned off', () => {
  const enter = async (username: string, password: string, local: boolean) => {
    const browser = jar();
    const page = await browser.ask(here(local ? '/login/?local' : '/login/'));
    const form = { username, password, csrf_token: csrfTokenIn(page.html), ...(local ? { local: '1' } : {}) };
    return { page, answer: await browser.post(here('/login/'), form), browser };
  };

  test('there is no form, and one that is sent all the same does not count', async () => {
    const { page, answer, browser } = await enter('admin', PASSWORD, false);
    expect(page.html).not.toContain('name="password"');
    expect(page.html).toContain('Log in with single sign-on');
    expect(answer.status).toBe(403);
    expect(browser.cookies(system.base).has('cadastre_session')).toBe(false);
  });

  test('superusers have a way in', async () => {
    const { answer } = await enter('admin', PASSWORD, true);
    expect([answer.status, answer.location]).toEqual([303, here('/')]);
  });

  test('nobody else has, and nobody learns what a password is worth', async () => {
    const username = unique('ann');
    await admin.make('/api/users/users/', { username, password: 'Correct horse battery 1' });
    const right = await enter(username, 'Correct horse battery 1', true);
    const wrong = await enter(username, 'Wrong horse battery 1', true);
    expect([right.answer.status, problemIn(right.answer.html)]).toEqual([403, 'Invalid username or password.']);
    expect(problemIn(wrong.answer.html)).toBe(problemIn(right.answer.html));
    const provision = (name: string, password: string) =>
      admin.as().post('/api/users/tokens/provision/', { username: name, password });
    expect((await provision(username, 'Correct horse battery 1')).status).toBe(403);
    expect((await provision('admin', PASSWORD)).status).toBe(201);
  });
});

describe('a provider that cannot be reached', () => {
  test('keeps nothing from starting, and is named in the log', () => {
    expect(system.output()).toContain('the provider of identities OIDC_ISSUER cannot be reached');
    expect(system.output()).toContain(issuer);
    expect(system.output()).not.toContain('a-secret-of-the-provider');
  });

  test('is said on the login page after an attempt', async () => {
    const shown = await jar().go(here('/oauth/login/oidc/?next=/dcim/sites/'));
    expect([shown.status, problemIn(shown.html)]).toEqual([
      503,
      'The login service cannot be reached at present. Please try again later.',
    ]);
  });
});
