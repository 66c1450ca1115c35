import { expect, test } from '@jest/globals';
import type { Documents, Json } from '@cadastre/model';
import { circlesIn } from './circles.ts';
import { Messages } from './messages.ts';
import { readDocument } from './read.ts';

const ROW = {
  list: 'rear_ports',
  otherwise: { position: 1, rear_port_position: 1 },
  names: { rear_port: 'rears' },
};
const KINDS: Documents = {
  file: ['name', 'name'],
  parts: {
    rears: { type: 'a.rear', by: 'type' },
    fronts: {
      type: 'a.front',
      by: 'type',
      row: { ...ROW, members: { rear_port: 'rear_port', rear_port_position: 'rear_port_position' } },
    },
  },
  joined: {
    mappings: {
      ...ROW,
      into: 'fronts',
      by: 'front_port',
      members: { position: 'at', rear_port: 'rear_port', rear_port_position: 'rear_port_position' },
    },
  },
  also: { data: 'attributes' },
  ignored: ['is_powered'],
};

/** What a document is taken apart into, and what is wrong with it. */
function read(document: Json) {
  const messages = new Messages(1);
  const { own, parts } = readDocument(KINDS, document, 0, messages);
  const bodies = Object.fromEntries([...parts].map(([list, some]) => [list, some.map(({ body }) => body)]));
  return { own, bodies, parts, wrong: messages.some ? messages.refusal(true).body : undefined };
}
const mapped = (position: number, rear_port: Json, rear_port_position: number) => ({
  position,
  rear_port,
  rear_port_position,
});

test('fields stay, also under another name; what is empty says nothing', () => {
  const { own } = read({ model: 'X', airflow: null, part_number: '', data: { a: 1 }, is_powered: false, u_height: 0 });
  expect(own).toEqual({ model: 'X', attributes: { a: 1 }, u_height: 0 });
  expect(read({ data: { a: 1 }, attributes: { b: 2 } }).own).toEqual({ attributes: { b: 2 } });
});

test('rows of a part stand beside its fields, in a list of their own, or in it; twice the same is once', () => {
  const { bodies, parts } = read({
    fronts: [{ name: 'a', rear_port: 'R' }, { name: 'b', rear_ports: [mapped(1, 'R', 3)], label: '' }, { name: 3 }],
    mappings: [
      { front_port: 'a', rear_port: 'R' },
      { front_port: '3', at: 2, rear_port: 'R', rear_port_position: 4 },
      { front_port: 'b', at: 2, rear_port: 'S', rear_port_position: 5 },
    ],
  });
  expect(bodies['fronts']).toEqual([
    { name: 'a', rear_ports: [mapped(1, 'R', 1)] },
    { name: 'b', rear_ports: [mapped(1, 'R', 3), mapped(2, 'S', 5)] },
    { name: 3, rear_ports: [mapped(2, 'R', 4)] },
  ]);
  expect(parts.get('fronts')!.map(({ rows }) => rows['rear_ports'])).toEqual([
    [['fronts', 0]],
    [
      ['fronts', 1],
      ['mappings', 2],
    ],
    [['mappings', 1]],
  ]);
});

test('what is wrong is told where it stands', () => {
  expect(read(7).wrong).toEqual({ non_field_errors: ['Invalid data. Expected a dictionary, but got int.'] });
  const none = { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] };
  expect(read({ rears: 'x', fronts: [{ name: 'a' }, 'x'], mappings: [{ front_port: 'z' }, {}] }).wrong).toEqual({
    rears: ['Expected a list of items but got type "str".'],
    fronts: [{}, none],
    mappings: [{ front_port: ['There is no “z” among the fronts.'] }, { front_port: ['This field is required.'] }],
  });
});

test('circles are found, without what leads into one', () => {
  const above: Record<number, number> = { 2: 1, 3: 4, 4: 5, 5: 3, 6: 3, 7: 7 };
  expect(circlesIn([1, 2, 3, 4, 5, 6, 7], (id) => above[id])).toEqual([2, 3, 4, 6]);
  expect(circlesIn([], () => undefined)).toEqual([]);
});
