import { describe, expect, test } from '@jest/globals';
import type { Widget } from '../../../schema/widget.ts';
import { givenValue, textsOf } from './values.ts';

const widget = (kind: Widget['kind'], more: Partial<Widget> = {}): Widget => ({
  name: 'x',
  label: 'X',
  kind,
  required: false,
  nullable: true,
  help: undefined,
  choices: [],
  of: undefined,
  numbers: false,
  max: undefined,
  ...more,
});
const value = (one: Widget, ...given: string[]) => givenValue(one, given);

describe('what a field of a form says', () => {
  test('of texts', () => {
    expect(value(widget('text'), ' a ')).toEqual({ value: ' a ' });
    expect(value(widget('area'), 'a\r\nb')).toEqual({ value: 'a\nb' });
    expect([value(widget('text'), ' '), value(widget('text', { nullable: false }), '')]).toEqual([
      { value: null },
      { value: '' },
    ]);
  });

  test('of numbers, which stay as they are where they are none, so that the API says what is wrong', () => {
    expect(value(widget('number'), '-1.5')).toEqual({ value: -1.5 });
    expect(value(widget('number'), '1e3')).toEqual({ value: '1e3' });
    expect(value(widget('number'), '')).toEqual({ value: null });
  });

  test('of choices, by the value that the API has', () => {
    const choices = [
      { value: 4, label: 'IPv4' },
      { value: 'a', label: 'A' },
    ];
    expect(value(widget('select', { choices }), '4')).toEqual({ value: 4 });
    expect(value(widget('select', { choices }), 'other')).toEqual({ value: 'other' });
    expect(value(widget('selects', { choices }), 'a', '')).toEqual({ value: ['a'] });
  });

  test('of references and boxes', () => {
    expect(value(widget('picker'), '7')).toEqual({ value: 7 });
    expect(value(widget('picker'), '')).toEqual({ value: null });
    expect(value(widget('pickers'), '7', '', '8')).toEqual({ value: [7, 8] });
    expect(value(widget('pickers'))).toEqual({ value: [] });
    expect([value(widget('checkbox')), value(widget('checkbox'), 'on')]).toEqual([{ value: false }, { value: true }]);
  });

  test('of lists, by lines or commas', () => {
    expect(value(widget('list'), 'a, b\n\n c,')).toEqual({ value: ['a', 'b', 'c'] });
    expect(value(widget('list', { numbers: true }), '1,2')).toEqual({ value: [1, 2] });
    expect(value(widget('list', { ranges: true }), '1-10, 20')).toEqual({
      value: [
        [1, 10],
        [20, 20],
      ],
    });
    expect(value(widget('list', { ranges: true }), 'x')).toEqual({ value: ['x'] });
  });

  test('of JSON, with a word on what is wrong', () => {
    expect(value(widget('json'), '{"a":[1]}')).toEqual({ value: { a: [1] } });
    expect(value(widget('json'), '{')).toEqual({ problem: expect.stringContaining('JSON') });
  });

  test('of secrets: left empty they stay', () => {
    expect(value(widget('secret'), '')).toBeUndefined();
    expect(value(widget('secret'), ' s ')).toEqual({ value: ' s ' });
  });

  test('of colours, as the API has them', () => {
    expect(value(widget('color'), '#00FF7f')).toEqual({ value: '00ff7f' });
  });
});

test('a default is written as people write it', () => {
  expect(textsOf(widget('list', { ranges: true }), ['[1,4094]'])).toEqual(['1-4094']);
});

describe('an object in a form comes back as it was', () => {
  test.each<[Widget, never]>([
    [widget('text'), 'a <b> & "c"' as never],
    [widget('picker'), { id: 7, url: '/', display: 'x' } as never],
    [widget('pickers'), [{ id: 7 }, { id: 8 }] as never],
    [widget('select', { choices: [{ value: 4, label: 'IPv4' }] }), { value: 4, label: 'IPv4' } as never],
    [widget('list'), ['a', 'b'] as never],
    [widget('list', { numbers: true }), [1, 2] as never],
    [widget('list', { ranges: true }), [[1, 10]] as never],
    [widget('json'), { a: { b: [1, null] } } as never],
    [widget('checkbox'), true as never],
    [widget('number'), 0 as never],
    [widget('text'), null as never],
  ])('%#', (one, shown) => {
    const plain = (item: unknown): unknown =>
      Array.isArray(item)
        ? item.map(plain)
        : typeof item === 'object' && item !== null
          ? ((item as { id?: unknown; value?: unknown }).id ?? (item as { value?: unknown }).value ?? item)
          : item;
    expect(givenValue(one, textsOf(one, shown))).toEqual({ value: plain(shown) });
  });
});
