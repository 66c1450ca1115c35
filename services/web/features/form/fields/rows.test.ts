import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { loadCatalogue } from '@cadastre/model';
import { widgetsOf } from '../../../schema/widgets.ts';
import type { Widget } from '../../../schema/widget.ts';
import { rowsAsked, rowsGiven, rowsHeld, rowsValue } from './rows.ts';

const catalogue = await loadCatalogue(fileURLToPath(new URL('../../../..', import.meta.url)));
const widget = (type: string, name: string): Widget =>
  widgetsOf(catalogue.get(type), catalogue).find((one) => one.name === name)!;
const sent = (fields: Record<string, string>) => new URLSearchParams(fields);

test('nothing is filled in as JSON that has a shape', () => {
  const json = [...catalogue.models.values()].flatMap((model) =>
    widgetsOf(model, catalogue).flatMap(({ name, kind }) =>
      kind === 'json' && model.fields[name]!.kind !== 'json' ? [`${model.name}.${name}`] : [],
    ),
  );
  expect(json).toEqual([]);
});

describe('rows of another model', () => {
  const ports = widget('dcim.frontport', 'rear_ports');
  const ends = widget('dcim.cable', 'a_terminations');

  test('are read in the order of their numbers, without those that nobody has filled in or that are taken away', () => {
    const fields = {
      'rear_ports.2.rear_port': '7',
      'rear_ports.2.position': '3',
      'rear_ports.0.rear_port': '5',
      'rear_ports.1.position': '1',
      'rear_ports.x.rear_port': '9',
      'other.0.rear_port': '9',
    };
    const rows = rowsGiven(ports, sent(fields));
    expect(rowsValue(ports, rows, undefined)).toEqual({ value: [{ rear_port: 5 }, { position: 3, rear_port: 7 }] });
    expect(rowsGiven(ports, sent({ ...fields, _drop: 'rear_ports.0' }))).toHaveLength(1);
    expect(rowsGiven(ports, sent({}))).toEqual([]);
  });

  test('come back as they were', () => {
    const value = [{ position: 2, rear_port: 5, rear_port_position: 1 }];
    expect(rowsValue(ports, rowsHeld(ports, value), value)).toEqual({ value });
  });

  test('name objects of any type, which one finds by what they belong to, and that is not written', () => {
    const object = { id: 8, display: 'eth0', device: { id: 3, display: 'sw1' } };
    const value = [{ object_type: 'dcim.interface', object_id: 8, object }];
    const rows = rowsHeld(ends, value);
    expect(rows).toEqual([{ object_type: ['dcim.interface'], _in: ['3'], object_id: ['8'] }]);
    expect(rowsValue(ends, rows, value)).toEqual({ value: [{ object_type: 'dcim.interface', object_id: 8 }] });
    expect(rowsGiven(ends, sent({ 'a_terminations.0._in': '3' }))).toEqual([]);
  });

  test('are asked for by addresses', () => {
    const query = new URLSearchParams('a_terminations_type=dcim.interface&a_terminations=7&a_terminations=8');
    expect(rowsAsked(ends, query)?.rows).toEqual([
      { object_type: ['dcim.interface'], object_id: ['7'] },
      { object_type: ['dcim.interface'], object_id: ['8'] },
    ]);
    expect(rowsAsked(ends, new URLSearchParams('site=1'))).toBeUndefined();
  });
});

describe('secrets', () => {
  const secrets = widget('extras.webhook', 'secrets');
  const held = { one: '********', two: '********' };

  test('are shown by their names alone', () => {
    expect(rowsHeld(secrets, held)).toEqual([
      { name: ['one'], value: [] },
      { name: ['two'], value: [] },
    ]);
  });

  test('stay while nobody types them anew, and go with their row', () => {
    const rows = rowsGiven(
      secrets,
      sent({ 'secrets.0.name': 'one', 'secrets.0.value': '', 'secrets.1.name': 'three', 'secrets.1.value': 'new one' }),
    );
    expect(rowsValue(secrets, rows, held)).toEqual({ value: { one: '********', two: null, three: 'new one' } });
  });
});

test('choices and their colours', () => {
  const choices = widget('extras.customfieldchoiceset', 'extra_choices');
  const colors = widget('extras.customfieldchoiceset', 'choice_colors');
  expect(rowsValue(choices, [{ value: ['a'], label: ['A'] }, { label: ['b'] }], undefined)).toEqual({
    value: [
      ['a', 'A'],
      ['b', 'b'],
    ],
  });
  expect(rowsValue(colors, rowsHeld(colors, { a: 'red' }), undefined)).toEqual({ value: { a: 'red' } });
});
