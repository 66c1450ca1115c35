import { expect, test } from '@jest/globals';
import { type BannerFacts, banner } from './banner.ts';

const facts: BannerFacts = {
  port: 8000,
  host: undefined,
  secure: false,
  username: 'admin',
  password: 'generated-password',
  apiToken: 't'.repeat(40),
  given: { password: false, apiToken: false },
  existed: false,
  dataDir: '/data',
  seconds: 3.21,
};
const later = { ...facts, password: undefined, apiToken: undefined };

test('generated credentials are shown, and the line to try works as it stands', () => {
  expect(banner(facts)).toContain('admin / generated-password');
  expect(banner(facts)).toContain(
    `curl -H "Authorization: Token ${'t'.repeat(40)}" http://localhost:8000/api/dcim/sites/`,
  );
});

test('credentials that the administrator chose are not', () => {
  const text = banner({ ...later, given: { password: true, apiToken: true } });
  expect(text).toContain(
    'admin / as in SUPERUSER_PASSWORD at the first start; lost: npm run admin -- users reset-password admin\n',
  );
  expect(text).toContain('Token $SUPERUSER_API_TOKEN');
});

test('later starts have a line that works too: it asks for the password', () => {
  expect(banner(later)).toContain(
    '  login       admin / the password set before; lost: npm run admin -- users reset-password admin\n',
  );
  expect(banner(later)).toContain(
    '  curl -H "Authorization: $(npm run -s admin -- token --url http://localhost:8000)" http://localhost:8000/api/dcim/sites/\n',
  );
  expect(banner({ ...later, username: 'root' })).toContain('--user root)');
});

test('a handful of lines: the API, the web pages, what to try, and one curl line', () => {
  const text = banner(facts);
  for (const named of [
    'http://localhost:8000/api/',
    'web pages   http://localhost:8000/\n',
    'npm run demo',
    'npm run receiver',
    'http://localhost:9000/',
  ])
    expect(text).toContain(named);
  expect(text.split('\n').filter((line) => line.includes('curl '))).toHaveLength(1);
  expect(text.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
});

test('by TLS, addresses say so', () => {
  expect(banner({ ...facts, secure: true })).toContain('https://localhost:8000/api/');
});

test.each([
  ['0.0.0.0', 'http://localhost:8000/'],
  ['::1', 'http://[::1]:8000/'],
  ['10.0.0.5', 'http://10.0.0.5:8000/'],
])('an address that one can open, listening on %s', (host, expected) => {
  expect(banner({ ...facts, host })).toContain(expected);
});
