import { expect, test } from '@jest/globals';
import { type Model, json, model, ref, text } from '@cadastre/model';
import { differences, linesOf } from './differences.ts';

const thing: Model = model('test.thing', {
  path: 'things',
  label: 'thing',
  brief: ['name'],
  fields: {
    name: text({ max: 10 }),
    site: ref('test.site', { optional: true }),
    comments: text(),
    data: json({ optional: true }),
  },
});

test('only what has changed is told, by label and in the order of the fields', () => {
  expect(
    differences(
      thing,
      { site: 1, name: 'a', comments: '', last_updated: '1', custom_fields: { color: 'red', size: 1 } },
      { site: 2, name: 'b', comments: '', last_updated: '2', custom_fields: { color: 'blue', size: 1 } },
    ).map(({ label, before, after }) => [label, before, after]),
  ).toEqual([
    ['Name', 'a', 'b'],
    ['Site', 1, 2],
    ['Color', 'red', 'blue'],
  ]);
});

test('a new object is what is not empty in it', () => {
  expect(differences(thing, null, { name: 'a', site: null, comments: '', data: {} }).map(({ name }) => name)).toEqual([
    'name',
  ]);
});

test('values with members are unfolded', () => {
  expect(differences(thing, { data: { a: 1, b: 2 } }, { data: { a: 1, b: 3 } })[0]!.lines).toEqual([
    { sign: ' ', text: '{' },
    { sign: ' ', text: '  "a": 1,' },
    { sign: '-', text: '  "b": 2' },
    { sign: '+', text: '  "b": 3' },
    { sign: ' ', text: '}' },
  ]);
});

test('of long texts only what is near to a change is shown', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const changed = lines.with(15, 'other');
  const shown = linesOf(lines.join('\n'), changed.join('\n'));
  expect(shown.map(({ sign }) => sign).join('')).toBe('…   -+   …');
  expect(linesOf('a\n', 'a')).toEqual([{ sign: ' ', text: 'a' }]);
});
