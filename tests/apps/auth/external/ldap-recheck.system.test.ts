import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  dnOf,
  groupDn,
  lockLdif,
  memberLdif,
  personLdif,
  slapdIsThere,
  WITHOUT_SLAPD,
} from '../../../../tools/testing/servers/slapd.ts';
import type { Client } from '../../../support/client.ts';
import { SECRET, startWithDirectory, type WithDirectory } from '../../../support/identity/directory.ts';
import { eventually } from '../../../support/eventually.ts';
import { logIn, type Session } from '../../../support/pages/visitor.ts';

if (!slapdIsThere) console.info(`Skipped: looks at a directory. ${WITHOUT_SLAPD}`);

(slapdIsThere ? describe : describe.skip)('somebody whom the directory lets in no more', () => {
  let used: WithDirectory;
  beforeAll(async () => {
    used = await startWithDirectory(['ldap-staff', 'ldap-noc'], {
      LDAP_REQUIRE_GROUP: groupDn('ldap-staff'),
      LDAP_RECHECK_SECONDS: '1',
      // The tests have few accounts, and all of them are disabled in the end.
      LDAP_RECHECK_MAX_PERCENT: '100',
      // So that only an invalidation makes the gateway forget a token.
      TOKEN_CACHE_SECONDS: '3600',
    });
  });
  afterAll(() => used?.stop());

  /** A user who has logged in, with a token. */
  async function somebody(...groups: string[]) {
    const uid = await used.person('ldap-staff', ...groups);
    const session = await logIn(used.system.base, uid, SECRET);
    const { body } = await used.admin.as().post('/api/users/tokens/provision/', { username: uid, password: SECRET });
    const token = used.admin.as(`Bearer svc_${body.key}.${body.token}`);
    await isIn({ session, token });
    return { uid, session, token, id: (await used.userOf(uid)).id as number };
  }
  const isIn = async ({ session, token }: { session: Session; token: Client }) =>
    expect([
      (await session.get('/user/profile/')).status,
      (await token.get('/api/authentication-check/')).status,
    ]).toEqual([200, 200]);
  const isOut = ({ session, token }: { session: Session; token: Client }) =>
    eventually(async () => {
      const page = await session.get('/user/profile/');
      expect([page.status, page.location]).toEqual([303, expect.stringContaining('/login/')]);
      expect(await token.get('/api/authentication-check/')).toMatchObject({
        status: 403,
        body: { detail: 'User inactive' },
      });
    });
  const isActive = (uid: string, active: boolean) =>
    eventually(async () => expect((await used.userOf(uid)).is_active).toBe(active));
  const eventsOf = async (id: number): Promise<string[]> =>
    (await used.admin.read(`/api/core/security-events/?kind=external_account&user_id=${id}&ordering=id`)).results.map(
      ({ method, detail }: { method: string; detail: string }) => `${method}: ${detail}`,
    );

  test('has neither sessions nor tokens, and both are on record', async () => {
    const gone = await somebody();
    await used.slapd.change(`dn: ${dnOf(gone.uid)}\nchangetype: delete\n`);
    await isOut(gone);
    expect(await eventsOf(gone.id)).toEqual(['ldap: created', 'ldap: turned off: gone from the directory']);
    const { results } = await used.admin.read(
      `/api/core/object-changes/?changed_object_type=users.user&changed_object_id=${gone.id}&ordering=-time&limit=1`,
    );
    expect(results[0]).toMatchObject({
      message: 'Turned off: gone from the directory.',
      user: null,
      prechange_data: { is_active: true },
      postchange_data: { is_active: false },
    });
    // Another person with the same name does not enable the account; the group still has the DN.
    await used.slapd.change(personLdif(gone.uid, SECRET));
    expect((await logIn(used.system.base, gone.uid, SECRET)).status).toBe(403);
    expect((await used.userOf(gone.uid)).is_active).toBe(false);
  });

  test('comes back with the required group: the token goes on, the session does not', async () => {
    const left = await somebody();
    await used.slapd.change(memberLdif('delete', 'ldap-staff', dnOf(left.uid)));
    await isOut(left);
    expect(await eventsOf(left.id)).toContain('ldap: turned off: not in LDAP_REQUIRE_GROUP');
    await used.slapd.change(memberLdif('add', 'ldap-staff', dnOf(left.uid)));
    await isActive(left.uid, true);
    await eventually(async () => expect((await left.token.get('/api/authentication-check/')).status).toBe(200));
    expect((await left.session.get('/user/profile/')).location).toContain('/login/');
    expect((await logIn(used.system.base, left.uid, SECRET)).status).toBe(303);
  });

  test('is turned off when disabled there, and let in again by a login as well', async () => {
    const disabled = await somebody();
    await used.slapd.change(lockLdif(disabled.uid));
    await isOut(disabled);
    await used.slapd.change(`dn: ${dnOf(disabled.uid)}\nchangetype: modify\ndelete: pwdAccountLockedTime\n`);
    expect((await logIn(used.system.base, disabled.uid, SECRET)).status).toBe(303);
    expect((await used.userOf(disabled.uid)).is_active).toBe(true);
  });

  test('stays off when somebody here has turned the account off, also after the directory had', async () => {
    const [byHand, both, bystander] = [await somebody(), await somebody(), await somebody()];
    const turn = (id: number, is_active: boolean) => used.admin.patch(`/api/users/users/${id}/`, { is_active });
    await turn(byHand.id, false);
    await used.slapd.change(memberLdif('delete', 'ldap-staff', dnOf(both.uid)));
    await isOut(both);
    await used.slapd.change(memberLdif('add', 'ldap-staff', dnOf(both.uid)));
    await isActive(both.uid, true);
    await turn(both.id, false);
    // When the third account has been disabled and enabled again, two complete rechecks have run.
    await used.slapd.change(memberLdif('delete', 'ldap-staff', dnOf(bystander.uid)));
    await isActive(bystander.uid, false);
    await used.slapd.change(memberLdif('add', 'ldap-staff', dnOf(bystander.uid)));
    await isActive(bystander.uid, true);
    for (const { uid } of [byHand, both]) {
      expect((await used.userOf(uid)).is_active).toBe(false);
      expect((await logIn(used.system.base, uid, SECRET)).status).toBe(403);
    }
  });

  test('has the groups of the directory without logging in anew', async () => {
    const { uid } = await somebody();
    const groups = async () => (await used.userOf(uid)).groups.map(({ name }: { name: string }) => name).sort();
    expect(await groups()).toEqual(['ldap-staff']);
    await used.slapd.change(memberLdif('add', 'ldap-noc', dnOf(uid)));
    await eventually(async () => expect(await groups()).toEqual(['ldap-noc', 'ldap-staff']));
    await used.slapd.change(memberLdif('delete', 'ldap-noc', dnOf(uid)));
    await eventually(async () => expect(await groups()).toEqual(['ldap-staff']));
  });

  test('is let be while the directory cannot be asked, which the log says', async () => {
    const stays = await somebody();
    await used.slapd.pause();
    try {
      await eventually(async () =>
        expect(used.system.output()).toContain('the directory could not be asked about its accounts'),
      );
      await isIn(stays);
    } finally {
      await used.slapd.go();
    }
    await isIn(stays);
  });
});
