import { expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { eventually } from '../../../tests/support/eventually.ts';
import { anonymous, createIdentitySigner, createIdentityVerifier, IdentityError, signIdentity, type UserIdentity } from './identity.ts';
import { Secret } from './secret.ts';

const secret = new Secret('a'.repeat(32));
const user: UserIdentity = { anonymous: false, userId: 7, username: 'änne', superuser: false, permissionsVersion: 3, tokenId: null, writeEnabled: true };

test('what was signed comes back', async () => {
  const verify = createIdentityVerifier(secret);
  expect(await verify(await signIdentity(user, secret, 60))).toEqual(user);
  expect(await verify(await signIdentity(anonymous, secret, 60))).toEqual(anonymous);
});

test('a verified token is answered at once until it expires', async () => {
  const verify = createIdentityVerifier(secret);
  const token = await signIdentity(user, secret, 3);
  const first = verify(token);
  expect(first).toBeInstanceOf(Promise);
  await first;
  expect(verify(token)).toEqual(user);
  await eventually(() => expect((async () => verify(token))()).rejects.toThrow(IdentityError));
});

test.each([
  ['another key', () => signIdentity(user, new Secret('b'.repeat(32)), 60)],
  ['no key', async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1","name":"x","aud":"identity","exp":9999999999}').toString('base64url')}.`],
  ['another purpose', () => new SignJWT({ name: 'x' }).setProtectedHeader({ alg: 'HS256' }).setSubject('1').setAudience('grpc').setExpirationTime('1h').sign(new TextEncoder().encode(secret.reveal()))],
  ['no end', () => new SignJWT({ name: 'x' }).setProtectedHeader({ alg: 'HS256' }).setSubject('1').setAudience('identity').sign(new TextEncoder().encode(secret.reveal()))],
  ['no user', () => new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setAudience('identity').setExpirationTime('1h').sign(new TextEncoder().encode(secret.reveal()))],
  ['nonsense', async () => 'nonsense'],
])('a token with %s is refused', async (_name, token) => {
  await expect(createIdentityVerifier(secret)(await token())).rejects.toThrow(IdentityError);
});

test('the signer signs the same identity once', async () => {
  const sign = createIdentitySigner(secret, 60);
  const token = await sign(user);
  expect(sign({ ...user })).toBe(token);
  expect(await sign({ ...user, permissionsVersion: 4 })).not.toBe(token);
});
