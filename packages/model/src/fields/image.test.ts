import { expect, test } from '@jest/globals';
import type { GivenFile, ParseContext } from '../types/parsing.ts';
import { image } from './image.ts';

const files = new Map<string, GivenFile>([
  ['file 0', { name: 'p.png', bytes: Buffer.from('x'), image: { extension: 'png', width: 1, height: 1 } }],
  ['file 1', { name: 'p.png', bytes: Buffer.alloc(0), image: { problem: 'none' } }],
  ['file 2', { name: 'p.png', bytes: Buffer.from('hello'), image: { problem: 'Upload a valid image.' } }],
  ['file 3', { name: 'ä'.repeat(101), bytes: Buffer.from('x'), image: { extension: 'png', width: 1, height: 1 } }],
]);
const context: ParseContext = { knowsObjectType: () => true, file: (value) => files.get(value) };
const field = image({ folder: 'houses', width: 'w' });

test.each<[string, string[] | 'file 0']>([
  ['file 0', 'file 0'],
  ['file 1', ['The submitted file is empty.']],
  ['file 2', ['Upload a valid image.']],
  ['file 3', ['Ensure this filename has at most 100 characters (it has 101).']],
  ['http://x/media/houses/a.png', ['The submitted data was not a file. Check the encoding type on the form.']],
])('%s', (value, expected) => {
  expect(field.parse!(value, context)).toEqual(Array.isArray(expected) ? { errors: expected } : { value: expected });
});

test('without a form there is no file', () => {
  expect(field.parse!('file 0', { knowsObjectType: () => true })).toEqual({
    errors: ['The submitted data was not a file. Check the encoding type on the form.'],
  });
});

test('only an optional one may be taken away', () => {
  expect([field.nullable, image({ folder: 'x', optional: true }).nullable]).toEqual([false, true]);
});
