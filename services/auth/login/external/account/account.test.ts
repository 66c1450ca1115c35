import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import type { SecurityEvent } from '../../../models/rights/securityEvent.ts';
import { openTestEngine, type TestEngine } from '../../../testing/engine.ts';
import { accountFor } from '../ldap/person.ts';
import { loadLdapSettings } from '../ldap/directory/settings.ts';
import { remoteAccount } from '../remote.ts';
import { type ExternalDeps, type ExternalPerson, type ExternalPolicy, externalAccount } from './account.ts';

let opened: TestEngine;
let deps: ExternalDeps;
const warn = jest.fn();
const noted: SecurityEvent[] = [];
const security: NonNullable<ExternalDeps['security']> = {
  write: async (_, events) => void noted.push(...events),
  note: (event) => void noted.push(event),
};

beforeAll(async () => {
  opened = await openTestEngine();
  const log = { info: () => undefined, warn } as unknown as ExternalDeps['log'];
  deps = { engine: opened.engine, defaults: {}, log, security };
}, 60_000);
afterAll(() => opened?.close());
beforeEach(async () => {
  warn.mockClear();
  noted.length = 0;
  for (const table of ['external_account', 'users_user', 'users_group', 'change']) await sql(`delete from ${table}`);
});

const sql: TestEngine['sql'] = (...statement) => opened.sql(...statement);

const strict: ExternalPolicy = {
  createUsers: true,
  createGroups: false,
  syncGroups: true,
  defaultGroups: [],
  superuserGroups: [],
  superusers: [],
};
const ann: ExternalPerson = { source: 'oidc', subject: 'https://idp.example ann-1', username: 'ann' };
const enter = (person: Partial<ExternalPerson> = {}, policy: Partial<ExternalPolicy> = {}) =>
  externalAccount(deps, { ...ann, ...person }, { ...strict, ...policy });
const groups = (...names: string[]) =>
  Promise.all(names.map((name) => sql('insert into users_group (name) values ($1)', [name])));
const userIs = async (username = 'ann') =>
  (
    await sql(
      `select u.username, u.password, u.email, u.first_name, u.is_superuser as superuser,
        array(select g.name::text from users_group g where g.id = any(u.groups) order by g.name) as groups from users_user u where username = $1`,
      [username],
    )
  )[0];
const local = async (username: string, password: string, superuser = false) =>
  Number(
    (
      await sql(
        `insert into users_user (username, password, first_name, last_name, email, is_superuser) values ($1, $2, '', '', '', $3) returning id`,
        [username, password, superuser],
      )
    )[0]!['id'],
  );
const written = async () =>
  (
    await sql(`select body::jsonb ->> 'action' as action, body::jsonb ->> 'objectType' as type from change order by id`)
  ).map(({ action, type }) => `${String(action)} ${String(type)}`);

describe('who comes for the first time', () => {
  test('gets an account without a password, with a record of it', async () => {
    const outcome = await enter({ email: 'ann@example.com', firstName: 'Ann' });
    expect(outcome).toMatchObject({ account: { username: 'ann', firstName: 'Ann', superuser: false } });
    expect(await userIs()).toMatchObject({ password: '!', email: 'ann@example.com', first_name: 'Ann', groups: [] });
    expect(await written()).toEqual(['created users.user']);
  });
  test('is refused where none are made', async () => {
    expect(await enter({}, { createUsers: false })).toEqual({ refused: 'unknown' });
    expect(await userIs()).toBeUndefined();
  });
  test('is one user, however often at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => enter({}, { createGroups: true })));
    expect(new Set(outcomes.map((o) => ('account' in o ? o.account.id : o.refused))).size).toBe(1);
    expect(await sql('select count(*)::int as n from users_user')).toEqual([{ n: 1 }]);
    expect(await written()).toEqual(['created users.user']);
  });
  test.each(['', 'two words', 'a\0b', 'x'.repeat(151)])(
    'is refused with the name %j, which no account has',
    async (username) => {
      expect(await enter({ username })).toEqual({ refused: 'unusable' });
    },
  );
  test('is refused with an id that cannot be kept', async () => {
    expect(await enter({ subject: '' })).toEqual({ refused: 'unusable' });
    expect(await enter({ subject: 'ü'.repeat(1001) })).toEqual({ refused: 'unusable' });
    expect(await enter({ subject: 'ü'.repeat(1000) })).toHaveProperty('account');
  });
  test('what cannot be kept of the person is left out', async () => {
    await enter({ email: 'no address', firstName: `${'x'.repeat(200)}`, lastName: 'a\0b' });
    expect(await userIs()).toMatchObject({ email: '', first_name: 'x'.repeat(150) });
  });
});

