import type { IncomingMessage } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { answerForPage, asksForPage, wantsPage } from './api-pages.ts';

const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const firefox = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each<[string | undefined, boolean]>([
  [chrome, true],
  [firefox, true],
  ['text/html', true],
  ['TEXT/HTML, application/json;q=0.9', true],
  ['application/json;q=0.5, text/*', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html', false],
  ['application/json, text/plain, */*', false],
  ['application/json; indent=4', false],
  ['text/html;q=0.1, */*', false],
  ['text/html;q=nonsense', false],
])('Accept: %s', (accept, page) => expect(wantsPage(accept)).toBe(page));

const request = (method: string, url: string, headers: Record<string, string> = {}) =>
  asksForPage({ method, url, headers: { accept: chrome, ...headers } } as unknown as IncomingMessage);

test('a browser reads pages and sends forms', () => {
  expect(request('GET', '/api/dcim/sites/')).toBe(true);
  expect(request('HEAD', '/api/dcim/sites/')).toBe(true);
  expect(request('POST', '/api/dcim/sites/', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(true);
});
test('who has a token, names a format, or sends anything else sees what was there before', () => {
  expect(request('GET', '/api/dcim/sites/', { authorization: 'Token x' })).toBe(false);
  expect(request('GET', '/api/dcim/sites/?format=json')).toBe(false);
  expect(request('GET', '/api/dcim/sites/?limit=1&export=csv')).toBe(false);
  expect(request('POST', '/api/dcim/sites/', { 'content-type': 'application/json' })).toBe(false);
  expect(request('POST', '/api/dcim/sites/')).toBe(false);
  expect(request('PATCH', '/api/dcim/sites/1/')).toBe(false);
  expect(request('OPTIONS', '/api/dcim/sites/')).toBe(false);
});

test('an answer travels to the service of the pages, unless it is too long', () => {
  const text = answerForPage(200, { a: 'ä' })!;
  expect(JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString())).toEqual({ status: 200, body: { a: 'ä' } });
  const noise = Array.from({ length: 20_000 }, (_, i) => String(Math.sin(i))).join('');
  expect(answerForPage(200, noise)).toBeUndefined();
});
