import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { eventually } from '../../../../tests/support/eventually.ts';
import { testKeys } from '../../../../tools/testing/secrets/keys.ts';
import { loadConfig } from '../settings/config.ts';
import {
  anonymous,
  createIdentitySigner,
  createIdentityVerifier,
  IdentityError,
  signIdentity,
  type UserIdentity,
} from './identity.ts';
import { identityKeys, identitySigningKey, serviceSigningKey, type SigningKey } from '../settings/key-pairs.ts';
import { newKeyPair } from './new-keys.ts';

const gateway = testKeys('gateway', 'dcim')('gateway');
const config = loadConfig(gateway);
const keys = identityKeys(config);
const key = identitySigningKey(config);
const user: UserIdentity = {
  anonymous: false,
  userId: 7,
  username: 'änne',
  superuser: false,
  permissionsVersion: 3,
  tokenId: null,
  writeEnabled: true,
};

test('what was signed comes back', async () => {
  const verify = createIdentityVerifier(keys);
  expect(await verify(await signIdentity(user, key, 60))).toEqual(user);
  const inSession = { ...user, sessionId: 12, provenUntil: 1_700_000_000, configVersion: 'c1' };
  expect(await verify(await signIdentity(inSession, key, 60))).toEqual(inSession);
  expect(await verify(await signIdentity(anonymous, key, 60))).toEqual(anonymous);
});

test('a verified token is answered at once until it expires', async () => {
  const verify = createIdentityVerifier(keys);
  const token = await signIdentity(user, key, 3);
  const first = verify(token);
  expect(first).toBeInstanceOf(Promise);
  await first;
  expect(verify(token)).toEqual(user);
  await eventually(() => expect((async () => verify(token))()).rejects.toThrow(IdentityError));
});

test('while the key is changed, what either signs counts; afterwards only the new one', async () => {
  const next = newKeyPair();
  const both = loadConfig({
    IDENTITY_KEY: next.private,
    IDENTITY_PUBLIC_KEYS: `${gateway['IDENTITY_PUBLIC_KEYS']}, ${next.public}`,
  });
  const tokens = await Promise.all([key, identitySigningKey(both)].map((one) => signIdentity(user, one, 60)));
  for (const token of tokens) expect(await createIdentityVerifier(identityKeys(both))(token)).toEqual(user);
  const after = createIdentityVerifier(identityKeys(loadConfig({ IDENTITY_PUBLIC_KEYS: next.public })));
  await expect(after(tokens[0]!)).rejects.toThrow(IdentityError);
  expect(await after(tokens[1]!)).toEqual(user);
});

const now = () => Math.floor(Date.now() / 1000);
/** A token like those of the gateway, except for the given changes. */
const made = ({ header = {}, claims = {}, by = key }: { header?: object; claims?: object; by?: SigningKey }) =>
  new SignJWT({ sub: '7', name: 'x', iat: now(), exp: now() + 60, aud: 'services', ...claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: by.kid, typ: 'cadastre-identity+jwt', ...header })
    .sign(by.key);
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** If a token could choose its algorithm, an attacker could sign with the public key as an HMAC secret. */
const symmetric = () => {
  const text = `${encoded({ alg: 'HS256', kid: key.kid, typ: 'cadastre-identity+jwt' })}.${encoded({ sub: '7', name: 'x', iat: now(), exp: now() + 60, aud: 'services' })}`;
  return `${text}.${createHmac('sha256', Buffer.from(gateway['IDENTITY_PUBLIC_KEYS']!, 'base64')).update(text).digest('base64url')}`;
};
const another = newKeyPair();
const foreign = identitySigningKey(loadConfig({ IDENTITY_KEY: another.private, IDENTITY_PUBLIC_KEYS: another.public }));

test.each<[string, () => Promise<string> | string]>([
  ['another key', () => made({ by: foreign })],
  ['another key under the name of the right one', () => made({ by: { ...foreign, kid: key.kid } })],
  ['the key of a service', () => made({ by: serviceSigningKey(config, 'gateway') })],
  [
    'the key of a service under the name of the right one',
    () => made({ by: { ...serviceSigningKey(config, 'gateway'), kid: key.kid } }),
  ],
  ['no name of a key', () => made({ header: { kid: undefined } })],
  [
    'no key',
    () =>
      `${encoded({ alg: 'none', kid: key.kid, typ: 'cadastre-identity+jwt' })}.${encoded({ sub: '1', name: 'x', aud: 'services', iat: now(), exp: now() + 60 })}.`,
  ],
  ['the public key as a secret', symmetric],
  ['another purpose', () => made({ header: { typ: 'cadastre-call+jwt' } })],
  ['another audience', () => made({ claims: { aud: 'dcim' } })],
  ['no end', () => made({ claims: { exp: undefined } })],
  ['no beginning', () => made({ claims: { iat: undefined } })],
  ['more than a minute', () => made({ claims: { exp: now() + 61 } })],
  ['a beginning in the future', () => made({ claims: { iat: now() + 30, exp: now() + 90 } })],
  ['its end over', () => made({ claims: { iat: now() - 61, exp: now() - 1 } })],
  ['no user', () => made({ claims: { sub: undefined } })],
  ['nonsense', () => 'nonsense'],
])('a token with %s is refused', async (_name, token) => {
  expect(await createIdentityVerifier(keys)(await made({}))).toMatchObject({ userId: 7 });
  await expect((async () => createIdentityVerifier(keys)(await token()))()).rejects.toThrow(IdentityError);
});

test('the signer signs the same identity once', async () => {
  const sign = createIdentitySigner(key, 60);
  const token = await sign(user);
  expect(sign({ ...user })).toBe(token);
  expect(await sign({ ...user, permissionsVersion: 4 })).not.toBe(token);
});

test('the signer takes an identity that was changed for another one, and remembers one that cannot be', async () => {
  const verify = createIdentityVerifier(keys);
  const sign = createIdentitySigner(key, 60);
  const changing = { ...user };
  const before = await sign(changing);
  changing.superuser = !changing.superuser;
  expect(await verify(await sign(changing))).toEqual(changing);
  const frozen = Object.freeze({ ...user });
  expect([sign(frozen), sign(frozen)]).toEqual([before, before]);
});
