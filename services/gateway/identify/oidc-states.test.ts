import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { oidcStates } from './oidc-states.ts';
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
  const { seal, open } = oidcStates(secret);
  const cookie = await seal(begun, 60);
  expect(Buffer.from(cookie.split('.').join(''), 'base64url').toString('latin1')).not.toContain('verifier');
  expect(await open(cookie)).toEqual(begun);
});

test('what was made elsewhere, was changed, is of another kind or too old does not count', async () => {
  const { seal, open } = oidcStates(secret);
  const cookie = await seal(begun, 60);
  for (const wrong of [
    '',
    'x',
    `${cookie.slice(0, -2)}AA`,
    await oidcStates(new Secret('t'.repeat(32))).seal(begun, 60),
    await sessions(secret, 60).begin(1, 'stamp'),
    await seal(begun, -10),
  ])
    expect(await open(wrong)).toBeNull();
});
