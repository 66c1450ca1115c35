import { expect, test } from '@jest/globals';
import { HttpError } from '@cadastre/service/errors';
import { allowed, orNone, orNothing } from './refusals.ts';

const refused = (status: number): Promise<never> => Promise.reject(new HttpError(status, { detail: 'No.' }));

/** The result: a value, or the status of the error. */
const outcome = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: HttpError) => error.status);

test('an answer is what it is', async () => {
  const list = { count: 1, results: ['it'] };
  expect(await Promise.all([allowed, orNothing].map((one) => one(Promise.resolve('it'))))).toEqual(['it', 'it']);
  expect(await orNone(Promise.resolve(list))).toBe(list);
});

test.each([
  { status: 400, all: [400, undefined, 400] },
  { status: 403, all: [undefined, undefined, { count: 0, results: [] }] },
  { status: 404, all: [404, undefined, { count: 0, results: [] }] },
  { status: 409, all: [409, 409, 409] },
  { status: 503, all: [503, 503, 503] },
])('$status', async ({ status, all }) => {
  expect(await Promise.all([allowed, orNothing, orNone].map((one) => outcome(one(refused(status)))))).toEqual(all);
});

test('an error that is no answer of the API stays an error, whatever status it has', async () => {
  const error = Object.assign(new Error('It broke.'), { status: 403 });
  for (const one of [allowed, orNothing, orNone]) await expect(one(Promise.reject(error))).rejects.toBe(error);
});
