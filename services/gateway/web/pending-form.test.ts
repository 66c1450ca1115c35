import { expect, test } from '@jest/globals';
import { parsePendingForm } from './pending-form.ts';

test('what a form had is read again', () => {
  const kept = {
    to: '/dcim/sites/add/',
    fields: [
      ['name', 'é'],
      ['comments', 'x'.repeat(2_000_000)],
    ],
  };
  expect(parsePendingForm(JSON.stringify(kept))).toEqual(kept);
});

test.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['null', 'null'],
  ['a list', '[]'],
  ['fields that are no pairs', '{"to":"/","fields":[["a"]]}'],
  ['fields that are no texts', '{"to":"/","fields":[["a",{}]]}'],
  ['a member that is given twice', '{"to":"/","to":"/other/","fields":[]}'],
  ['a list without end', `{"to":"/","fields":${'['.repeat(60_000)}`],
  ['something deep beside it', `{"to":"/","fields":[],"more":${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
])('%s is none', (_, text) => expect(parsePendingForm(text)).toBeUndefined());
