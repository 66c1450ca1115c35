import { expect, test } from '@jest/globals';
import type { Json, Values } from '@cadastre/model';
import { namesPlace, positionsOf, resolved, Unresolvable } from './moduleNames.ts';

test('one token stands for the innermost bay', () => {
  expect([
    resolved('xe-0/{module}/0', ['3']),
    resolved('xe-{module}', ['3', '1']),
    resolved('lo0', ['3']),
    resolved('{module}', []),
  ]).toEqual(['xe-0/3/0', 'xe-1', 'lo0', '{module}']);
});

test('several stand for all bays, from the outermost down', () => {
  expect(resolved('xe-{module}/{module}/0', ['3', '1'])).toBe('xe-3/1/0');
  expect(() => resolved('xe-{module}/{module}/0', ['3'])).toThrow(Unresolvable);
  expect(() => resolved('{module}{module}', ['1', '2', '3'])).toThrow(
    'Cannot install module with placeholder values in a module bay tree 3 levels deep but 2 placeholders given.',
  );
  expect([namesPlace('a{module}'), namesPlace('a')]).toEqual([true, false]);
});

test('bays are in modules, which are in bays', async () => {
  const objects: Record<string, Values> = {
    'dcim.module 7': { id: 7, module_bay: 1 },
    'dcim.modulebay 1': { id: 1, position: '3', module: null },
  };
  const related = async (type: string, id: Json | undefined) => objects[`${type} ${id}`] ?? null;
  expect(await positionsOf({ id: 2, position: '1', module: 7 }, { related })).toEqual(['3', '1']);
  expect(await positionsOf(null, { related })).toEqual([]);
});
