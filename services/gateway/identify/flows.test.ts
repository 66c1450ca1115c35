import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { flows } from './flows.ts';
import { sessions } from './sessions.ts';

const secret = new Secret('s'.repeat(32));
const begun = {
  state: 'S',
  nonce: 'N',
  verifier: 'V',
  redirect_uri: 'https://x/',
  fresh_since: 1_700_000_000,
  next: '/dcim/',
  prove: 7,
  kept: 'K',
};

test('a browser keeps what it cannot read, and brings it back as it was', async () => {
  const { close, open } = flows(secret);
  const cookie = await close(begun, 60);
  expect(Buffer.from(cookie.split('.').join(''), 'base64url').toString('latin1')).not.toContain('verifier');
  expect(await open(cookie)).toEqual(begun);
});

test('what was made elsewhere, was changed, is of another kind or too old does not count', async () => {
  const { close, open } = flows(secret);
  const cookie = await close(begun, 60);
  for (const wrong of [
    '',
    'x',
    `${cookie.slice(0, -2)}AA`,
    await flows(new Secret('t'.repeat(32))).close(begun, 60),
    await sessions(secret, 60).begin(1, 'stamp'),
    await close(begun, -10),
  ])
    expect(await open(wrong)).toBeNull();
});
