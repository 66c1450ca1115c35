import { describe, expect, test } from '@jest/globals';
import { background } from '@cadastre/service/collections';
import { pathOf, router, routes } from './routes.ts';

describe('router', () => {
  const find = router([
    { prefix: '/api/extras/', service: 'extras' },
    { prefix: '/api/extras/webhooks/', service: 'webhooks' },
    ...routes([{ app: 'dcim', path: 'sites', service: 'dcim' }, ...background]),
  ]);
  const service = (path: string) => find(path)?.service ?? null;

  test('the longest prefix wins', () => {
    expect(service('/api/extras/tags/1/')).toBe('extras');
    expect(service('/api/extras/webhooks/')).toBe('webhooks');
    expect(service('/api/extras/webhooks/1/x/')).toBe('webhooks');
  });
  test('a prefix ends at a slash', () => {
    expect(service('/api/dcim/sites/')).toBe('dcim');
    expect(service('/api/dcim/sites/1/')).toBe('dcim');
    expect(service('/api/dcim/sites')).toBeNull();
    expect(service('/api/dcim/sites2/')).toBeNull();
    expect(service('/api/dcim/')).toBeNull();
    expect(service('/')).toBeNull();
  });
  test('deliveries and the check of credentials have their owners', () => {
    expect(service('/api/core/background-tasks/abc/')).toBe('webhooks');
    expect(service('/api/authentication-check/')).toBe('auth');
  });
  test('refuses a table that cannot be right', () => {
    expect(() => router([{ prefix: '/api/x', service: 'a' }])).toThrow('begin and end with a slash');
    expect(() =>
      router([
        { prefix: '/api/x/', service: 'a' },
        { prefix: '/api/x/', service: 'b' },
      ]),
    ).toThrow('Two services claim /api/x/');
  });
});

describe('pathOf', () => {
  test('cuts the query off', () => expect(pathOf('/api/dcim/sites/?q=/../')).toBe('/api/dcim/sites/'));
  test.each([
    '*',
    'http://x/api/',
    '//x/api/',
    '/api/../internal/',
    '/api/./',
    '/api/..',
    '/api/%2e%2e/internal/',
    '/api/a%2Fb/',
    '/api\\x/',
    '',
  ])('no route sees %p', (target) => expect(pathOf(target)).toBeNull());
  test.each(['/api/x/...a/', '/api/x/1.5/', '/api/x/a%20b/'])('%p is plain', (target) =>
    expect(pathOf(target)).toBe(target),
  );
});
