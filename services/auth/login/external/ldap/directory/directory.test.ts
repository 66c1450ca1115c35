import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
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
  WITHOUT_SLAPD,
} from '../../../../../../tools/testing/servers/slapd.ts';
import { type Directory, directoryOf } from './directory.ts';
import { loadLdapSettings } from './settings.ts';
import { Unavailable } from './unavailable.ts';

if (!slapdIsThere) console.info(`Skipped: passwords of a directory. ${WITHOUT_SLAPD}`);

const log = { info: jest.fn(), warn: jest.fn() };
const CA = { LDAP_CA_FILE: certificateFile('ca.pem') };
const directory = (env: Record<string, string>): Directory =>
  directoryOf(loadLdapSettings({ LDAP_OPERATION_TIMEOUT_MS: '10000', ...env })!, log as never);
/** The answer to StartTLS, which is the first question. */
const YES = Buffer.from('300c02010278070a010004000400', 'hex');
const unavailable = (text: RegExp | string) =>
  expect.objectContaining({ name: 'Unavailable', message: expect.stringMatching(text) as never });

(slapdIsThere ? describe : describe.skip)('a directory', () => {
  let slapd: Slapd;
  /** By a search, with TLS from the beginning. */
  const bySearch = (more: Record<string, string> = {}) =>
    directory({
      LDAP_URL: slapd.tls,
      ...CA,
      LDAP_BIND_DN: READER,
      LDAP_BIND_PASSWORD: READER_PASSWORD,
      LDAP_USER_BASE: PEOPLE,
      ...more,
    });
  const byTemplate = (more: Record<string, string> = {}) =>
    directory({ LDAP_URL: slapd.tls, ...CA, LDAP_USER_DN_TEMPLATE: `uid=%(user)s,${PEOPLE}`, ...more });
  const withGroups = (more: Record<string, string> = {}) => bySearch({ LDAP_GROUP_BASE: GROUPS, ...more });
  const groupsOf = async (some: Directory, name: string, password: string) =>
    (await some.check(name, password))?.groups?.map((group) => group.name).sort();

  beforeAll(async () => {
    slapd = await startSlapd();
    await slapd.change(
      [
        personLdif('alice', 'secret of alice', { givenName: 'Alice', sn: 'Adler', mail: 'alice@example.org' }),
        personLdif('bob', 'secret of bob'),
        personLdif('joerg', 'Geheimnis ß', { givenName: 'Jörg', mail: 'alice@example.org' }),
        groupLdif('staff', dnOf('alice'), dnOf('bob')),
        groupLdif('ops', dnOf('alice')),
        groupLdif('all', groupDn('staff')),
        groupLdif('everything', groupDn('all')),
        // A circle.
        memberLdif('add', 'staff', groupDn('everything')),
      ].join('\n'),
    );
  });
  afterAll(() => slapd.stop());
  beforeEach(() => {
    log.info.mockClear();
    log.warn.mockClear();
  });

  test('says who somebody is, whose password it is', async () => {
    expect(await bySearch().check('alice', 'secret of alice')).toEqual({
      subject: expect.stringMatching(/^entryuuid=[0-9a-f-]{36}$/),
      username: 'alice',
      firstName: 'Alice',
      lastName: 'Adler',
      email: 'alice@example.org',
      groups: null,
    });
    expect(await bySearch().check('ALICE', 'secret of alice')).toMatchObject({ username: 'alice' });
    expect(await bySearch().check('joerg', 'Geheimnis ß')).toMatchObject({
      firstName: 'Jörg',
      email: 'alice@example.org',
    });
    expect(await byTemplate().check('alice', 'secret of alice')).toMatchObject({
      username: 'alice',
      lastName: 'Adler',
    });
  });

  test.each([
    ['alice', 'secret of bob'],
    ['alice', ''],
    ['alice', ' '],
    ['alice', 'secret of alice\0'],
    ['nobody', 'secret of alice'],
    ['', 'secret of alice'],
    ['*', 'secret of alice'],
    ['alic*', 'secret of alice'],
    ['*)(uid=*', 'secret of alice'],
    ['alice)(objectClass=*', 'secret of alice'],
    [`alice,${PEOPLE}`, 'secret of alice'],
    ['alice\0', 'secret of alice'],
    ['EXTERNAL', 'secret of alice'],
    ['a'.repeat(10_000), 'secret of alice'],
  ])('lets nobody in as %j with %j', async (name, password) => {
    expect(await bySearch().check(name, password)).toBeNull();
    expect(await byTemplate().check(name, password)).toBeNull();
    expect(await withGroups().check(name, password)).toBeNull();
  });

  test('an empty password does not reach it, where it would count as nobody who is let in', async () => {
    const asked: Socket[] = [];
    const server = await listening((socket) => asked.push(socket));
    try {
      const some = directory({
        LDAP_URL: server.url,
        LDAP_INSECURE_NO_TLS: 'true',
        LDAP_USER_DN_TEMPLATE: 'uid=%(user)s,dc=x',
      });
      expect(await some.check('alice', '')).toBeNull();
      expect(asked.length).toBe(0);
    } finally {
      await server.close();
    }
  });

  test('nobody is let in where a filter finds several', async () => {
    const byMail = bySearch({ LDAP_USER_FILTER: '(|(mail=%(user)s)(uid=%(user)s))' });
    for (const password of ['secret of alice', 'Geheimnis ß'])
      expect(await byMail.check('alice@example.org', password)).toBeNull();
    expect(log.warn).toHaveBeenCalledWith(
      { dns: [dnOf('alice'), dnOf('joerg')] },
      expect.stringContaining('more than one'),
    );
    expect(await byMail.check('bob', 'secret of bob')).toMatchObject({ username: 'bob', email: '' });
  });

  test('groups, also those that groups are in', async () => {
    expect(await groupsOf(withGroups(), 'alice', 'secret of alice')).toEqual(['ops', 'staff']);
    expect(await groupsOf(withGroups({ LDAP_NESTED_GROUPS: 'search' }), 'alice', 'secret of alice')).toEqual([
      'all',
      'everything',
      'ops',
      'staff',
    ]);
    expect(
      await groupsOf(withGroups({ LDAP_NESTED_GROUPS: 'search', LDAP_NESTED_DEPTH: '1' }), 'bob', 'secret of bob'),
    ).toEqual(['all', 'staff']);
    expect(await groupsOf(byTemplate({ LDAP_GROUP_BASE: GROUPS }), 'bob', 'secret of bob')).toEqual(['staff']);
    expect(await groupsOf(withGroups(), 'joerg', 'Geheimnis ß')).toEqual([]);
  });

  test('with more groups than may be, nothing is known', async () => {
    await expect(withGroups({ LDAP_MAX_GROUPS: '1' }).check('alice', 'secret of alice')).rejects.toEqual(
      unavailable('LDAP_MAX_GROUPS'),
    );
  });

  test('groups that are asked for, and groups that keep out', async () => {
    const check = (more: Record<string, string>) => withGroups(more).check('bob', 'secret of bob');
    expect(await check({ LDAP_REQUIRE_GROUP: groupDn('staff').toUpperCase() })).toMatchObject({ username: 'bob' });
    expect(await check({ LDAP_REQUIRE_GROUP: 'nothing, staff' })).toMatchObject({ username: 'bob' });
    expect(await check({ LDAP_REQUIRE_GROUP: groupDn('ops') })).toBeNull();
    expect(await check({ LDAP_DENY_GROUP: 'staff' })).toBeNull();
    expect(await check({ LDAP_DENY_GROUP: groupDn('ops') })).toMatchObject({ username: 'bob' });
    expect(log.info.mock.calls).toEqual([
      [{ dn: dnOf('bob'), problem: 'not in LDAP_REQUIRE_GROUP' }, expect.anything()],
      [{ dn: dnOf('bob'), problem: 'in LDAP_DENY_GROUP' }, expect.anything()],
    ]);
  });

  test('an entry that is locked, is gone, or comes back as another', async () => {
    await slapd.change(personLdif('carol', 'secret of carol'));
    const before = await bySearch().check('carol', 'secret of carol');
    await slapd.change(lockLdif('carol'));
    expect(await bySearch().check('carol', 'secret of carol')).toBeNull();
    await slapd.change(`dn: ${dnOf('carol')}\nchangetype: delete\n`);
    expect(await bySearch().check('carol', 'secret of carol')).toBeNull();
    await slapd.change(personLdif('carol', 'secret of carol'));
    const after = await bySearch().check('carol', 'secret of carol');
    expect([before?.username, after?.username]).toEqual(['carol', 'carol']);
    expect(after?.subject).not.toBe(before?.subject);
  });

  describe('by TLS', () => {
    const startTls = (more: Record<string, string> = {}) =>
      bySearch({ LDAP_URL: slapd.plain, LDAP_START_TLS: 'true', ...more });
    const wrong = { LDAP_CA_FILE: certificateFile('peers.pem') };
    /** The certificate is not for this name. */
    const elsewhere = (url: string) => url.replace('127.0.0.1', '127.0.0.2');

    test('StartTLS', async () => {
      await startTls().probe();
      expect(await startTls().check('alice', 'secret of alice')).toMatchObject({ username: 'alice' });
      expect(await startTls().check('alice', 'wrong')).toBeNull();
      const byName = startTls({ LDAP_URL: slapd.plain.replace('127.0.0.1', 'localhost') });
      expect(await byName.check('alice', 'secret of alice')).toMatchObject({ username: 'alice' });
    });

    test('a server that nobody vouches for hears no password', async () => {
      for (const some of [
        bySearch(wrong),
        startTls(wrong),
        bySearch({ LDAP_CA_FILE: '' }),
        startTls({ LDAP_CA_FILE: '' }),
      ]) {
        await expect(some.probe()).rejects.toEqual(unavailable(/SELF_SIGNED|UNABLE_TO|certificate/));
        await expect(some.check('alice', 'secret of alice')).rejects.toBeInstanceOf(Unavailable);
      }
    });

    test('nor does one with the certificate of another', async () => {
      const through = await relayTo(slapd.plain);
      const throughTls = await relayTo(slapd.tls);
      try {
        for (const some of [
          startTls({ LDAP_URL: elsewhere(through.url) }),
          bySearch({ LDAP_URL: elsewhere(throughTls.url).replace('ldap:', 'ldaps:') }),
        ])
          await expect(some.check('alice', 'secret of alice')).rejects.toEqual(unavailable('ALTNAME'));
      } finally {
        await through.close();
        await throughTls.close();
      }
    });

    test('unless it is said loudly that nobody is to look', async () => {
      const blind = { LDAP_CA_FILE: '', LDAP_INSECURE_NO_VERIFICATION: 'true' };
      for (const some of [bySearch(blind), startTls(blind)])
        expect(await some.check('alice', 'secret of alice')).toMatchObject({ username: 'alice' });
    });

    test('an answer in plain text behind the one to StartTLS counts for nothing', async () => {
      // The beginning of a message that would continue with encrypted data.
      const injected = Buffer.from('3040020103613b0a010004000434', 'hex');
      const between = await relayTo(slapd.plain, (bytes) =>
        bytes.equals(YES) ? Buffer.concat([bytes, injected]) : bytes,
      );
      try {
        await expect(startTls({ LDAP_URL: between.url }).check('alice', 'wrong')).rejects.toEqual(
          unavailable('plain text'),
        );
        expect(between.changed()).toBe(1);
      } finally {
        await between.close();
      }
    });
  });

  describe('that cannot be asked', () => {
    test('is not there, does not answer, or takes too long', async () => {
      const silent = await listening(() => undefined);
      /** Agrees to begin TLS, and does not. */
      const half = await listening((socket) => socket.once('data', () => socket.write(YES)));
      try {
        await expect(bySearch({ LDAP_URL: 'ldaps://127.0.0.1:1' }).probe()).rejects.toEqual(
          unavailable(/^ldaps:\/\/127.0.0.1:1: .*ECONNREFUSED/),
        );
        const hanging = { LDAP_USER_DN_TEMPLATE: 'uid=%(user)s,dc=x', LDAP_CONNECT_TIMEOUT_MS: '300' };
        const began = performance.now();
        const several: Record<string, string>[] = [
          { LDAP_URL: silent.url, LDAP_INSECURE_NO_TLS: 'true', LDAP_OPERATION_TIMEOUT_MS: '300' },
          {
            LDAP_URL: silent.url,
            LDAP_INSECURE_NO_TLS: 'true',
            LDAP_OPERATION_TIMEOUT_MS: '500',
            LDAP_CHECK_TIMEOUT_MS: '500',
          },
          { LDAP_URL: silent.url, LDAP_START_TLS: 'true' },
          { LDAP_URL: half.url, LDAP_START_TLS: 'true' },
          { LDAP_URL: silent.url.replace('ldap:', 'ldaps:') },
        ];
        for (const more of several)
          await expect(directory({ ...hanging, ...more }).check('a', 'b')).rejects.toBeInstanceOf(Unavailable);
        expect(performance.now() - began).toBeLessThan(9_000);
      } finally {
        await silent.close();
        await half.close();
      }
    });

    test('refuses whoever is to search', async () => {
      await expect(bySearch({ LDAP_BIND_PASSWORD: 'not-the-one' }).check('alice', 'secret of alice')).rejects.toEqual(
        unavailable(/LDAP_BIND_DN(?!.*not-the-one)/),
      );
    });

    test('has not got what is searched below', async () => {
      await expect(
        bySearch({ LDAP_USER_BASE: 'ou=nowhere,dc=example,dc=org' }).check('alice', 'secret of alice'),
      ).rejects.toBeInstanceOf(Unavailable);
    });

    test('is not needed where another server answers', async () => {
      const some = bySearch({ LDAP_URL: `ldaps://127.0.0.1:1, ${slapd.tls}` });
      expect(await some.check('alice', 'secret of alice')).toMatchObject({ username: 'alice' });
      // A refusal is an answer, so the next server is not asked.
      expect(await bySearch({ LDAP_URL: `${slapd.tls}, ldaps://127.0.0.1:1` }).check('alice', 'wrong')).toBeNull();
    });
  });
});

interface Listening {
  url: string;
  close(): Promise<void>;
}

async function listening(connected: (socket: Socket) => void, host = '0.0.0.0'): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `ldap://127.0.0.1:${(server.address() as { port: number }).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A man in the middle who may change what the server answers. */
async function relayTo(
  url: string,
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<Listening & { changed(): number }> {
  const { connect } = await import('node:net');
  let changed = 0;
  const relay = await listening((socket) => {
    const target = connect(Number(new URL(url).port), '127.0.0.1');
    target.on('error', () => socket.destroy());
    target.on('close', () => socket.destroy());
    socket.on('close', () => target.destroy());
    socket.pipe(target);
    target.on('data', (bytes: Buffer) => {
      const given = change(bytes);
      if (given !== bytes) changed += 1;
      socket.write(given);
    });
  });
  return { ...relay, changed: () => changed };
}
