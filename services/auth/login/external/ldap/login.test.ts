import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { logIn } from '../../login.ts';
import { hashingLimiter } from '../../../passwords/hashingLimiter.ts';
import { db, defaults, hashing, limits, sql } from '../../../testing/database.ts';
import type { SecurityRecord } from '../../../security/record.ts';
import type { Account } from '../../../passwords/users.ts';
import type { DirectoryLogin } from './login.ts';
import { Unavailable } from './directory/unavailable.ts';

describe('logins with the password of a directory', () => {
  const bob: Account = {
    id: 7,
    username: 'bob',
    firstName: '',
    lastName: '',
    superuser: false,
    permissionsVersion: 1,
    stamp: 'x',
    factors: false,
  };
  const check = jest.fn<DirectoryLogin['check']>();
  const refusals = jest.fn<DirectoryLogin['pace']['refused']>(async () => undefined);
  const directory: DirectoryLogin = {
    places: hashingLimiter({ atOnce: 1, waiting: 0, waitingEach: 0, waitMs: 1_000 }),
    pace: { refused: refusals },
    check,
  };
  const note = jest.fn<SecurityRecord['note']>();
  const security = { note };
  const attempt = (username: string, password: string, address = '192.0.2.1') =>
    logIn({ username, password, address }, { db, limits, defaults, hashing, security, directory });
  const refused = { account: null, wait: 0, busy: false, unavailable: false, directory: false, failures: null };
  beforeEach(() => {
    refusals.mockClear();
    note.mockClear();
    check.mockReset();
    check.mockImplementation(async (name, password) => (name === 'bob' && password === 'right' ? bob : null));
  });

  test('whoever has a password here is asked for that alone, in whatever case their name is typed', async () => {
    check.mockResolvedValue(bob);
    for (const name of ['alice', 'Alice', 'gone']) expect(await attempt(name, 'of the directory')).toEqual(refused);
    expect(await attempt('alice', 'Correct-Horse-9')).toMatchObject({ account: { id: 2 }, directory: false });
    expect(check).not.toHaveBeenCalled();
    expect(refusals.mock.calls.map(([route]) => route)).toEqual(['here', 'here', 'here']);
  });

  test('guesses at a name are counted together, in however many spellings a directory would take it', async () => {
    const spellings = ['bob', 'BOB', 'b\u00f3b', '\uff42ob', 'b\u200bob', 'b o b', 'bo\u0308b', 'B\u00d3B'];
    let n = 0;
    const guess = () => attempt(spellings[n % spellings.length]!, 'wrong', `198.51.100.${(n += 1)}`);
    for (let i = 0; i < limits.loginAttemptsPerAccount; i++) expect(await guess()).toEqual(refused);
    for (const _ of spellings) expect((await guess()).wait).toBeGreaterThan(0);
    expect((await attempt('rob', 'wrong', '198.51.100.200')).wait).toBe(0);
  });

  test('all others are asked for there, those without a usable password among them', async () => {
    expect(await attempt('bob', 'right')).toMatchObject({ account: bob, directory: true });
    expect(await attempt('bob', 'wrong')).toEqual(refused);
    await sql("insert into users_user (id, username, password) values (8, 'carol', '!')");
    expect(await attempt('carol', 'x')).toEqual(refused);
    expect(await attempt('a\0b', 'x')).toEqual(refused);
    expect(check.mock.calls).toEqual([
      ['bob', 'right', '192.0.2.1'],
      ['bob', 'wrong', '192.0.2.1'],
      ['carol', 'x', '192.0.2.1'],
      ['a\0b', 'x', '192.0.2.1'],
    ]);
    expect(refusals.mock.calls.map(([route]) => route)).toEqual(['directory', 'directory', 'directory']);
    await sql('delete from users_user where id = 8');
  });

  test('what fails there counts like what fails here', async () => {
    for (let i = 0; i < limits.loginAttempts; i += 1) expect(await attempt('bob', 'wrong')).toEqual(refused);
    expect((await attempt('bob', 'right')).wait).toBeGreaterThan(50);
    expect(check).toHaveBeenCalledTimes(limits.loginAttempts);
    // The name of a login without an account is not recorded.
    const event = { ok: false, user: { id: null, name: '' }, address: '192.0.2.1', method: 'ldap' };
    expect(note.mock.calls).toEqual([
      ...Array.from({ length: limits.loginAttempts }, () => [{ kind: 'login', ...event }]),
      [{ kind: 'login_paused', ...event }],
    ]);
    expect(await attempt('bob', 'right', '192.0.2.2')).toMatchObject({ account: bob });
  });

  test('what nobody could check counts for nothing', async () => {
    check.mockRejectedValue(new Unavailable('ldaps://x', 'gone'));
    for (let i = 0; i <= limits.loginAttemptsPerAddress; i += 1)
      expect(await attempt('bob', 'right')).toEqual({ ...refused, unavailable: true });
    expect(await sql('select * from failed_login where failures > 0')).toEqual([]);
    expect(await sql('select * from failed_notice')).toEqual([]);
    check.mockResolvedValue(bob);
    expect(await attempt('bob', 'right')).toMatchObject({ account: bob });
  });

  test('faults of our own are told as such, and count for nothing either', async () => {
    check.mockRejectedValue(new Error('broken'));
    await expect(attempt('bob', 'right')).rejects.toThrow('broken');
    expect(await sql('select * from failed_login where failures > 0')).toEqual([]);
  });

  test('so many are asked for at once, and no more; those with a password here do not wait for it', async () => {
    const answer = Promise.withResolvers<Account>();
    check.mockReturnValueOnce(answer.promise);
    const first = attempt('bob', 'right');
    while (!check.mock.calls.length) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await attempt('bob', 'right', '192.0.2.3')).toEqual({ ...refused, busy: true });
    expect(await attempt('alice', 'Correct-Horse-9')).toMatchObject({ account: { id: 2 } });
    answer.resolve(bob);
    expect(await first).toMatchObject({ account: bob });
  });
});
