import { describe, expect, test } from '@jest/globals';
import { concealed, credentialsIn, revealed } from './concealed.ts';

const mask = '********';

describe('credentials in the address', () => {
  test.each([
    ['https://user:pass@host/x?token=abc&b=1', `https://${mask}:${mask}@host/x?token=${mask}&b=1`],
    ['https://user@host/', `https://${mask}@host/`],
    [' https:user:pass@host/', ` https:${mask}:${mask}@host/`],
    ['https:\\\\user:pass@host/', `https:\\\\${mask}:${mask}@host/`],
    ['https://a@b:c@host/', `https://${mask}:${mask}@host/`],
    ['{{ scheme }}://user:pass@host/', `{{ scheme }}://${mask}:${mask}@host/`],
    ['https://{{ secrets.user }}:{{ secrets.pass }}@host/', 'https://{{ secrets.user }}:{{ secrets.pass }}@host/'],
    ['https://me:{{ secrets.pass }}x@host/', `https://${mask}:{{ secrets.pass }}${mask}@host/`],
    [
      'https://host/?a=1&api_key=x{{ "?&=" }}z&%74oken=q#f',
      `https://host/?a=1&api_key=${mask}{{ "?&=" }}${mask}&%74oken=${mask}#f`,
    ],
    ['https://host/a@b?mail=a@b', 'https://host/a@b?mail=a@b'],
    [
      'https://{{ data.name }}.example.org/{{ data.site.slug }}',
      'https://{{ data.name }}.example.org/{{ data.site.slug }}',
    ],
    ['{{ secrets.url }}', '{{ secrets.url }}'],
    ['\ue000{{ x }}', '\ue000{{ x }}'],
  ])('%s', (text, shown) => {
    expect(concealed('url', text)).toBe(shown);
    expect(concealed('url', shown)).toBe(shown);
    expect(revealed('url', shown, text)).toBe(text);
  });

  test('they belong to the address', () => {
    const text = 'https://user:pass@host/x?token=abc';
    for (const other of ['evil', 'host:444', 'host.evil'])
      expect(revealed('url', `https://${mask}:${mask}@${other}/`, text)).toBeNull();
    expect(revealed('url', `http://${mask}:${mask}@host/`, text)).toBeNull();
    expect(revealed('url', `https://evil/?token=${mask}`, text)).toBeNull();
    expect(revealed('url', `https://host/?other_token=${mask}`, text)).toBeNull();
    expect(revealed('url', `https://new:${mask}@host/y`, text)).toBe('https://new:pass@host/y');
    expect(revealed('url', `https://${mask}:${mask}@host/`, '')).toBeNull();
  });
});

describe('credentials in headers', () => {
  test.each([
    ['Authorization: Bearer abc\nX-Env: prod', `Authorization: Bearer ${mask}\nX-Env: prod`],
    ['Authorization: Token', `Authorization: ${mask}`],
    ['Authorization: abc', `Authorization: ${mask}`],
    ['Authorization: Bearer {{ secrets.token }}', 'Authorization: Bearer {{ secrets.token }}'],
    [
      '{% if a %}X-Token: abc{% endif %}\r\nCookie: a=b; c=d',
      `{% if a %}X-Token: ${mask}{% endif %}\r\nCookie: ${mask}; ${mask}`,
    ],
    ['X-Api-Key:abc', `X-Api-Key:${mask}`],
    ['Ocp-Apim-Subscription-Key: abc', `Ocp-Apim-Subscription-Key: ${mask}`],
    ['X-Site: {{ data.name }}\nX-Env: a:b', 'X-Site: {{ data.name }}\nX-Env: a:b'],
  ])('%j', (text, shown) => {
    expect(concealed('headers', text)).toBe(shown);
    expect(concealed('headers', shown)).toBe(shown);
    expect(revealed('headers', shown, text)).toBe(text);
  });

  test('a mask means the same header alone', () => {
    expect(revealed('headers', `X-Env: new\nX-Token: ${mask}`, 'X-Token: abc')).toBe('X-Env: new\nX-Token: abc');
    expect(revealed('headers', `X-Other-Token: ${mask}`, 'X-Token: abc')).toBeNull();
    expect(credentialsIn('headers', 'Authorization: Bearer abc\nCookie: a=b; c')).toEqual(['abc', 'a=b', 'c']);
  });
});

test('long texts take no long time', () => {
  const began = performance.now();
  for (const text of [
    '{{'.repeat(50_000),
    '{{}}'.repeat(50_000),
    'a:'.repeat(50_000),
    '?token='.repeat(20_000),
    `token: ${'a '.repeat(50_000)}`,
    '\n'.repeat(100_000),
    `http://${'@'.repeat(100_000)}`,
  ])
    for (const holder of ['url', 'headers'] as const) concealed(holder, text);
  expect(performance.now() - began).toBeLessThan(5_000);
});
