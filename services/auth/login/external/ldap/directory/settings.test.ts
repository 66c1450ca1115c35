import { ConfigError } from '@cadastre/service/config-error';
import { describe, expect, test } from '@jest/globals';
import { certificateFile } from '../../../../../../tools/testing/certificates/index.ts';
import { directoryOf } from './directory.ts';
import { loadLdapSettings } from './settings.ts';

const log = { info: () => undefined, warn: () => undefined };
const base = { LDAP_URL: 'ldaps://ldap.example.com', LDAP_USER_BASE: 'ou=people,dc=example' };

function problems(env: Record<string, string>): readonly string[] {
  try {
    const settings = loadLdapSettings(env);
    if (settings) directoryOf(settings, log);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('without any there is no directory', () => {
  expect(loadLdapSettings({ LDAP_URL: '' })).toBeNull();
});

test('servers, groups and what is read from files', () => {
  expect(
    loadLdapSettings({
      ...base,
      LDAP_URL: 'ldaps://One.example.com/, ldaps://two.example.com:1636',
      LDAP_BIND_DN: 'cn=reader',
      LDAP_BIND_PASSWORD: 'x',
      LDAP_CA_FILE: certificateFile('ca.pem'),
      LDAP_GROUP_BASE: 'ou=groups',
      LDAP_REQUIRE_GROUP: 'cn=staff,ou=groups; cn=guests,ou=groups',
      LDAP_DENY_GROUP: 'gone, locked',
      LDAP_SUPERUSER_GROUPS: '["cn=a,b", "c"]',
      LDAP_GROUP_MAP: '{"staff": "Staff"}',
    }),
  ).toMatchObject({
    ldapUrl: ['ldaps://one.example.com', 'ldaps://two.example.com:1636'],
    ca: expect.stringContaining('BEGIN CERTIFICATE'),
    ldapRequireGroup: ['cn=staff,ou=groups', 'cn=guests,ou=groups'],
    ldapDenyGroup: ['gone', 'locked'],
    ldapSuperuserGroups: ['cn=a,b', 'c'],
    ldapGroupMap: new Map([['staff', 'Staff']]),
    ldapCreateUsers: true,
  });
});

test('what is right', () => {
  expect(problems(base)).toEqual([]);
  expect(
    problems({ LDAP_URL: 'ldap://x:389', LDAP_START_TLS: 'yes', LDAP_USER_DN_TEMPLATE: 'uid=%(user)s,dc=x' }),
  ).toEqual([]);
  expect(problems({ ...base, LDAP_URL: 'ldap://x', LDAP_INSECURE_NO_TLS: 'true' })).toEqual([]);
  expect(problems({ ...base, LDAP_GROUP_BASE: 'ou=g', LDAP_GROUP_FILTER: '(memberUid=%(user)s)' })).toEqual([]);
});

describe('what is wrong is named', () => {
  test.each<[Record<string, string>, RegExp[]]>([
    [
      { LDAP_BIND_DN: 'x', LDAP_GROUP_SYNC: 'true' },
      [/^LDAP_URL is required with LDAP_BIND_DN/, /with LDAP_GROUP_SYNC/],
    ],
    [{ LDAP_URL: 'ldaps://x' }, [/^LDAP_USER_BASE, or LDAP_USER_DN_TEMPLATE/]],
    [{ ...base, LDAP_URL: 'http://x' }, [/^LDAP_URL must be/]],
    [{ ...base, LDAP_URL: 'ldaps://x/dc=example?uid' }, [/^LDAP_URL must be/]],
    [{ ...base, LDAP_URL: 'ldaps://name:pw@x' }, [/^LDAP_URL must be/]],
    [{ ...base, LDAP_URL: 'ldaps://[::1]' }, [/^LDAP_URL must be/]],
    [{ ...base, LDAP_URL: 'ldaps://x, ldap://y' }, [/^LDAP_URL must be/]],
    [{ ...base, LDAP_URL: 'ldap://x' }, [/^LDAP_URL must begin with ldaps:.*LDAP_INSECURE_NO_TLS/]],
    [{ ...base, LDAP_INSECURE_NO_TLS: 'true' }, [/^LDAP_INSECURE_NO_TLS/]],
    [{ ...base, LDAP_START_TLS: 'true' }, [/^LDAP_START_TLS/]],
    [
      { ...base, LDAP_URL: 'ldap://x', LDAP_INSECURE_NO_TLS: 'true', LDAP_CA_FILE: certificateFile('ca.pem') },
      [/^LDAP_CA_FILE needs/],
    ],
    [
      { ...base, LDAP_INSECURE_NO_VERIFICATION: 'true', LDAP_CA_FILE: certificateFile('ca.pem') },
      [/^LDAP_CA_FILE and LDAP_INSECURE_NO_VERIFICATION/],
    ],
    [{ ...base, LDAP_CA_FILE: '/nowhere' }, [/^LDAP_CA_FILE cannot be read/]],
    [{ ...base, LDAP_BIND_DN: 'cn=x' }, [/^LDAP_BIND_DN and LDAP_BIND_PASSWORD/]],
    [{ ...base, LDAP_BIND_PASSWORD: 'hidden' }, [/^LDAP_BIND_DN and LDAP_BIND_PASSWORD/]],
    [{ ...base, LDAP_USER_DN_TEMPLATE: 'uid=%(user)s,dc=x' }, [/^LDAP_USER_BASE is for a search/]],
    [{ LDAP_URL: 'ldaps://x', LDAP_USER_DN_TEMPLATE: '%(user)s' }, [/^LDAP_USER_DN_TEMPLATE must be a DN like/]],
    [{ ...base, LDAP_USER_FILTER: '(uid=alice)' }, [/^LDAP_USER_FILTER must have %\(user\)s/]],
    [{ ...base, LDAP_USER_FILTER: '(uid=%(user)s' }, [/^LDAP_USER_FILTER must be a filter/]],
    [{ ...base, LDAP_USERNAME_ATTRIBUTE: 'a b' }, [/^LDAP_USERNAME_ATTRIBUTE must be/]],
    [{ ...base, LDAP_REQUIRE_GROUP: 'staff' }, [/^LDAP_GROUP_BASE is required with LDAP_REQUIRE_GROUP/]],
    [{ ...base, LDAP_GROUP_BASE: 'x', LDAP_GROUP_FILTER: '(cn=x)' }, [/^LDAP_GROUP_FILTER must have/]],
    [
      { ...base, LDAP_GROUP_BASE: 'x', LDAP_GROUP_FILTER: '(memberUid=%(user)s)', LDAP_NESTED_GROUPS: 'search' },
      [/^LDAP_GROUP_FILTER must have %\(dn\)s with LDAP_NESTED_GROUPS/],
    ],
    [{ ...base, LDAP_GROUP_BASE: 'x', LDAP_NESTED_GROUPS: 'all' }, [/^LDAP_NESTED_GROUPS must be/]],
    [{ ...base, LDAP_GROUP_BASE: 'x', LDAP_GROUP_MAP: '["a"]' }, [/^LDAP_GROUP_MAP must be/]],
    [{ ...base, LDAP_GROUP_BASE: 'x', LDAP_REQUIRE_GROUP: '[1]' }, [/^LDAP_REQUIRE_GROUP must be/]],
    [{ ...base, LDAP_CHECK_TIMEOUT_MS: '100' }, [/^LDAP_OPERATION_TIMEOUT_MS/]],
    [{ ...base, LDAP_RECHECK_SECONDS: '60' }, [/^LDAP_BIND_DN is required with LDAP_RECHECK_SECONDS/]],
    [{ ...base, LDAP_RECHECK_MAX_PERCENT: '0' }, [/^LDAP_RECHECK_MAX_PERCENT must be/]],
  ])('%j', (env, expected) => {
    const found = problems(env);
    expect(found).toEqual(expected.map((one) => expect.stringMatching(one)));
    expect(found.join()).not.toContain('hidden');
  });
});
