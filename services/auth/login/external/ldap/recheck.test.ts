import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SecurityEvent } from '../../../models/rights/securityEvent.ts';
import { openTestEngine, type TestEngine } from '../../../testing/engine.ts';
import type { Standing } from './directory/directory.ts';
import { type RecheckDeps, recheck, recheckFromTimeToTime } from './recheck.ts';
import { loadLdapSettings } from './directory/settings.ts';
import { Unavailable } from './directory/unavailable.ts';

let opened: TestEngine;
let deps: RecheckDeps;
const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
const noted: SecurityEvent[] = [];
const sql: TestEngine['sql'] = (...statement) => opened.sql(...statement);

beforeAll(async () => {
  opened = await openTestEngine();
  const security: RecheckDeps['security'] = {
    write: async (_, events) => void noted.push(...events),
    note: (event) => void noted.push(event),
  };
  deps = { engine: opened.engine, pool: opened.engine.pool, defaults: {}, log: log as never, security };
}, 60_000);
afterAll(() => opened?.close());
beforeEach(async () => {
  for (const one of Object.values(log)) one.mockClear();
  noted.length = 0;
  there.clear();
  pages.length = 0;
  for (const table of ['external_account', 'used_once', 'users_user', 'users_group', 'change'])
    await sql(`delete from ${table}`);
});

const settings = loadLdapSettings({
  LDAP_URL: 'ldaps://ldap.example.com',
  LDAP_BIND_DN: 'cn=reader',
  LDAP_BIND_PASSWORD: 'x',
  LDAP_USER_BASE: 'ou=people',
  LDAP_GROUP_BASE: 'ou=groups',
  LDAP_SUPERUSER_GROUPS: 'admins',
  LDAP_RECHECK_SECONDS: '1',
})!;

/** Who is let in there, by id, with which groups. */
const there = new Map<string, string[]>();
const pages: number[] = [];
const directory = {
  async standings(subjects: readonly string[]) {
    pages.push(subjects.length);
    return new Map(
      subjects.map((subject): [string, Standing] => {
        const groups = there.get(subject)?.map((name) => ({ dn: `cn=${name}`, name }));
        const person = { subject, username: subject, firstName: 'Ann', lastName: '', email: '' };
        return [subject, groups ? { person: { ...person, groups } } : { why: 'gone from the directory' }];
      }),
    );
  },
};
const look = () => recheck(deps, directory, settings);

/** An account that came from the directory, or from where it is said. */
async function account(username: string, more: { source?: string; password?: string; superuser?: boolean } = {}) {
  const { source = 'ldap', password = '!', superuser = false } = more;
  const [row] = await sql(
    `insert into users_user (username, password, first_name, last_name, email, is_superuser) values ($1, $2, 'Ann', '', '', $3)
     on conflict (username) do update set password = excluded.password returning id`,
    [username, password, superuser],
  );
  await link(Number(row!['id']), username, source);
  return Number(row!['id']);
}
const link = (id: number, subject: string, source = 'ldap') =>
  sql('insert into external_account (source, subject, user_id) values ($1, $2, $3)', [source, subject, id]);
async function accounts(count: number, prefix = 'user'): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  for (const name of names) await account(name);
  return names;
}
const activeOnes = async () =>
  (await sql('select username from users_user where is_active order by id')).map(({ username }) => username);