describe('an account that is here already', () => {
  test('stays whose it is when it has a password, also in other case', async () => {
    await local('ann', '$argon2id$x');
    expect(await enter()).toEqual({ refused: 'taken' });
    expect(await enter({ username: 'ANN' })).toEqual({ refused: 'taken' });
    expect(await sql('select 1 from external_account')).toEqual([]);
  });
  test('is taken over with a password where that is allowed', async () => {
    const id = await local('ann', '$argon2id$x');
    expect(await enter({}, { linkUsers: true })).toMatchObject({ account: { id } });
    expect(await userIs()).toMatchObject({ password: '$argon2id$x' });
    // The account is linked by now, so the policy need no longer permit it.
    expect(await enter()).toMatchObject({ account: { id } });
  });
  test('is taken over when nobody could log in to it, unless it is a superuser', async () => {
    const id = await local('ann', '!');
    await local('root', '!', true);
    expect(await enter()).toMatchObject({ account: { id } });
    expect(await enter({ username: 'root', subject: 'r' })).toEqual({ refused: 'taken' });
  });
  test('is not taken over when it is meant for programs, whatever is allowed', async () => {
    await local('ann', '!machine');
    expect(await enter()).toEqual({ refused: 'taken' });
    expect(await enter({}, { linkUsers: true })).toEqual({ refused: 'taken' });
  });
  test('is not taken over by somebody else of the same name', async () => {
    await enter();
    expect(await enter({ subject: 'another' })).toEqual({ refused: 'taken' });
    expect(await enter({ source: 'ldap', subject: 'uuid' })).toEqual({ refused: 'taken' });
  });
  test.each([
    ['kim', '\u212aim'],
    ['ibrahim', '\u0130brahim'],
    ['\u0130brahim', 'ibrahim'],
  ])('%j is not that of %j, which only the change of case makes alike', async (here, username) => {
    const id = await local(here, '$argon2id$x');
    const outcome = await enter({ username }, { linkUsers: true });
    expect(outcome).toMatchObject({ account: { username } });
    expect(outcome).not.toMatchObject({ account: { id } });
  });
  test('is found by the id when the name has changed, and keeps its own', async () => {
    const first = await enter();
    expect(await enter({ username: 'ann.married' })).toEqual(first);
    expect(await sql('select count(*)::int as n from users_user')).toEqual([{ n: 1 }]);
  });
  test('does not let in who was turned off, and changes nothing', async () => {
    await enter();
    await sql('update users_user set is_active = false');
    expect(await enter({ email: 'x@example.com' })).toEqual({ refused: 'inactive' });
    expect(await userIs()).toMatchObject({ email: '' });
  });
  test('is written only when something is another', async () => {
    await groups('netops', 'apes');
    await enter({ groups: ['netops', 'apes'] });
    await sql('update users_user set groups = (select array_agg(id order by id desc) from users_group)');
    await sql('delete from change');
    await enter({ groups: ['apes', 'netops'] });
    expect(await written()).toEqual([]);
    await enter({ groups: ['apes'] });
    expect(await written()).toEqual(['updated users.user']);
    expect(noted.map(({ kind, method, detail }) => [kind, method, detail])).toEqual([
      ['external_account', 'oidc', 'created'],
      ['external_account', 'oidc', 'changed: groups'],
    ]);
  });
});

test('whom a proxy names is known by that name in either case, and not by letters that only become it', async () => {
  const on = { REMOTE_AUTH_ENABLED: 'true', REMOTE_AUTH_PROXIES: '192.0.2.9', REMOTE_AUTH_AUTO_CREATE_USER: 'true' };
  const config = loadConfig(on);
  const named = async (username: string) => {
    const person = { username, email: '', firstName: '', lastName: '', groups: [], address: '192.0.2.1' };
    const outcome = await remoteAccount(deps, config, person);
    return 'account' in outcome ? outcome.account.username : outcome.refused;
  };
  expect([await named('kim'), await named('KIM'), await named('\u212aim')]).toEqual(['kim', 'kim', '\u212aim']);
});

