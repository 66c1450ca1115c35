import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { credentialIn, type Passkey, proved } from './passkeys.ts';

const HOST = 'cadastre.example';
const BASE = `https://${HOST}`;
const CREDENTIAL = Buffer.from('a credential').toString('base64url');
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** The key as passkeys store it: COSE, which is CBOR. */
function cose(): Uint8Array {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const coordinate = (text = '') => Buffer.from(text, 'base64url');
  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}: an EC2 key, ES256, P-256.
  const head = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]);
  return Buffer.concat([head, coordinate(x), Buffer.from([0x22, 0x58, 32]), coordinate(y)]);
}

const passkey: Passkey = { credential: CREDENTIAL, publicKey: cose(), count: 4, transports: [], rpId: HOST };

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** What a browser at this origin answers with, asked for a passkey of the host. */
function answer({ origin = BASE, host = HOST, challenge = 'mark', count = 5, verified = true, type = 'webauthn.get' }) {
  const client = Buffer.from(
    JSON.stringify({ type, challenge: Buffer.from(challenge).toString('base64url'), origin, crossOrigin: false }),
  );
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(count);
  const data = Buffer.concat([sha256(host), Buffer.from([verified ? 0b101 : 0b1]), counted]);
  const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
  return JSON.stringify({
    id: CREDENTIAL,
    rawId: CREDENTIAL,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    },
  });
}

const check = (given: Parameters<typeof answer>[0], base = BASE, verifiesUser = true) =>
  proved(answer(given), passkey, { challenge: 'mark', base, verifiesUser });

test('a passkey proves what it has signed', async () => {
  expect(await check({})).toBe(5);
  expect(await check({ verified: false }, BASE, false)).toBe(5);
}, 30_000);

test.each([
  ['for another challenge', { challenge: 'of another visit' }],
  ['at another origin', { origin: 'https://evil.example' }],
  ['without TLS', { origin: `http://${HOST}` }],
  ['at another port', { origin: `${BASE}:8443` }],
  ['for another host', { host: 'evil.example' }],
  ['without having asked its user', { verified: false }],
  ['with a count that does not go up', { count: 4 }],
  ['with a count from before', { count: 3 }],
  ['to make a passkey', { type: 'webauthn.create' }],
])('and nothing by what was signed %s', async (_, given) => expect(await check(given)).toBeNull());

test('a host below the one that it is for is another place, although browsers let it ask', async () => {
  // The owner of such a host shows its own page, and relays what the browser has signed there under that host's name.
  const origin = `https://evil.${HOST}`;
  expect(await check({ origin }, origin)).toBeNull();
  expect(await check({ origin }, origin, false)).toBeNull();
});

test.each([
  ['no JSON', '{'],
  ['null', 'null'],
  ['an id that is no text', '{"id":1}'],
  ['an id that is given twice', '{"id":"a","id":"b"}'],
  ['what nests without end', `{"id":"a","response":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ['more than a browser would say', `{"id":"a","response":[${'0,'.repeat(1_000)}0]}`],
])('an answer with %s is of no passkey', (_, text) => expect(credentialIn(text)).toBeUndefined());

test('an answer says which passkey it is of', () => expect(credentialIn('{"id":"a","response":{}}')).toBe('a'));