describe('a look at the directory', () => {
  test('turns off who is gone, and ends the sessions, with a record of both', async () => {
    const id = await account('ann');
    await sql(
      `insert into user_session (key, user_id, until, address, browser, method) values (gen_random_uuid(), $1, now() + interval '1 day', '', '', 'ldap')`,
      [id],
    );
    expect(await look()).toEqual({ asked: 1, off: 1, on: 0 });
    expect(await activeOnes()).toEqual([]);
    expect(await sql('select 1 from user_session')).toEqual([]);
    const changes = await sql(
      `select body::jsonb ->> 'objectType' as type, body::jsonb ->> 'message' as message from change`,
    );
    expect(changes).toEqual([{ type: 'users.user', message: 'Turned off: gone from the directory.' }]);
    expect(noted).toEqual([
      {
        kind: 'external_account',
        ok: true,
        user: { id, name: 'ann' },
        address: '',
        method: 'ldap',
        detail: 'turned off: gone from the directory',
        about: { type: 'users.user', id },
      },
    ]);
    // Nothing is left to do.
    expect(await look()).toEqual({ asked: 1, off: 0, on: 0 });
    expect(noted).toHaveLength(1);
  });

  test('turns on again whom such a look has turned off, and nobody else', async () => {
    await account('ann');
    const bob = await account('bob');
    await sql('update users_user set is_active = false where id = $1', [bob]);
    await look();
    for (const name of ['ann', 'bob']) there.set(name, []);
    expect(await look()).toEqual({ asked: 1, off: 0, on: 1 });
    expect(await activeOnes()).toEqual(['ann']);
    expect(noted.at(-1)).toMatchObject({ user: { name: 'ann' }, detail: 'changed: is_active' });
    expect(await sql('select 1 from external_account where turned_off is not null')).toEqual([]);
  });

  test('brings groups and superusers to what the directory says', async () => {
    await account('root', { superuser: true, password: '$argon2id$x' });
    await account('ann');
    there.set('ann', ['netops', 'admins']);
    expect(await look()).toEqual({ asked: 1, off: 0, on: 0 });
    const state = () =>
      sql(`select is_superuser as superuser, array(select g.name::text from users_group g where g.id = any(u.groups) order by 1) as groups
        from users_user u where username = 'ann'`);
    expect(await state()).toEqual([{ superuser: true, groups: ['admins', 'netops'] }]);
    there.set('ann', ['netops']);
    await look();
    expect(await state()).toEqual([{ superuser: false, groups: ['netops'] }]);
    // What has not changed is not written.
    const before = await sql('select count(*) from change');
    await look();
    expect(await sql('select count(*) from change')).toEqual(before);
  });

  test('asks about accounts that are the directory’s alone', async () => {
    await account('local', { password: '$argon2id$x' });
    const both = await account('both');
    await link(both, 'https://idp.example both', 'oidc');
    await account('elsewhere', { source: 'oidc' });
    expect(await look()).toEqual({ asked: 0, off: 0, on: 0 });
    expect(await activeOnes()).toEqual(['local', 'both', 'elsewhere']);
  });

  test('lets an account be that has one entry left, and one of which nothing is known', async () => {
    const ann = await account('old');
    await link(ann, 'new');
    there.set('new', []);
    await account('unknown');
    const forgetful = {
      standings: async (subjects: readonly string[]) =>
        directory.standings(subjects.filter((subject) => subject !== 'unknown')),
    };
    expect(await recheck(deps, forgetful, settings)).toEqual({ asked: 1, off: 0, on: 0 });
    expect(await activeOnes()).toEqual(['old', 'unknown']);
  });

  test('leaves the last superuser', async () => {
    await account('root', { superuser: true });
    expect(await look()).toEqual({ asked: 1, off: 0, on: 0 });
    expect(log.warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('the last superuser stays'));
    await account('ann', { superuser: true });
    there.set('root', ['admins']);
    expect(await look()).toEqual({ asked: 2, off: 1, on: 0 });
    expect(await activeOnes()).toEqual(['root']);
  });

  test('asks in pages, and changes nothing when one of them has no answer', async () => {
    const names = await accounts(60);
    for (const name of names.slice(1)) there.set(name, []);
    expect(await look()).toEqual({ asked: 60, off: 1, on: 0 });
    expect(pages).toEqual([50, 10]);
    there.delete('user1');
    const half = {
      async standings(subjects: readonly string[]) {
        if (subjects.includes('user59')) throw new Unavailable('ldaps://x', 'gone');
        return directory.standings(subjects);
      },
    };
    await expect(recheck(deps, half, settings)).rejects.toThrow(Unavailable);
    expect(await activeOnes()).toHaveLength(59);
  });
});

