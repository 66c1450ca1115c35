import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createLog } from '@cadastre/service/log';
import { Client } from 'ldapts';
import { certificateFile } from '../../../../../../tools/testing/certificates/index.ts';
import {
  dnOf,
  GROUPS,
  groupDn,
  groupLdif,
  lockLdif,
  memberLdif,
  PEOPLE,
  personLdif,
  READER,
  READER_PASSWORD,
  type Slapd,
  slapdIsThere,
  startSlapd,
  SUFFIX,
  WITHOUT_SLAPD,
} from '../../../../../../tools/testing/servers/slapd.ts';
import { type Directory, directoryOf } from './directory.ts';
import { loadLdapSettings } from './settings.ts';
import { byId, subjectOf, subjectsOf } from './subjects.ts';

if (!slapdIsThere) console.info(`Skipped: how people stand in a directory. ${WITHOUT_SLAPD}`);

describe('what accounts are kept under', () => {
  test('is read back as an id, or as a DN', () => {
    expect(subjectOf('entryuuid=1-2', undefined)).toEqual({ attribute: 'entryUUID', value: '1-2' });
    expect(subjectOf('employeenumber=7', 'employeeNumber')).toEqual({ attribute: 'employeeNumber', value: '7' });
    expect(subjectOf('uid=a,dc=b', undefined)).toEqual({ dn: 'uid=a,dc=b' });
    // LDAP_ID_ATTRIBUTE was changed since; that says nothing about the person.
    expect(subjectOf('entryuuid=1-2', 'employeeNumber')).toEqual({ attribute: 'entryUUID', value: '1-2' });
    expect(subjectOf('employeenumber=7', undefined)).toBeNull();
  });

  test('ids that are no text are asked for as they are', () => {
    expect(byId({ attribute: 'objectGUID', value: '00ff2a' })).toMatchObject({ value: Buffer.from([0, 255, 42]) });
    const attributes = new Map([['objectguid', [Buffer.from([0, 255, 42])]]]);
    expect(subjectsOf({ dn: 'CN=A, DC=b', attributes }, undefined)).toEqual(['objectguid=00ff2a', 'cn=a,dc=b']);
  });
});

