import { describe, expect, test } from '@jest/globals';
import { HttpError } from '@cadastre/service/errors';
import { Secret } from '@cadastre/service/secret';
import { sessions } from '../sessions.ts';
import { problemsOf } from './api.ts';
import { ownPath } from './login.ts';
import { pager } from './pager.ts';
import { duration, moment, pretty, render } from './render.ts';

describe('sessions', () => {
  const mine = sessions(new Secret('s'.repeat(32)), 60);
  const other = sessions(new Secret('o'.repeat(32)), 60);
  test('a cookie says who somebody is, to whoever has the secret', async () => {
    const cookie = await mine.begin(7, 'stamp');
    const session = await mine.open(cookie);
    expect(session).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
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
  for (const good of ['/', '/core/background-tasks/?status=failed', '/extras/webhook-deliveries/1/'])
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

test('a page knows its neighbours', () => {
  const of = (query: string, count: number, here: number) =>
    pager({ count, next: null, results: Array.from({ length: here }) }, '/x/', new URLSearchParams(query));
  expect(of('status=failed&done=requeued', 120, 50)).toEqual({
    from: 1,
    to: 50,
    count: 120,
    previous: null,
    next: '/x/?status=failed&offset=50',
  });
  expect(of('offset=50', 120, 50)).toMatchObject({ from: 51, to: 100, previous: '/x/', next: '/x/?offset=100' });
  expect(of('offset=100', 120, 20)).toMatchObject({ from: 101, to: 120, previous: '/x/?offset=50', next: null });
  expect(of('offset=50', 120, 20)).toMatchObject({ from: 51, to: 70, next: '/x/?offset=70' });
  for (const bad of ['offset=-5', 'offset=x', 'offset=99999999999999999999'])
    expect(of(bad, 0, 0)).toEqual({ from: 0, to: 0, count: 0, previous: null, next: null });
});

test('refusals of the API by field', () => {
  expect(problemsOf(new HttpError(400, { object_id: ['A.', 'B.'], __all__: ['C.'] }))).toEqual({
    object_id: 'A. B.',
    '': 'C.',
  });
  expect(problemsOf(new HttpError(403, { detail: 'No.' }))).toEqual({ '': 'No.' });
  expect(problemsOf(new HttpError(500, undefined))).toEqual({});
});

test('what is shown is readable, and escaped', () => {
  expect([
    moment('2026-11-21T14:03:07.123456Z'),
    moment(null),
    duration(12),
    duration(1_500),
    duration(61_000),
  ]).toEqual(['2026-11-21 14:03:07', '', '12 ms', '1.5 s', '1 min 1 s']);
  expect([pretty('{"a":1}'), pretty('<b>')]).toEqual(['{\n  "a": 1\n}', '<b>']);
  const html = render('refused', {
    title: '<script>',
    status: 400,
    problems: { '"><img src=x>': '<script>alert(1)</script>' },
  });
  expect(html).not.toMatch(/<script>|<img/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});
