import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { expect, test } from '@jest/globals';
import { openAccounts } from '../services/auth/accounts/admin/open.ts';
import { authDatabase } from '../tools/admin/auth-database.ts';
import { runByHand } from '../tools/admin/by-hand.ts';
import { UsageError } from '../tools/admin/command.ts';
import { generated, newPassword } from '../tools/admin/passwords.ts';
import type { Body } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { useSystem } from './support/system.ts';
import { unique } from './support/unique.ts';
import { userWith } from './support/users.ts';
import { logIn } from './support/pages/visitor.ts';

const used = useSystem();
const program = resolve(import.meta.dirname, '../tools/admin/main.ts');
const good = 'Correct-Horse-10';

/** `npm run admin -- users …` with access to the database, with `input` on its standard input. */
function admin(words: string[], input = '', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: used.system.postgres,
      ...env,
    },
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  child.stdin.end(input);
  return new Promise<{ code: number | null; out: string; err: string }>((done) => {
    child.once('close', (code) => done({ code, ...said }));
  });
}

/**
 * Runs the command in this process: most of these tests are not about the process, which takes a second or two to
 * load.
 */
async function byHand(words: string[], input = '', env: Record<string, string> = {}) {
  const settings = { DATABASE_URL: used.system.postgres, ...env };
  const said = { out: '', err: '' };
  try {
    const { close, ...accounts } = await openAccounts(authDatabase(settings), settings, 'npm run admin');
    await runByHand(words.filter((word) => !word.startsWith('--')).slice(1), {
      accounts,
      print: (line) => {
        said.out += `${line}\n`;
      },
      superuser: words.includes('--superuser'),
      generate: words.includes('--generate'),
      password: async (user) => newPassword(user, Readable.from([input]) as unknown as NodeJS.ReadStream),
      generated,
    }).finally(close);
    return { code: 0, ...said };
  } catch (error) {
    return { code: error instanceof UsageError ? 2 : 1, ...said, err: `${(error as Error).message}\n` };
  }
}

const canLogIn = async (username: string, password: string): Promise<boolean> => {
  const { status } = await used.admin.post('/api/users/tokens/provision/', { username, password });
  return status === 201;
};
const securityEvents = async (query: string): Promise<Body[]> =>
  ((await used.admin.get(`/api/core/security-events/?limit=1000&${query}`)).body as { results: Body[] }).results;

test('a superuser is made where nobody can log in, with a password that is printed once', async () => {
  const name = unique('chief');
  const { code, out, err } = await admin(['user', 'create', name, '--superuser', '--generate']);
  expect([code, err]).toEqual([0, '']);
  const password = /^password: (\S{20})$/m.exec(out)![1]!;
  expect(out).toBe(`Made the superuser ${name}.\npassword: ${password}\n`);
  const session = await logIn(used.system.base, name, password);
  expect(session.status).toBe(303);
  // Superusers may do anything, such as reading what no permission grants.
  const token = (await used.admin.post('/api/users/tokens/provision/', { username: name, password, version: 1 }))
    .body as Body;
  const own = await fetch(`${used.system.base}/api/users/users/?username=${name}`, {
    headers: { authorization: `Token ${token.token}` },
  });
  const [{ id }] = ((await own.json()) as { results: Body[] }).results as [Body];
  const events = await securityEvents(`object_type=users.user&object_id=${id}`);
  expect(events.map(({ kind, user_name: by, detail }) => [kind.value, by, detail])).toEqual([
    ['rights_changed', 'npm run admin', `user ${name} created`],
  ]);
  const records = await eventually(async () => {
    const { results } = await used.admin.read(
      `/api/core/object-changes/?changed_object_type=users.user&changed_object_id=${id}`,
    );
    expect(results).toHaveLength(1);
    return results as Body[];
  });
  expect(records[0]).toMatchObject({ action: { value: 'create' }, user_name: 'npm run admin' });
  expect(JSON.stringify(records)).not.toContain(password);
  expect(await byHand(['user', 'create', name.toUpperCase(), '--generate'])).toMatchObject({
    code: 1,
    out: '',
    err: `There is a user ${name} already.\n`,
  });
});

test('a lost password is replaced: the old one and its sessions end, and tokens go on', async () => {
  const { client, name, id } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
  const session = await logIn(used.system.base, name, 'Correct-Horse-9');
  expect((await session.get('/user/profile/')).status).toBe(200);
  const { code, out, err } = await admin(['users', 'reset-password', name], `${good}\nmore`);
  expect([code, out, err]).toEqual([0, `${name} has another password; all its sessions have ended.\n`, '']);
  expect(await canLogIn(name, 'Correct-Horse-9')).toBe(false);
  expect(await canLogIn(name, good)).toBe(true);
  await eventually(async () => expect((await session.get('/user/profile/')).status).not.toBe(200));
  expect((await client.get('/api/dcim/sites/?limit=1')).status).toBe(200);
  expect(
    (await securityEvents(`object_type=users.user&object_id=${id}&kind=password_changed`)).map((one) => one.user_name),
  ).toEqual(['npm run admin']);
});

