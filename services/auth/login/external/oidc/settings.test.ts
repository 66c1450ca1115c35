import { describe, expect, test } from '@jest/globals';
import { claimOf, personOf } from './claims.ts';
import { loadOidcSettings } from './settings.ts';

const good = { OIDC_ISSUER: 'https://login.example.com/', OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: 's'.repeat(16) };
const load = (env: Record<string, string | undefined>) => loadOidcSettings(env, { grpcTimeoutMs: 5_000 });

describe('settings of OpenID Connect', () => {
  test('are none where nothing is set', () => expect(load({})).toBeNull());
  test('keep the name of the provider to the letter, and the secret to themselves', () => {
    const config = load(good)!;
    expect(config.oidcIssuer).toBe('https://login.example.com/');
    expect(JSON.stringify(config)).not.toContain('ssss');
  });
  test.each<[Record<string, string | undefined>, RegExp]>([
    [{ OIDC_CLIENT_SECRET: undefined }, /OIDC_CLIENT_SECRET is required with OIDC_ISSUER/],
    [{ OIDC_CLIENT_ID: '' }, /OIDC_CLIENT_ID is required with OIDC_ISSUER/],
    [{ OIDC_ISSUER: undefined }, /OIDC_ISSUER is required with OIDC_CLIENT_ID/],
    [{ OIDC_CLIENT_SECRET: 'short' }, /OIDC_CLIENT_SECRET must have at least 16 characters/],
    [{ OIDC_ISSUER: 'login.example.com' }, /OIDC_ISSUER must be a URL/],
    [{ OIDC_ISSUER: 'http://login.example.com' }, /OIDC_ISSUER must begin with https:/],
    [{ OIDC_SCOPES: 'profile' }, /OIDC_SCOPES must have openid/],
    [{ OIDC_SUPERUSER_GROUPS: 'admins' }, /OIDC_GROUPS_CLAIM is required with OIDC_SUPERUSER_GROUPS/],
    [{ OIDC_GROUP_MAP: '{"a": "b"}' }, /OIDC_GROUPS_CLAIM is required with OIDC_GROUP_MAP/],
    [{ OIDC_GROUP_MAP: '["a"]', OIDC_GROUPS_CLAIM: 'g' }, /OIDC_GROUP_MAP must be a JSON object/],
    [{ OIDC_CREATE_GROUPS: 'true' }, /OIDC_GROUPS_CLAIM is required with OIDC_CREATE_GROUPS/],
    [{ OIDC_TIMEOUT_MS: '6000' }, /OIDC_TIMEOUT_MS must not be larger than GRPC_TIMEOUT_MS/],
    [{ OIDC_CLIENT_AUTH: 'none' }, /OIDC_CLIENT_AUTH must be auto, basic or post/],
    [{ OIDC_CLOCK_TOLERANCE: '601' }, /OIDC_CLOCK_TOLERANCE must be a whole number from 0 to 600/],
  ])('that are wrong are named: %j', (env, message) => expect(() => load({ ...good, ...env })).toThrow(message));
  test('may have a provider without TLS on this machine, or where it is allowed', () => {
    for (const host of ['127.0.0.1:9000', 'localhost:9000', '[::1]:9000'])
      expect(load({ ...good, OIDC_ISSUER: `http://${host}` })).not.toBeNull();
    expect(() => load({ ...good, OIDC_ISSUER: 'http://127.evil.example' })).toThrow(/must begin with https:/);
    expect(load({ ...good, OIDC_ISSUER: 'http://login.lan', OIDC_ALLOW_HTTP: 'true' })).not.toBeNull();
  });
});

describe('claims', () => {
  const wanted = { oidcUsernameClaim: 'preferred_username', oidcGroupsClaim: 'realm_access.roles' };
  const base = { iss: 'https://i', sub: 's', preferred_username: ' ann ' };
  test('are found by name, or by the way to them', () => {
    const claims = { 'https://x.example/groups': ['a'], realm_access: { roles: ['b'] }, 'a.b': 1, a: { b: 2 } };
    expect(claimOf(claims, 'https://x.example/groups')).toEqual(['a']);
    expect(claimOf(claims, 'realm_access.roles')).toEqual(['b']);
    expect(claimOf(claims, 'a.b')).toBe(1);
    for (const name of ['nothing', 'realm_access.roles.length.x', 'constructor', 'realm_access.__proto__'])
      expect(claimOf(claims, name)).toBeUndefined();
  });
  test('make a person', () => {
    expect(
      personOf({ ...base, email: 'a@x', given_name: 'A', family_name: 7, realm_access: { roles: ['a', 1] } }, wanted),
    ).toEqual({
      source: 'oidc',
      subject: 'https://i s',
      username: 'ann',
      email: 'a@x',
      firstName: 'A',
      groups: ['a'],
    });
  });
  test.each<[object, string[] | null]>([
    [{}, []],
    [{ realm_access: { roles: 'one' } }, ['one']],
    [{ hasgroups: true }, null],
    [{ _claim_names: { 'realm_access.roles': 'src1' } }, null],
  ])('of groups: %j', (more, groups) => expect(personOf({ ...base, ...more }, wanted)).toMatchObject({ groups }));
  test('say nothing of groups where no claim is named', () =>
    expect(personOf({ ...base, groups: ['a'] }, { ...wanted, oidcGroupsClaim: undefined })).toMatchObject({
      groups: null,
    }));
});
