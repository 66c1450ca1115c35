import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dnOf, groupDn, memberLdif, slapdIsThere, WITHOUT_SLAPD } from '../../../../tools/testing/servers/slapd.ts';
import { SECRET, startWithDirectory, type WithDirectory } from '../../../support/identity/directory.ts';
import { eventually } from '../../../support/eventually.ts';
import { codeOf, enrol, onAuth } from '../../../support/identity/factors.ts';
import { Jar } from '../../../support/pages/jar.ts';

if (!slapdIsThere) console.info(`Skipped: second factors with passwords of a directory. ${WITHOUT_SLAPD}`);

const second = { selector: 'form:has([name="code"])' };
const factors = '/user/factors/';
const tokens = '/user/api-tokens/';
const newToken = { selector: 'main form.panel' };

(slapdIsThere ? describe : describe.skip)('a second factor with a password of the directory', () => {
  let used: WithDirectory;
  beforeAll(async () => {
    used = await startWithDirectory(['ldap-staff', 'ldap-secured'], {
      LDAP_REQUIRE_GROUP: groupDn('ldap-staff'),
      LDAP_GROUP_MAP: '{"ldap-secured": "Must have a second factor"}',
      SECOND_FACTOR_GROUPS: 'Must have a second factor',
      REAUTH_SECONDS: '900',
    });
  });
  afterAll(() => used?.stop());

  const sql = <T extends Record<string, unknown>>(text: string, values: unknown[]) =>
    onAuth<T>({ postgres: used.system.databaseUrl('auth') }, text, values);
  const newJar = () => new Jar(used.system.base);
  const provision = (username: string, more: object = {}) =>
    used.admin.as().post('/api/users/tokens/provision/', { username, password: SECRET, ...more });
  const methodsOf = async (username: string): Promise<string[]> =>
    (
      await sql<{ method: string }>(
        'select s.method from user_session s join users_user u on u.id = s.user_id where u.username = $1 order by s.id',
        [username],
      )
    ).map(({ method }) => method);

  /** A user of the directory who has set up an authenticator app. */
  async function withApp(...groups: string[]) {
    const uid = await used.person('ldap-staff', ...groups);
    const jar = newJar();
    await jar.logIn(uid, SECRET);
    return { uid, jar, ...(await enrol(jar)) };
  }

  test('the password begins no session, a code does, and the record says how', async () => {
    const { uid, secret, codes } = await withApp();
    expect(codes).toHaveLength(10);
    const jar = newJar();
    const asked = await jar.logIn(uid, SECRET, '/user/sessions/');
    expect([asked.status, jar.inSession, asked.html.includes('Second step')]).toEqual([200, false, true]);
    const wrong = await jar.send(asked, { code: '000000' }, second);
    expect([wrong.status, jar.inSession]).toEqual([403, false]);
    const entered = await jar.send(wrong, { code: codeOf(secret) }, second);
    expect([entered.status, entered.location, jar.inSession]).toEqual([303, '/user/sessions/', true]);
    expect(await methodsOf(uid)).toEqual(['ldap', 'ldap+totp']);
    const other = newJar();
    const byRecovery = await other.send(await other.logIn(uid.toUpperCase(), SECRET), { code: codes[0]! }, second);
    expect([byRecovery.status, other.inSession]).toEqual([303, true]);
    const { id } = await used.userOf(uid);
    const { results } = await used.admin.read(`/api/core/security-events/?user_id=${id}&kind=login&ordering=id`);
    expect(results.map((one: { method: string }) => one.method)).toEqual(['ldap', 'ldap+totp', 'ldap+recovery']);
  });

  test('a wrong password of the directory tells nothing of a second factor', async () => {
    const { uid } = await withApp();
    const [one, other] = [await newJar().logIn(uid, 'Wrong-Horse-9'), await newJar().logIn('nobody-there', 'x')];
    expect([one.status, other.status, one.html.includes('Second step')]).toEqual([403, 403, false]);
    expect(one.html).toContain('Invalid username or password.');
  });

  test('a token for the password takes a code, too', async () => {
    const { uid, secret } = await withApp();
    expect(await provision(uid)).toMatchObject({ status: 403, body: { detail: expect.stringContaining('as `code`') } });
    expect((await provision(uid, { code: '000000' })).status).toBe(403);
    const code = codeOf(secret);
    expect((await provision(uid, { code, password: 'Wrong-Horse-9' })).body).toEqual({
      detail: 'Invalid username/password',
    });
    const made = await provision(uid, { code });
    expect([made.status, made.body.user]).toMatchObject([201, { username: uid }]);
    expect((await provision(uid, { code })).status).toBe(403);
  });

  describe('of whom the directory has in a group that must have one', () => {
    test('leads to setting it up at the first login, and does nothing else until then', async () => {
      const uid = await used.person('ldap-staff', 'ldap-secured');
      expect(await provision(uid)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('needs a second factor') },
      });
      const jar = newJar();
      expect((await jar.logIn(uid, SECRET)).status).toBe(303);
      for (const path of ['/', '/user/profile/', '/dcim/sites/'])
        expect([path, (await jar.get(path)).location]).toEqual([path, factors]);
      const { secret } = await enrol(jar);
      expect((await jar.get('/user/profile/')).status).toBe(200);
      expect((await provision(uid, { code: codeOf(secret) })).status).toBe(201);
    });

    test('counts from the login on that tells of the group, and no longer than the group', async () => {
      const uid = await used.person('ldap-staff');
      const before = newJar();
      await before.logIn(uid, SECRET);
      expect((await before.get('/user/profile/')).status).toBe(200);
      await used.slapd.change(memberLdif('add', 'ldap-secured', dnOf(uid)));
      const during = newJar();
      await during.logIn(uid, SECRET);
      expect((await during.get('/user/profile/')).location).toBe(factors);
      // Existing sessions are redirected there, too, once the gateway has heard of the group.
      await eventually(async () => expect((await before.get('/user/profile/')).location).toBe(factors));
      await used.slapd.change(memberLdif('delete', 'ldap-secured', dnOf(uid)));
      const after = newJar();
      await after.logIn(uid, SECRET);
      expect((await after.get('/user/profile/')).status).toBe(200);
    });
  });

  describe('as a fresh proof', () => {
    /** Makes the re-authentication of a user's sessions too old; what the gateway has cached of it is invalidated. */
    async function ages(username: string): Promise<void> {
      const { id } = await used.userOf(username);
      await sql("update user_session set proved = now() - interval '1 hour' where user_id = $1", [id]);
      await used.admin.patch(`/api/users/users/${id}/`, { last_name: `aged ${Date.now()}` });
    }
    const tokensOf = async (username: string): Promise<number> =>
      (await used.admin.read(`/api/users/tokens/?user=${username}`)).count;

    test('it is the password of the directory, for who has no second factor', async () => {
      const uid = await used.person('ldap-staff');
      const jar = newJar();
      await jar.logIn(uid, SECRET);
      const page = await jar.get(tokens);
      await ages(uid);
      const asked = await jar.send(await jar.send(page, { description: 'later' }, newToken));
      expect([asked.status, asked.html.includes('type="password"')]).toEqual([200, true]);
      const wrong = await jar.send(asked, { password: 'Wrong-Horse-9' });
      expect([wrong.status, wrong.html.includes('not your password')]).toEqual([403, true]);
      await used.slapd.pause();
      try {
        expect((await jar.send(wrong, { password: SECRET })).status).toBe(503);
      } finally {
        await used.slapd.go();
      }
      await jar.send(await jar.send(wrong, { password: SECRET }));
      expect(await tokensOf(uid)).toBe(1);
    });

    test('it is a code, for who has one: the password is not enough', async () => {
      const { uid, jar, secret } = await withApp();
      const page = await jar.get(tokens);
      await ages(uid);
      const asked = await jar.send(await jar.send(page, { description: 'by code' }, newToken));
      expect([asked.html.includes('type="password"'), asked.html.includes('name="code"')]).toEqual([false, true]);
      const csrfToken = /name="csrf_token" value="([^"]*)"/.exec(asked.html)![1]!;
      await jar.post('/reauthenticate/', { csrf_token: csrfToken, password: SECRET });
      expect((await jar.send(await jar.get(tokens), { description: 'x' }, newToken)).status).toBe(403);
      await jar.send(await jar.send(asked, { code: codeOf(secret) }));
      expect(await tokensOf(uid)).toBe(1);
    });
  });

  test('while the directory is away nobody gets to the second step', async () => {
    const { uid, secret } = await withApp();
    await used.slapd.pause();
    try {
      expect((await provision(uid, { code: codeOf(secret) })).status).toBe(503);
    } finally {
      await used.slapd.go();
    }
    expect((await provision(uid, { code: codeOf(secret) })).status).toBe(201);
  });
});
