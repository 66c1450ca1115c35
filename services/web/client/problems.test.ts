import { expect, test } from '@jest/globals';
import { problemsOf } from './problems.ts';

test('what the API refuses stands at its fields, and above the form what is about none', () => {
  expect(problemsOf({ body: { name: ['Too long.', 'Wrong.'], detail: 'No.' } })).toEqual({
    name: 'Too long. Wrong.',
    '': 'No.',
  });
  expect(problemsOf({ body: { __all__: ['Both.'] } })).toEqual({ '': 'Both.' });
  expect(problemsOf({ body: { custom_fields: { code: ['Bad.'] } } })).toEqual({ custom_fields: 'code: Bad.' });
});

test.each([undefined, null, 'text', 7])('an answer that is none (%s) is no problem of a field', (body) => {
  expect(problemsOf({ body })).toEqual({});
});
