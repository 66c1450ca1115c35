import { expect, test } from '@jest/globals';
import { model, text } from '@cadastre/model';
import { refusalOf } from './bulk.ts';

const house = model('town.house', {
  path: 'houses',
  label: 'house',
  brief: ['name'],
  fields: { name: text({ max: 10 }), roof_color: text({ max: 10 }) },
});
const objects = [1, 2, 3].map((id) => ({ id, url: '', display: `H${id}` }));
const nothing = { done: 0, status: 400, general: [], fields: {}, objects: [], more: 0 };

test('what is wrong with all alike is about the field', () => {
  const body = [{ roof_color: ['No.'] }, { roof_color: ['No.'] }, { roof_color: ['No.'], name: ['Twice.'] }];
  expect(refusalOf({ status: 400, body }, house, objects, 0, true)).toEqual({
    ...nothing,
    fields: { roof_color: 'No.' },
    objects: [{ name: 'H3', href: '/town/houses/3/', text: 'Name: Twice.' }],
  });
  expect(refusalOf({ status: 400, body }, house, objects, 0, false).objects.map(({ text }) => text)).toEqual([
    'Roof color: No.',
    'Roof color: No.',
    'Roof color: No. Name: Twice.',
  ]);
});

test('what is about none of them is general, also for who is done in part', () => {
  expect(refusalOf({ status: 409, body: { detail: 'In the way.' } }, house, objects, 7, true)).toEqual({
    ...nothing,
    status: 409,
    done: 7,
    general: ['In the way.'],
  });
});
