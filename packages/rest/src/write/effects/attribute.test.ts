import { expect, test } from '@jest/globals';
import { type Cell, columnName, model, ref, text } from '@cadastre/model';
import { wholeIndex } from '../../db/select.ts';
import type { Cause, Change } from '../context/change.ts';
import { attributeEffects, UnattributableEffect } from './attribute.ts';

const device = model('a.device', { path: 'devices', label: 'device', brief: ['name'], fields: { name: text() } });
const port = model('a.port', {
  path: 'ports',
  label: 'port',
  brief: ['device'],
  fields: { device: ref('a.device', { onDelete: 'cascade' }), near: ref('a.device', { optional: true }) },
});
const mapping = model('a.mapping', {
  path: 'mappings',
  label: 'mapping',
  brief: ['front'],
  fields: { front: ref('a.port', { onDelete: 'cascade' }), rear: ref('a.port', { onDelete: 'cascade' }) },
});

const cause = (id: string): Cause => ({ id, method: 'POST', path: '/', user: null, userId: null });
const [one, two] = [cause('one'), cause('two')];

function change(of: typeof device, id: number, values: Record<string, number>, more: Partial<Change> = {}): Change {
  const index = wholeIndex(of);
  const after: Cell[] = Array.from({ length: index.size }, () => null);
  after[0] = String(id);
  for (const [name, value] of Object.entries(values))
    after[index.get(columnName(name, of.fields[name]!))!] = String(value);
  return { action: 'created', model: of, before: null, after, message: '', ...more };
}
const devices = () => [change(device, 1, {}, { cause: one }), change(device, 2, {}, { cause: two })];

test('what would be deleted with an object is of the request that created it, in whatever order they are', () => {
  const changes = [
    change(mapping, 7, { front: 5, rear: 6 }),
    change(port, 5, { device: 2 }),
    change(port, 6, { device: 2, near: 1 }),
    change(port, 4, { device: 1 }),
    ...devices(),
  ];
  attributeEffects(changes);
  expect(changes.map((of) => of.cause?.id)).toEqual(['two', 'two', 'two', 'one', 'one', 'two']);
});

test('what is only derived needs no request', () => {
  const derived = change(device, 9, {}, { action: 'updated', derived: true });
  attributeEffects([...devices(), derived]);
  expect(derived.cause).toBeUndefined();
});

test.each([
  ['another object that changes', change(port, 5, { device: 1 }, { action: 'updated' })],
  ['a new object that only refers to one of theirs', change(port, 5, { device: 8, near: 1 })],
  ['a new object that would be deleted with those of two', change(mapping, 7, { front: 11, rear: 12 })],
])('%s is of nobody', (_, effect) => {
  const ports = [change(port, 11, { device: 1 }), change(port, 12, { device: 2 })];
  expect(() => attributeEffects([...devices(), ...ports, effect])).toThrow(UnattributableEffect);
});