(slapdIsThere ? describe : describe.skip)('how somebody stands in the directory', () => {
  let slapd: Slapd;
  const directory = (more: Record<string, string> = {}): Directory =>
    directoryOf(
      loadLdapSettings({
        LDAP_URL: slapd.tls,
        LDAP_CA_FILE: certificateFile('ca.pem'),
        LDAP_OPERATION_TIMEOUT_MS: '10000',
        LDAP_BIND_DN: READER,
        LDAP_BIND_PASSWORD: READER_PASSWORD,
        LDAP_USER_BASE: PEOPLE,
        LDAP_GROUP_BASE: GROUPS,
        ...more,
      })!,
      createLog('test', { logLevel: 'silent', logFormat: 'json' }),
    );
  const subject = async (uid: string, of = directory()) => (await of.check(uid, 'secret'))!.subject;
  /** The reason of a refusal, or the names of the groups. */
  const stands = async (one: string, of = directory()) => {
    const standing = (await of.standings([one])).get(one)!;
    return 'why' in standing ? standing.why : standing.person.groups!.map(({ name }) => name).sort();
  };

  beforeAll(async () => {
    slapd = await startSlapd();
    await slapd.change(
      [
        ...['alice', 'bob', 'carol', 'dora', 'erik'].map((uid) => personLdif(uid, 'secret', { mail: `${uid}@x.org` })),
        groupLdif('staff', dnOf('alice'), dnOf('bob')),
        groupLdif('all', groupDn('staff')),
        groupLdif('suspended', dnOf('bob')),
      ].join('\n'),
    );
  });
  afterAll(() => slapd?.stop());

  test('is what a login finds, for all of them at once', async () => {
    const some = directory({ LDAP_NESTED_GROUPS: 'search' });
    const subjects = [await subject('alice'), await subject('bob'), 'entryuuid=00000000-0000-4000-8000-000000000000'];
    const found = await some.standings(subjects);
    expect([...found.keys()]).toEqual(subjects);
    expect(found.get(subjects[0]!)).toEqual({ person: await some.check('alice', 'secret') });
    expect(found.get(subjects[1]!)).toMatchObject({ person: { username: 'bob', email: 'bob@x.org' } });
    expect(found.get(subjects[2]!)).toEqual({ why: 'gone from the directory' });
    expect(await stands(subjects[0]!, some)).toEqual(['all', 'staff']);
  });

  test('follows an entry that is renamed, and ends with it', async () => {
    const carol = await subject('carol');
    await slapd.change(`dn: ${dnOf('carol')}\nchangetype: modrdn\nnewrdn: uid=caroline\ndeleteoldrdn: 1\n`);
    expect((await directory().standings([carol])).get(carol)).toMatchObject({ person: { username: 'caroline' } });
    await slapd.change(`dn: ${dnOf('caroline')}\nchangetype: delete\n`);
    expect(await stands(carol)).toBe('gone from the directory');
    // A new entry with the same name is another person.
    await slapd.change(personLdif('carol', 'secret'));
    expect(await stands(carol)).toBe('gone from the directory');
  });

  test('ends with the entry also when that goes between two questions about it', async () => {
    await slapd.change(personLdif('fay', 'secret'));
    const fay = await subject('fay');
    const ask = Client.prototype.search;
    let asked = 0;
    const search = jest.spyOn(Client.prototype, 'search').mockImplementation(async function (this: Client, ...given) {
      if (++asked === 2) await slapd.change(`dn: ${dnOf('fay')}\nchangetype: delete\n`);
      return ask.apply(this, given);
    });
    try {
      expect(await stands(fay)).toBe('gone from the directory');
      expect(asked).toBe(3);
    } finally {
      search.mockRestore();
    }
  });

  test('is a matter of groups, of the filter, and of being disabled', async () => {
    const [alice, bob, dora] = [await subject('alice'), await subject('bob'), await subject('dora')];
    const required = directory({ LDAP_REQUIRE_GROUP: groupDn('staff'), LDAP_DENY_GROUP: 'suspended' });
    expect([await stands(alice, required), await stands(bob, required), await stands(dora, required)]).toEqual([
      ['staff'],
      'in LDAP_DENY_GROUP',
      'not in LDAP_REQUIRE_GROUP',
    ]);
    const filtered = directory({ LDAP_USER_FILTER: '(&(uid=%(user)s)(!(mail=bob@x.org)))' });
    expect([await stands(alice, filtered), await stands(bob, filtered)]).toEqual([
      ['staff'],
      'LDAP_USER_FILTER does not find the entry',
    ]);
    await slapd.change(lockLdif('dora'));
    expect(await stands(dora)).toBe('disabled in the directory');
  });

  test('is known of accounts that are kept under a DN or an attribute of one’s own', async () => {
    const dn = dnOf('erik').toLowerCase();
    expect(await stands(dn)).toEqual([]);
    expect(await stands(`uid=nobody,${PEOPLE}`)).toBe('gone from the directory');
    // Outside of the search base, so no login would find the entry.
    expect(await stands(READER)).toBe('gone from the directory');
    const byMail = directory({ LDAP_ID_ATTRIBUTE: 'mail' });
    expect(await subject('erik', byMail)).toBe('mail=erik@x.org');
    expect(await stands('mail=erik@x.org', byMail)).toEqual([]);
    expect(await directory().standings(['mail=erik@x.org'])).toEqual(new Map());
  });

  test('is not known while the directory is away, or does not have the base', async () => {
    const alice = await subject('alice');
    const unavailable = expect.objectContaining({ name: 'Unavailable' });
    await expect(directory({ LDAP_USER_BASE: `ou=nowhere,${SUFFIX}` }).standings([alice])).rejects.toEqual(unavailable);
    await expect(directory({ LDAP_BIND_PASSWORD: 'wrong' }).standings([alice])).rejects.toEqual(unavailable);
    await slapd.pause();
    try {
      await expect(directory().standings([alice])).rejects.toEqual(unavailable);
    } finally {
      await slapd.go();
    }
    await slapd.change(memberLdif('add', 'staff', dnOf('erik')));
    expect(await stands(alice)).toEqual(['staff']);
  });
});
