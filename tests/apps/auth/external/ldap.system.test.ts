import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificateFile } from '../../../../tools/testing/certificates/index.ts';
import { PASSWORD, startSystem, type System } from '../../../../tools/testing/fresh-system.ts';
import {
  dnOf,
  groupDn,
  groupLdif,
  lockLdif,
  memberLdif,
  personLdif,
  READER_PASSWORD,
  type Slapd,
  slapdIsThere,
  startSlapd,
  WITHOUT_SLAPD,
} from '../../../../tools/testing/servers/slapd.ts';
import { type Body, Client } from '../../../support/client.ts';
import { directorySettings, SECRET } from '../../../support/identity/directory.ts';
import { eventually } from '../../../support/eventually.ts';
import { unique } from '../../../support/unique.ts';
import { logIn } from '../../../support/pages/visitor.ts';

if (!slapdIsThere) console.info(`Skipped: logins with passwords of a directory. ${WITHOUT_SLAPD}`);

const provision = '/api/users/tokens/provision/';

(slapdIsThere ? describe : describe.skip)('logins with passwords of a directory', () => {
  let slapd: Slapd;
  let system: System;
  let admin: Client;
  const settings = (): Record<string, string> => ({
    ...directorySettings(slapd),
    LDAP_NESTED_GROUPS: 'search',
    LDAP_REQUIRE_GROUP: groupDn('ldap-staff'),
    LDAP_DENY_GROUP: 'ldap-suspended',
    LDAP_SUPERUSER_GROUPS: groupDn('ldap-admins'),
    LDAP_GROUP_MAP: '{"ldap-noc": "Network operations"}',
  });

  /** A new person in the directory, who may log in. */
  async function person(more: Record<string, string> = {}, ...groups: string[]): Promise<string> {
    const uid = unique('ldap');
    await slapd.change(
      [
        personLdif(uid, SECRET, more),
        ...['ldap-staff', ...groups].map((name) => memberLdif('add', name, dnOf(uid))),
      ].join('\n'),
    );
    return uid;
  }
  const userOf = async (username: string) =>
    (await admin.read(`/api/users/users/?username=${encodeURIComponent(username)}`)).results[0];
  const groupsOf = async (username: string) =>
    ((await userOf(username)).groups as { name: string }[]).map(({ name }) => name).sort();
  /** Each login comes from an address of its own, unless headers are given. */
  let addresses = 0;
  const address = () => ({ 'X-Forwarded-For': `198.18.7.${(addresses += 1)}` });
  const enter = (username: string, password: string, headers = address()) =>
    logIn(system.base, username, password, undefined, headers);
  const token = (username: string, password: string, headers: Record<string, string> = address()) =>
    admin.as().post(provision, { username, password }, headers);

  beforeAll(async () => {
    slapd = await startSlapd();
    await slapd.change(
      [
        ...['ldap-staff', 'ldap-noc', 'ldap-suspended', 'ldap-admins'].map((name) => groupLdif(name)),
        groupLdif('ldap-technicians', groupDn('ldap-noc')),
      ].join('\n'),
    );
    system = await startSystem(settings());
    admin = new Client(system.base, `Token ${system.token}`);
  });
  afterAll(async () => {
    await system?.stop();
    await slapd?.stop();
  });

  test('the first one makes the user, with the names and groups of the directory', async () => {
    const uid = await person({ givenName: 'Ada', sn: 'Lövelace', mail: 'ada@example.org' }, 'ldap-noc');
    const session = await enter(uid, SECRET);
    expect([session.status, session.location]).toEqual([303, '/']);
    expect((await session.get('/user/password/')).status).toBe(200);
    expect(await userOf(uid)).toMatchObject({
      username: uid,
      first_name: 'Ada',
      last_name: 'Lövelace',
      email: 'ada@example.org',
      is_active: true,
    });
    expect(await groupsOf(uid)).toEqual(['Network operations', 'ldap-staff', 'ldap-technicians']);
    const changes = await admin.read(
      `/api/core/object-changes/?changed_object_type=users.user&changed_object_id=${(await userOf(uid)).id}`,
    );
    expect(JSON.stringify(changes)).not.toContain(SECRET);
  });

  test('the record of who came says how', async () => {
    const uid = await person();
    await enter(uid, SECRET);
    await token(uid, SECRET);
    await token(uid, 'wrong');
    const { id } = await userOf(uid);
    await eventually(async () => {
      const { results } = await admin.read(`/api/core/security-events/?user_id=${id}`);
      expect(
        results.map((event: Body) => [event.kind.value, event.result.value, event.method, event.user_name]).sort(),
      ).toEqual(
        expect.arrayContaining([
          ['login', 'failure', 'ldap', uid],
          ['login', 'success', 'ldap', uid],
          ['token_provisioned', 'success', 'ldap', uid],
        ]),
      );
      expect(JSON.stringify(results)).not.toContain(SECRET);
    });
  });

  test('each one brings the user to what the directory says by now', async () => {
    const uid = await person({ givenName: 'Bea' }, 'ldap-noc');
    expect((await enter(uid.toUpperCase(), SECRET)).status).toBe(303);
    const { id } = await userOf(uid);
    // What is given here stays.
    const { id: group } = await admin.make('/api/users/groups/', { name: unique('here') });
    await admin.patch(`/api/users/users/${id}/`, {
      groups: [...(await userOf(uid)).groups.map((one: { id: number }) => one.id), group],
    });
    await slapd.change(
      [
        memberLdif('delete', 'ldap-noc', dnOf(uid)),
        `dn: ${dnOf(uid)}\nchangetype: modify\nreplace: givenName\ngivenName: Beatrix\n`,
      ].join('\n'),
    );
    expect(await groupsOf(uid)).toContain('Network operations');
    expect((await enter(uid, SECRET)).status).toBe(303);
    expect(await userOf(uid)).toMatchObject({ id, first_name: 'Beatrix' });
    expect(await groupsOf(uid)).toEqual([expect.stringMatching(/^here/), 'ldap-staff']);
  });

  test('a token for a password of the directory', async () => {
    const uid = await person();
    const { status, body } = await token(uid, SECRET);
    expect([status, body.user]).toMatchObject([201, { username: uid }]);
    const own = admin.as(`Bearer svc_${body.key}.${body.token}`);
    expect((await own.get('/api/authentication-check/')).body).toMatchObject({ username: uid });
    const wrong = await token(uid, 'wrong');
    expect([wrong.status, wrong.body]).toEqual([403, { detail: 'Invalid username/password' }]);
  });

  test('nobody comes in with another password, an empty one, or a name that is written as a filter', async () => {
    const uid = await person();
    const answers: string[] = [];
    for (const [name, password] of [
      [uid, 'wrong'],
      [unique('nobody'), SECRET],
      ['*', SECRET],
      ['*)(uid=*', SECRET],
      [`${uid})(objectClass=*`, SECRET],
      [`${uid}*`, SECRET],
      [dnOf(uid), SECRET],
    ] as const) {
      const { status, html, setCookie } = await enter(name, password);
      expect([name, status, setCookie]).toEqual([name, 403, undefined]);
      answers.push(/Invalid username or password\./.exec(html)?.[0] ?? html);
    }
    expect(new Set(answers).size).toBe(1);
    expect((await enter(uid, '')).status).toBe(400);
    expect((await token(uid, '')).status).toBe(400);
    expect((await token(uid, ' ')).status).toBe(400);
    // None of these attempts has created a user.
    expect(await userOf(uid)).toBeUndefined();
  });

  test('wrong passwords are limited like those of accounts with a password here', async () => {
    const uid = await person();
    const from = address();
    for (let i = 0; i < 10; i += 1) expect((await token(uid, 'wrong', from)).status).toBe(403);
    const { status, headers } = await token(uid, SECRET, from);
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await enter(uid, SECRET, from)).status).toBe(429);
    expect((await enter(uid, SECRET)).status).toBe(303);
  });

  test('a user outside the required group, or in a denied one, gets the answer of a wrong password', async () => {
    const uid = await person();
    expect((await enter(uid, SECRET)).status).toBe(303);
    await slapd.change(memberLdif('delete', 'ldap-staff', dnOf(uid)));
    expect((await enter(uid, SECRET)).status).toBe(403);
    await slapd.change(memberLdif('add', 'ldap-staff', dnOf(uid)));
    expect((await enter(uid, SECRET)).status).toBe(303);
    await slapd.change(memberLdif('add', 'ldap-suspended', dnOf(uid)));
    expect((await enter(uid, SECRET)).html).toContain('Invalid username or password.');
  });

  test('superusers by a group, for as long as they are in it', async () => {
    const uid = await person({}, 'ldap-admins');
    const may = async () => {
      const { key, token: secret } = (await token(uid, SECRET)).body;
      return (await admin.as(`Bearer svc_${key}.${secret}`).post('/api/users/groups/', { name: unique('made') }))
        .status;
    };
    expect(await may()).toBe(201);
    await slapd.change(memberLdif('delete', 'ldap-admins', dnOf(uid)));
    expect(await may()).toBe(403);
  });

  test('an entry that is locked or gone, and a user who is not active here', async () => {
    const [locked, gone, inactive] = [await person(), await person(), await person()];
    for (const uid of [locked, gone, inactive]) expect((await enter(uid, SECRET)).status).toBe(303);
    await slapd.change(`${lockLdif(locked)}\ndn: ${dnOf(gone)}\nchangetype: delete\n`);
    expect((await admin.patch(`/api/users/users/${(await userOf(inactive)).id}/`, { is_active: false })).status).toBe(
      200,
    );
    for (const uid of [locked, gone, inactive]) expect((await enter(uid, SECRET)).status).toBe(403);
    // Another person who is given the name of a former user does not get that user's account.
    await slapd.change(personLdif(gone, SECRET));
    expect((await enter(gone, SECRET)).status).toBe(403);
  });

  test('who has a password here logs in with that, and with none of the directory', async () => {
    const uid = await person();
    const password = 'Correct horse battery 1';
    await admin.make('/api/users/users/', { username: uid, password });
    expect((await enter(uid, SECRET)).status).toBe(403);
    expect((await enter(uid.toUpperCase(), SECRET)).status).toBe(403);
    expect((await enter(uid, password)).status).toBe(303);
    await slapd.change(`${personLdif('admin', SECRET)}\n${memberLdif('add', 'ldap-staff', dnOf('admin'))}`);
    expect((await enter('Admin', SECRET)).status).toBe(403);
    expect((await enter('admin', PASSWORD)).status).toBe(303);
  });

  test('who came from a NetBox without a password there keeps the account', async () => {
    const uid = await person();
    const { id } = await admin.make('/api/users/users/', { username: uid, password: 'Correct horse battery 1' });
    const database = new pg.Client({ connectionString: system.databaseUrl('auth') });
    await database.connect();
    try {
      await database.query('update users_user set password = $2 where id = $1', [id, `!${'x'.repeat(40)}`]);
    } finally {
      await database.end();
    }
    expect((await enter(uid, SECRET)).status).toBe(303);
    expect(await userOf(uid)).toMatchObject({ id });
    expect(await groupsOf(uid)).toEqual(['ldap-staff']);
  });

  test('a password of the directory is not changed here', async () => {
    const uid = await person();
    const { key, token: secret } = (await token(uid, SECRET)).body;
    const { status, body } = await admin
      .as(`Bearer svc_${key}.${secret}`)
      .post('/api/users/password/', { current_password: SECRET, password: 'Another horse battery 2' });
    expect([status, body]).toEqual([400, { non_field_errors: [expect.stringContaining('is not kept here')] }]);
    const session = await enter(uid, SECRET);
    const page = await session.post('/user/password/', {
      csrf_token: await session.csrfToken('/user/password/'),
      current_password: SECRET,
      password: 'Another horse battery 2',
      again: 'Another horse battery 2',
      password_again: 'Another horse battery 2',
    });
    expect([page.status, page.html]).toEqual([400, expect.stringContaining('is not kept here')]);
    expect((await enter(uid, SECRET)).status).toBe(303);
  });

  describe('while the directory is away', () => {
    test('its users hear that, which counts for nothing; others log in', async () => {
      const uid = await person();
      const from = address();
      await slapd.pause();
      try {
        for (let i = 0; i < 12; i += 1) {
          const { status, body } = await token(uid, SECRET, from);
          expect([status, body.detail]).toEqual([503, expect.stringMatching(/cannot be checked at present/)]);
        }
        const page = await attempt(uid, SECRET, from);
        expect([page.status, page.html]).toEqual([503, expect.stringContaining('cannot be checked at present')]);
        expect((await enter('admin', PASSWORD)).status).toBe(303);
      } finally {
        await slapd.go();
      }
      expect((await enter(uid, SECRET, from)).status).toBe(303);
      expect(system.output()).toContain('the directory could not check a password');
    });

    test('the system starts, and says in its log why nobody of it can log in', async () => {
      const uid = await person();
      await system.stop({ keep: true });
      const wrong = { LDAP_URL: slapd.tls, LDAP_START_TLS: 'false', LDAP_CA_FILE: certificateFile('peers.pem') };
      system = await startSystem({ ...settings(), ...wrong }, system.folder);
      try {
        admin = new Client(system.base, `Token ${system.token}`);
        await eventually(async () => {
          expect(system.output()).toContain('the directory cannot be asked');
          expect(system.output()).toContain(slapd.tls);
        });
        expect((await token(uid, SECRET)).status).toBe(503);
        expect((await enter('admin', PASSWORD)).status).toBe(303);
        for (const secret of [READER_PASSWORD, SECRET]) expect(system.output()).not.toContain(secret);
      } finally {
        await system.stop({ keep: true });
        const right = { LDAP_URL: slapd.tls, LDAP_START_TLS: 'false', LOCAL_LOGIN: 'false' };
        system = await startSystem({ ...settings(), ...right }, system.folder);
        admin = new Client(system.base, `Token ${system.token}`);
      }
      expect((await enter(uid, SECRET)).status).toBe(303);
    });

    // The system has been started with this setting above.
    test('passwords that are kept here may be turned off; those of the directory go on to count', async () => {
      const username = unique('local');
      const password = 'Correct horse battery 1';
      await admin.make('/api/users/users/', { username, password });
      const uid = await person();
      expect((await enter(username, password)).status).toBe(403);
      expect((await token(username, password)).status).toBe(403);
      expect((await enter(uid, SECRET)).status).toBe(303);
      expect((await token(uid, SECRET)).status).toBe(201);
    });
  });

  /** Like `enter`, but tries again when it is told to come later. */
  async function attempt(username: string, password: string, headers: Record<string, string>) {
    const page = await fetch(`${system.base}/login/`, { headers });
    const cookie = page.headers.getSetCookie()[0]!.split(';', 1)[0]!;
    const csrfToken = /name="csrf_token" value="([^"]*)"/.exec(await page.text())![1]!;
    const answer = await fetch(`${system.base}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...headers, cookie },
      body: new URLSearchParams({ username, password, csrf_token: csrfToken }),
    });
    return { status: answer.status, html: await answer.text() };
  }
});
