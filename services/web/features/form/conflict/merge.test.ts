import { expect, test } from '@jest/globals';
import type { FormField } from '../fields/fields.ts';
import { merged, mergedFields, printsIn, printsText } from './merge.ts';
import { picksIn, withPicks } from './picks.ts';

const field = (name: string, values: string[], more: Partial<FormField> = {}): FormField => ({
  name,
  label: name.toUpperCase(),
  kind: 'text',
  required: false,
  nullable: true,
  help: undefined,
  choices: [],
  of: undefined,
  numbers: false,
  max: undefined,
  values,
  options: [],
  problem: undefined,
  find: undefined,
  make: undefined,
  finds: undefined,
  narrowing: undefined,
  others: '',
  zone: undefined,
  looked: '',
  ...more,
});
const form = (texts: Record<string, string>) => Object.entries(texts).map(([name, text]) => field(name, [text]));
const began = printsIn(printsText(form({ a: 'old', b: 'old', c: 'old', d: 'old', e: 'old' })));
const none: ReadonlySet<string> = new Set();
const told = (all: ReturnType<typeof merged>) =>
  all.map(({ name, whose, theirs, yours }) => [name, whose, theirs, yours]);

test('of each field it is told who has changed it', () => {
  const yours = form({ a: 'old', b: 'mine', c: 'mine', d: 'same', e: 'old' });
  const theirs = form({ a: 'theirs', b: 'old', c: 'theirs', d: 'same', e: 'old' });
  const all = merged(began, yours, theirs, none);
  expect(told(all)).toEqual([
    ['a', 'theirs', 'theirs', 'old'],
    ['b', 'yours', 'old', 'mine'],
    ['c', 'both', 'theirs', 'mine'],
  ]);
  // A field that only the others changed takes their value; everything that was typed stays.
  expect(mergedFields(all, yours, theirs).map(({ values }) => values[0])).toEqual([
    'theirs',
    'mine',
    'mine',
    'same',
    'old',
  ]);
});

test('without a beginning, and where it was not decided before, people decide', () => {
  const [yours, theirs] = [form({ a: 'old' }), form({ a: 'theirs' })];
  expect(told(merged(printsIn(''), yours, theirs, none))).toEqual([['a', 'both', 'theirs', 'old']]);
  expect(told(merged(began, yours, theirs, new Set(['a'])))).toEqual([['a', 'both', 'theirs', 'old']]);
});

test('a type and the id of that type belong together', () => {
  const pair = (type: string, id: string) => [
    field('type', [type], { kind: 'select' }),
    field('id', [id], { kind: 'picker', ofField: 'type', options: [{ value: id, label: `#${id}`, chosen: true }] }),
  ];
  const start = printsIn(printsText(pair('dcim.interface', '1')));
  expect([...start.keys()]).toEqual(['id']);
  const [yours, theirs] = [pair('dcim.interface', '2'), pair('virtualization.vminterface', '1')];
  const all = merged(start, yours, theirs, none);
  expect(all).toEqual([
    {
      name: 'id',
      label: 'ID',
      whose: 'both',
      theirs: 'virtualization.vminterface #1',
      yours: 'dcim.interface #2',
      fields: ['type', 'id'],
    },
  ]);
  const onlyThem = merged(start, pair('dcim.interface', '1'), theirs, none);
  expect(mergedFields(onlyThem, yours, theirs).map(({ values }) => values[0])).toEqual([
    'virtualization.vminterface',
    '1',
  ]);
});

test.each<[FormField['kind'], string[], string[]]>([
  ['area', ['a\r\nb'], ['a\nb ']],
  ['pickers', ['2', '1'], ['1', '2']],
  ['number', ['1.50'], ['1.5']],
  ['checks', ['a', 'x, y'], ['x', 'y', 'a']],
  ['datetime', ['2026-01-01 00:00'], ['2026-01-01T00:00:00']],
  ['select', [''], []],
  ['secret', ['typed'], []],
])('%s: %j is the same as %j', (kind, yours, theirs) => {
  expect(merged(printsIn(''), [field('x', yours, { kind })], [field('x', theirs, { kind })], none)).toEqual([]);
});

test('what was chosen is saved: theirs for some, and for all others what stands in the form', () => {
  const pick = new URLSearchParams({ a: 'mine', b: 'mine', c: 'mine', '_pick.a': 'theirs', '_pick.b': 'yours' });
  expect([...picksIn(pick)]).toEqual([
    ['a', 'theirs'],
    ['b', 'yours'],
  ]);
  const chosen = withPicks(pick, form({ a: '', b: '', c: '' }), { a: 'now', b: 'now', c: 'now' });
  expect(['a', 'b', 'c'].map((name) => chosen.getAll(name))).toEqual([['now'], ['mine'], ['mine']]);
  const pair = [field('type', [], { kind: 'select' }), field('id', [], { kind: 'picker', ofField: 'type' })];
  const both = withPicks(new URLSearchParams({ type: 'x', id: '1', '_pick.id': 'theirs' }), pair, { type: 'y', id: 2 });
  expect([both.get('type'), both.get('id')]).toEqual(['y', '2']);
});
