import { expect, test } from '@jest/globals';
import { type Permission, verdictOf } from './verdict.ts';

const permission = (more: Partial<Permission>): Permission => ({
  id: 1,
  url: '',
  display: 'p',
  enabled: true,
  object_types: ['dcim.site'],
  actions: ['view', 'change'],
  constraints: null,
  groups: [],
  users: [],
  ...more,
});
const said = (...all: Partial<Permission>[]) => {
  const { may, constraints, by, disabled } = verdictOf(all.map(permission), 'change', 'dcim.site');
  return [may, constraints, by.length, disabled.length];
};

test('nothing is allowed that no permission allows', () => {
  expect(said()).toEqual(['none', [], 0, 0]);
  expect(said({ object_types: ['dcim.rack'] }, { actions: ['view'] })).toEqual(['none', [], 0, 0]);
});
test('what is not enabled allows nothing, and is told', () =>
  expect(said({ enabled: false })).toEqual(['none', [], 0, 1]));
test('one permission without constraints is enough', () => {
  expect(said({ constraints: { name: 'a' } }, {})[0]).toBe('all');
  expect(said({ constraints: [{ name: 'a' }, {}] })[0]).toBe('all');
});
test('constraints add up: one of them has to match', () =>
  expect(said({ constraints: { name: 'a' } }, { constraints: [{ name: 'b' }, { status: 'c' }] })).toEqual([
    'some',
    [{ name: 'a' }, { name: 'b' }, { status: 'c' }],
    2,
    0,
  ]));