describe('when very many would be gone', () => {
  test('a look stops, says so in the log and in the record, and changes nothing', async () => {
    for (const name of (await accounts(12)).slice(7)) there.set(name, ['new']);
    const problem = '7 of 12 accounts would be turned off or lose all groups: more than 50 percent';
    expect(await look()).toEqual({ stopped: problem });
    expect(await activeOnes()).toHaveLength(12);
    expect(await sql('select 1 from users_group')).toEqual([]);
    expect(log.error).toHaveBeenCalledWith({ problem }, expect.stringContaining('was stopped'));
    expect(noted).toEqual([
      {
        kind: 'external_account',
        ok: false,
        user: { id: null, name: '' },
        address: '',
        method: 'ldap',
        detail: `Nothing was changed: ${problem}.`,
      },
    ]);
  });

  test('half of them may be, or whatever share the settings say', async () => {
    for (const name of (await accounts(12)).slice(6)) there.set(name, []);
    const strict = { ...settings, ldapRecheckMaxPercent: 49 };
    expect(await recheck(deps, directory, strict)).toHaveProperty('stopped');
    expect(await look()).toEqual({ asked: 12, off: 6, on: 0 });
  });

  test('those that are off already do not count', async () => {
    for (const name of (await accounts(20)).slice(10)) there.set(name, []);
    expect(await look()).toMatchObject({ off: 10 });
    for (const name of ['user10', 'user11', 'user12', 'user13', 'user14', 'user15']) there.delete(name);
    expect(await look()).toHaveProperty('stopped');
  });

  test('it is no matter of shares where there are few', async () => {
    await accounts(9);
    expect(await look()).toEqual({ asked: 9, off: 9, on: 0 });
  });

  test('nor may very many lose all their groups', async () => {
    const names = await accounts(10);
    for (const name of names) there.set(name, ['staff']);
    await look();
    for (const name of names) there.set(name, []);
    expect(await look()).toHaveProperty('stopped');
    expect(await sql(`select 1 from users_user where groups = '{}'`)).toEqual([]);
  });
});

describe('from time to time', () => {
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test('one of several processes looks', async () => {
    await account('ann');
    const began = Date.now();
    const ends = Array.from({ length: 3 }, () => recheckFromTimeToTime(deps, directory, settings));
    await until(() => pages.length >= 2);
    await Promise.all(ends.map((end) => end()));
    // One check for each second, including the second in which the test began.
    expect(pages.length).toBeLessThanOrEqual(Math.floor((Date.now() - began) / 1000) + 2);
    expect(await activeOnes()).toEqual([]);
    expect(log.info).toHaveBeenCalledWith({ asked: 1, off: 1, on: 0 }, expect.stringContaining('turned off or on'));
  });

  test('a directory that cannot be asked is told in the log, and looked at again', async () => {
    await account('ann');
    let away = true;
    const flaky = {
      async standings(subjects: readonly string[]) {
        if (away) throw new Unavailable('ldaps://ldap.example.com', 'connection refused');
        return directory.standings(subjects);
      },
    };
    const end = recheckFromTimeToTime(deps, flaky, settings);
    await until(() => log.warn.mock.calls.length > 0);
    expect(log.warn).toHaveBeenCalledWith(
      { directory: 'ldaps://ldap.example.com', reason: 'ldaps://ldap.example.com: connection refused' },
      expect.stringContaining('nothing was changed'),
    );
    expect(await activeOnes()).toEqual(['ann']);
    away = false;
    await until(() => log.info.mock.calls.length > 0);
    await end();
    expect(await activeOnes()).toEqual([]);
  });

  test('whoever ends it does not wait for a directory that does not answer', async () => {
    const asked = jest.fn();
    const silent = {
      standings(): Promise<never> {
        asked();
        return new Promise(() => undefined);
      },
    };
    await account('ann');
    const end = recheckFromTimeToTime(deps, silent, settings);
    await until(() => asked.mock.calls.length > 0);
    await end();
    expect(log.warn).not.toHaveBeenCalled();
    expect(await activeOnes()).toEqual(['ann']);
  });

  test('nobody looks where it is turned off, or nobody could ask', async () => {
    jest.useFakeTimers();
    for (const one of [
      { ...settings, ldapRecheckSeconds: 0 },
      { ...settings, ldapBindDn: undefined },
    ]) {
      const end = recheckFromTimeToTime(deps, directory, one);
      expect(jest.getTimerCount()).toBe(0);
      await end();
    }
    jest.useRealTimers();
    expect(pages).toEqual([]);
  });
});
