import { expect, test } from '@jest/globals';
import { maskedText, secretsOf } from './masked.ts';

const request = (headers: Record<string, string>, url = 'http://x/') => ({
  headers: Object.entries(headers),
  url: new URL(url),
});

test('what the request holds of secrets is known: whole headers and their parts, the password of the URL', () => {
  expect(
    secretsOf(
      request(
        {
          Authorization: 'Bearer abcdefgh1',
          'X-Vault-Token': 'tok-12345',
          'X-Hook-Signature': 'sig12345',
          'X-Site': 'visible-value',
        },
        'http://me:p%20ss@x/',
      ),
      ['s3cr3t'],
    ),
  ).toEqual(
    expect.arrayContaining(['s3cr3t', 'Bearer abcdefgh1', 'abcdefgh1', 'tok-12345', 'sig12345', 'p ss', 'p%20ss']),
  );
  expect(secretsOf(request({ 'X-Site': 'visible-value' }), [''])).toEqual([]);
  expect(secretsOf(null, ['abc'])).toEqual([]);
});

test('a secret of the webhook is known in the forms in which receivers give it back', () => {
  const known = secretsOf(null, ['a "b"&c']);
  for (const form of [
    'a "b"&c',
    'a \\"b\\"&c',
    encodeURIComponent('a "b"&c'),
    btoa('a "b"&c').replace(/=+$/, ''),
    Buffer.from('a "b"&c').toString('hex'),
  ])
    expect(maskedText(`x ${form} y`, known)).not.toContain(form);
});

test('a known secret is masked wherever it stands', () => {
  expect(maskedText('you sent s3cr3t and s3cr3t', ['s3cr3t'])).toBe('you sent ******** and ********');
});

test.each([
  ['{"access_token": "a\\"b", "name": "x"}', '{"access_token": "********", "name": "x"}'],
  ['{"password":12345,"n":1}', '{"password":"********","n":1}'],
  ['{"client-secret" : "cut off in the mid', '{"client-secret" : "********"'],
  [
    '{"headers": {"Authorization": "Basic eDp5", "webhook-signature": "v1,abc"}}',
    '{"headers": {"Authorization": "********", "webhook-signature": "********"}}',
  ],
  ['grant=1&api_key=abc&x=2', 'grant=1&api_key=********&x=2'],
  ['token=abc', 'token=********'],
  ['Not a URL: "https//user:pa55@word@example.org/x"', 'Not a URL: "https//********@example.org/x"'],
  ['see https://example.org:8443/a@b and //u:p@h', 'see https://example.org:8443/a@b and //********@h'],
  [
    '{"tokens_left": null, "description": "the token of trust"}',
    '{"tokens_left": "********", "description": "the token of trust"}',
  ],
])('what is called a secret is masked: %s', (text, masked) => {
  expect(maskedText(text, [])).toBe(masked);
});

test('long texts take no long time', () => {
  const began = performance.now();
  for (const text of [
    '"'.repeat(100_000),
    `"${'token'.repeat(20_000)}`,
    'token'.repeat(20_000),
    '//a:'.repeat(25_000),
    `//${':'.repeat(100_000)}`,
    'a.'.repeat(50_000),
    `"token": "${'\\"'.repeat(50_000)}`,
  ])
    maskedText(text, []);
  expect(performance.now() - began).toBeLessThan(5_000);
});
