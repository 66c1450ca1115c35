import { expect, test } from '@jest/globals';
import { parseWanted } from './parameters.ts';

const parse = (search: string) => parseWanted(new URLSearchParams(search));

test('what is not said is as usual', () => {
  expect(parse('face=&unit_width=')).toEqual({
    face: 'front',
    render: 'json',
    q: null,
    exclude: null,
    expandDevices: true,
    includeImages: true,
    sizes: { unitWidth: 220, unitHeight: 22, legendWidth: 30, marginWidth: 15 },
  });
});

test('what is said is taken', () => {
  expect(
    parse(
      'face=rear&render=svg&q=U4&exclude=7&expand_devices=false&include_images=no&unit_width=1&unit_height=2&legend_width=0&margin_width=4',
    ),
  ).toEqual({
    face: 'rear',
    render: 'svg',
    q: 'U4',
    exclude: 7,
    expandDevices: false,
    includeImages: false,
    sizes: { unitWidth: 1, unitHeight: 2, legendWidth: 0, marginWidth: 4 },
  });
});

test('what cannot be is named', () => {
  expect(() => parse('face=top&legend_width=-1&unit_width=5001&exclude=x')).toThrow(
    expect.objectContaining({
      status: 400,
      body: {
        face: ['"top" is not a valid choice.'],
        exclude: ['A valid integer is required.'],
        unit_width: ['Ensure this value is less than or equal to 5000.'],
        legend_width: ['Ensure this value is greater than or equal to 0.'],
      },
    }),
  );
});
