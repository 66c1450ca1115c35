import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { HttpError } from '@cadastre/service/errors';
import type { Admitted } from '../admit/admission.ts';
import type { Operations } from './operation.ts';
import { answeredBehind, operationBehind } from './page.ts';

const covers = (path: string): boolean => /^\/api\/core\/parked-events\/(\w+\/\d+\/(replay\/)?)?$/.test(path);

test.each([
  ['GET', '/core/parked-events/?limit=5', { method: 'GET', url: '/api/core/parked-events/?limit=5' }],
  ['HEAD', '/core/parked-events/dcim/1/', { method: 'GET', url: '/api/core/parked-events/dcim/1/' }],
  ['POST', '/core/parked-events/dcim/1/replay/', { method: 'POST', url: '/api/core/parked-events/dcim/1/replay/' }],
  ['POST', '/core/parked-events/dcim/1/delete/', { method: 'DELETE', url: '/api/core/parked-events/dcim/1/' }],
  ['GET', '/core/parked-events/dcim/1/delete/', undefined],
  ['GET', '/core/changelog/', undefined],
  ['POST', '/dcim/sites/delete/', undefined],
])('%s %s', (method, url, behind) => expect(operationBehind({ covers }, method, url)).toEqual(behind));

const admitted = {} as Admitted;
const answering = (ask: Operations['ask']): Operations => ({ covers, ask, answer: async () => {} });
const behind = { method: 'GET', url: '/' };
const read = (text: string) => JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString());

test('what the gateway answers, refusals too', async () => {
  const fine = await answeredBehind(
    answering(async () => ({ status: 200, body: { a: ['b'] } })),
    admitted,
    behind,
  );
  expect(read(fine)).toEqual({ status: 200, body: { a: ['b'] } });
  const refused = await answeredBehind(
    answering(async () => {
      throw new HttpError(403, { detail: 'No.' });
    }),
    admitted,
    behind,
  );
  expect(read(refused)).toEqual({ status: 403, body: { detail: 'No.' } });
});

test('long texts are cut so that it fits into a header, and that is said; addresses stay whole', async () => {
  const noise = randomBytes(30_000).toString('base64');
  const body = { url: 'http://host/api/core/parked-events/dcim/1/', value: noise, results: [{ error: noise }] };
  const text = await answeredBehind(
    answering(async () => ({ status: 200, body })),
    admitted,
    behind,
  );
  expect(text.length).toBeLessThanOrEqual(8_000);
  const given = read(text).body;
  expect([given.url, given.shortened]).toEqual([body.url, true]);
  expect(given.value).toBe(`${noise.slice(0, given.value.length - 1)}…`);
});
