import { describe, expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { sessions } from '../../identify/sessions.ts';
import { ownPath } from './own-path.ts';
import { render } from './render.ts';

describe('sessions', () => {
  const mine = sessions(new Secret('s'.repeat(32)), 60);
  const other = sessions(new Secret('o'.repeat(32)), 60);
  test('a cookie says who somebody is, to whoever has the secret', async () => {
    const cookie = await mine.begin(7, 'stamp');
    const session = await mine.open(cookie);
    expect(session).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      userId: 7,
      stamp: 'stamp',
      until: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(session!.until) - Date.now()).toBeLessThanOrEqual(60_000);
    expect(await other.open(cookie)).toBeNull();
    for (const forged of [
      '',
      'x',
      `${cookie.slice(0, -3)}abc`,
      cookie.replace(/^[^.]+/, Buffer.from('{"alg":"none"}').toString('base64url')),
    ])
      expect(await mine.open(forged)).toBeNull();
  });
  test('an expired one says nothing', async () => {
    expect(await mine.open(await sessions(new Secret('s'.repeat(32)), -1).begin(7, 'stamp'))).toBeNull();
  });
});

test('a login goes on to a page of ours only', () => {
  for (const good of ['/', '/extras/webhook-deliveries/?status=failed', '/extras/webhook-deliveries/1/'])
    expect(ownPath(good)).toBe(good);
  for (const bad of [
    null,
    '',
    '//evil.example/',
    '/\\evil.example/',
    'https://evil.example/',
    'javascript:alert(1)',
    '/a b',
    '/a\r\nX: 1',
  ])
    expect(ownPath(bad)).toBe('/');
});

test('what is shown is escaped', () => {
  const html = render('refused', {
    title: '<script>',
    problem: '"><img src=x><script>alert(1)</script>',
  });
  expect(html).not.toMatch(/<script>|<img/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('a password is hidden as it is typed, and may be pasted and kept by a manager', () => {
  const page = render('login', {
    title: 'Log in',
    passwords: true,
    next: '/',
    csrfToken: 'p',
    username: '',
    passkey: {},
  });
  expect(page).toContain('<input type="password" name="password" autocomplete="current-password" required');
  expect(page).not.toMatch(/\son\w+=/);
});