test('an account is turned off with its sessions and tokens, and on again', async () => {
  const { client, name } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
  expect(await byHand(['users', 'disable', name])).toMatchObject({ code: 0, out: `${name} is turned off.\n` });
  await eventually(async () => expect((await client.get('/api/dcim/sites/?limit=1')).status).toBe(403));
  expect(await byHand(['users', 'reset-password', name], good)).toMatchObject({
    code: 0,
    out: expect.stringContaining(`The account is turned off: "users enable ${name}" turns it on.`),
  });
  expect((await byHand(['users', 'list'])).out).toMatch(
    new RegExp(`^${name}  user  turned off  password  0 second factors  never logged in$`, 'm'),
  );
  expect(await byHand(['users', 'enable', name])).toMatchObject({ code: 0, out: `${name} is turned on.\n` });
  await eventually(async () => expect((await client.get('/api/dcim/sites/?limit=1')).status).toBe(200));
  expect(await canLogIn(name, good)).toBe(true);
});

test('second factors that were lost are taken away, and the user is told', async () => {
  const { client, name, id } = await userWith(used.admin, { actions: ['view'] });
  expect(await byHand(['users', 'reset-factors', name, '--database'])).toMatchObject({
    code: 0,
    out: `${name} has no second factor.\n`,
  });
  const database = new pg.Client({ connectionString: new URL('/cadastre_auth', used.system.postgres).toString() });
  await database.connect();
  await database
    .query(`insert into user_factor (user_id, kind, name) values ($1, 'passkey', 'lost')`, [id])
    .finally(() => database.end());
  expect((await byHand(['users', 'list'])).out).toMatch(new RegExp(`^${name}  user .* 1 second factor  `, 'm'));
  expect(await byHand(['users', 'reset-factors', name, '--database'])).toMatchObject({
    code: 0,
    out: `${name} had 1 second factor and has none now.\n`,
  });
  const [event] = await securityEvents(`object_type=users.user&object_id=${id}&kind=factor_changed`);
  expect(event).toMatchObject({ user_name: 'npm run admin', detail: 'reset: 1' });
  await eventually(async () =>
    expect((await client.read('/api/extras/notifications/')).results).toMatchObject([
      { display: `${name}: second factors removed by npm run admin` },
    ]),
  );
});

test('what cannot be done is said, and changes nothing', async () => {
  const { name } = await userWith(used.admin);
  const told = ({ code, out, err }: Awaited<ReturnType<typeof admin>>) => [code, out, err.trim().split('\n')[0]];
  const refused = async (...given: Parameters<typeof byHand>) => told(await byHand(...given));
  const reset = ['users', 'reset-password', name];
  expect(await refused(reset, 'short')).toEqual([1, '', expect.stringContaining('This password is too short.')]);
  expect(await refused(reset, 'Password-2026')).toEqual([1, '', 'This password is too common.']);
  expect(await refused(reset, good, { PASSWORD_MIN_LENGTH: '30' })).toEqual([
    1,
    '',
    expect.stringContaining('at least 30 characters'),
  ]);
  expect(await refused([...reset, '--generate'], '', { PASSWORD_MIN_LENGTH: '30' })).toEqual([
    1,
    '',
    'The settings for passwords refuse what --generate makes: give one.',
  ]);
  expect(await refused(reset)).toEqual([1, '', 'No password was given.']);
  expect(await refused(['users', 'reset-password', 'nobody-of-that-name'], good)).toEqual([
    1,
    '',
    'There is no user nobody-of-that-name.',
  ]);
  expect(await refused(['users', 'create', 'a b'], good)).toEqual([
    1,
    '',
    expect.stringContaining('cannot be a user name'),
  ]);
  expect(told(await admin(['users', 'create']))).toEqual([2, '', 'Name one user.']);
  expect(await refused(['users', 'list', 'x'])).toEqual([2, '', 'users list: it takes no name.']);
  expect(await canLogIn(name, 'Correct-Horse-9')).toBe(true);
  const elsewhere = new URL(used.system.postgres);
  elsewhere.pathname = '/cadastre_dcim';
  expect(await refused(['users', 'list'], '', { AUTH_DATABASE_URL: elsewhere.toString() })).toEqual([
    1,
    '',
    'This is not the database of the auth service (usually called cadastre_auth).',
  ]);
});