test('a superuser by the DN of a group of the directory is nobody whose own group only has that name', async () => {
  const admins = 'cn=admins,ou=groups,dc=example';
  const settings = loadLdapSettings({
    LDAP_URL: 'ldaps://ldap.example',
    LDAP_USER_BASE: 'ou=people,dc=example',
    LDAP_GROUP_BASE: 'dc=example',
    LDAP_SUPERUSER_GROUPS: admins,
  })!;
  await local('root', '$argon2id$x', true);
  const isSuperuser = async (dn: string, name: string) => {
    const person = { subject: 'entryuuid=1', username: 'ann', firstName: '', lastName: '', email: '' };
    const outcome = await accountFor(deps, settings, { ...person, groups: [{ dn, name }] }, {});
    return 'account' in outcome ? outcome.account.superuser : outcome.refused;
  };
  expect(await isSuperuser('cn=mine,ou=own,dc=example', admins)).toBe(false);
  expect(await isSuperuser(admins, 'admins')).toBe(true);
  expect(await isSuperuser('cn=admins,ou=own,dc=example', 'admins')).toBe(false);
});

describe('groups', () => {
  test('are those that are here; others are made only when asked for', async () => {
    await groups('netops');
    await enter({ groups: ['netops', 'elsewhere'] });
    expect(await userIs()).toMatchObject({ groups: ['netops'] });
    await enter({ groups: ['netops', 'elsewhere', 'x'.repeat(151), ''] }, { createGroups: true });
    expect(await userIs()).toMatchObject({ groups: ['elsewhere', 'netops'] });
    expect(await written()).toEqual(['created users.user', 'created users.group', 'updated users.user']);
  });
  test('that are gone there are gone here, and those of others too', async () => {
    await groups('netops', 'mine', 'everybody');
    const policy = { defaultGroups: ['everybody'] };
    await enter({ groups: ['netops'] }, policy);
    expect(await userIs()).toMatchObject({ groups: ['everybody', 'netops'] });
    await sql('update users_user set groups = groups || (select array_agg(id) from users_group where name = $1)', [
      'mine',
    ]);
    await enter({ groups: [] }, policy);
    expect(await userIs()).toMatchObject({ groups: ['everybody'] });
  });
  test('without syncing, what others gave stays', async () => {
    await groups('netops', 'mine');
    const policy = { syncGroups: false };
    await enter({ groups: ['netops'] }, policy);
    await sql('update users_user set groups = groups || (select array_agg(id) from users_group where name = $1)', [
      'mine',
    ]);
    await enter({ groups: [] }, policy);
    expect(await userIs()).toMatchObject({ groups: ['mine'] });
  });
  test('stay when the other system tells none', async () => {
    await groups('netops', 'everybody');
    await enter({ groups: null }, { defaultGroups: ['everybody'] });
    await enter({ groups: ['netops'] });
    await enter({ groups: null });
    await enter();
    expect(await userIs()).toMatchObject({ groups: ['netops'] });
    // The groups that the system gave are still recorded as such.
    await enter({ groups: [] }, { syncGroups: false });
    expect(await userIs()).toMatchObject({ groups: [] });
  });
  test('may have another name here', async () => {
    await groups('netops');
    await enter({ groups: ['/corp/network'] }, { groupMap: new Map([['/corp/network', 'netops']]) });
    expect(await userIs()).toMatchObject({ groups: ['netops'] });
  });
});

describe('superusers', () => {
  test('are those of the groups, as long as they are in them', async () => {
    await local('root', '$argon2id$x', true);
    const policy = { superuserGroups: ['admins'] };
    await enter({ groups: ['admins'] }, policy);
    expect(await userIs()).toMatchObject({ superuser: true });
    await enter({ groups: null }, policy);
    expect(await userIs()).toMatchObject({ superuser: true });
    await enter({ groups: ['others'] }, policy);
    expect(await userIs()).toMatchObject({ superuser: false });
  });
  test('and those named by their name here, not by what they call themselves later', async () => {
    const policy = { superusers: ['boss'] };
    await enter({}, policy);
    await enter({ username: 'boss' }, policy);
    expect(await userIs()).toMatchObject({ superuser: false });
    expect(await enter({ username: 'boss', subject: 'b' }, policy)).toMatchObject({ account: { superuser: true } });
  });
  test('are left alone where nothing is said of them', async () => {
    await enter();
    await sql('update users_user set is_superuser = true');
    await local('root', '$argon2id$x', true);
    await enter({ groups: ['x'] });
    expect(await userIs()).toMatchObject({ superuser: true });
  });
  test('the last one stays, which the log tells', async () => {
    const policy = { superuserGroups: ['admins'] };
    await enter({ groups: ['admins'] }, policy);
    await enter({ groups: [] }, policy);
    expect(await userIs()).toMatchObject({ superuser: true });
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
