import { expect, test } from '@jest/globals';
import { choice, choices } from '../fields/plain/choice.ts';
import { integer } from '../fields/plain/number.ts';
import { generic, ref, refs } from '../fields/related/relation.ts';
import { objectType, text } from '../index.ts';
import { model } from '../model.ts';
import { backwardsOf } from './backwards.ts';
import { Catalogue } from './catalogue.ts';

const name = () => ({ name: text({ max: 10 }) });
const plain = (type: string, label: string, fields: Parameters<typeof model>[1]['fields'] = {}, more: object = {}) =>
  model(type, { path: 'x', label, brief: ['name'], fields: { ...name(), ...fields }, ...more });
const catalogue = new Catalogue([
  {
    service: 'a',
    models: [
      plain('a.box', 'box', { kind: choice(choices([['x', 'X']]), { optional: true }) }, { plural: 'boxes' }),
      plain('a.bigport', 'big port', { box: ref('a.box') }),
      plain('a.wire', 'wire', {
        box: ref('a.box'),
        near: ref('a.box'),
        far: ref('a.box', { backwards: 'incoming' }),
        over: refs('a.box', { backwards: 'passing' }),
      }),
      plain(
        'a.note',
        'note',
        {
          object_type: objectType(),
          object_id: integer(),
          object: generic('object_type', 'object_id', { backwards: 'remarks' }),
        },
        { about: { type: 'object_type', id: 'object_id' } },
      ),
      plain('a.tree', 'tree', { parent: ref('a.tree', { optional: true }) }, { tree: true }),
      plain('a.part', 'part', { box: ref('a.box') }, { part: 'hidden' }),
    ],
  },
]);
const names = (type: string): Record<string, string> =>
  Object.fromEntries(
    [...backwardsOf(catalogue, type)].map(
      ([
        each,
        {
          model: { name: from },
          field,
        },
      ]) => [each, `${from}.${field}`],
    ),
  );

test('what refers to an object has the plural of its name there', () => {
  expect(names('a.box')).toMatchObject({
    bigports: 'a.bigport.box',
    big_ports: 'a.bigport.box',
    bigport_set: 'a.bigport.box',
  });
});

test('of several references the one that is named after the type has the plural, others say which they are', () => {
  expect(names('a.box')).toMatchObject({
    wires: 'a.wire.box',
    wires_as_near: 'a.wire.near',
    incoming: 'a.wire.far',
    passing: 'a.wire.over',
  });
  expect(Object.keys(names('a.box')).filter((each) => /far|over/.test(each))).toEqual([]);
});

test('what can refer to anything, trees, and what has no address of its own', () => {
  expect([
    names('a.box')['remarks'],
    names('a.tree')['children'],
    names('a.tree')['trees'],
    names('a.box')['parts'],
  ]).toEqual(['a.note.object', 'a.tree.parent', undefined, undefined]);
});
