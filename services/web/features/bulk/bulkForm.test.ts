import { expect, test } from '@jest/globals';
import { type BulkForm, bulkChanges, type BulkWidget } from './bulkForm.ts';

const widget = (name: string, more: Partial<BulkWidget> = {}): BulkWidget => ({
  name,
  label: name,
  kind: 'text',
  required: false,
  nullable: false,
  help: undefined,
  choices: [],
  of: undefined,
  numbers: false,
  max: undefined,
  clears: true,
  nothing: '',
  custom: undefined,
  boolean: false,
  ...more,
});
const form: BulkForm = {
  own: [
    widget('description'),
    widget('enabled', { kind: 'select', boolean: true, choices: [{ value: 'true', label: 'Yes' }], clears: false }),
    widget('tenant', { kind: 'picker', nothing: null }),
    widget('role', { kind: 'picker', nothing: null, clears: false }),
  ],
  tags: [widget('add_tags', { kind: 'pickers' }), widget('remove_tags', { kind: 'pickers' })],
  custom: [
    widget('cf_floor', { kind: 'number', nothing: null, custom: 'floor' }),
    widget('cf_data', { kind: 'json', custom: 'data' }),
  ],
};
const changes = (given: string) => bulkChanges(form, new URLSearchParams(given));

test('what is empty stays as it is', () => {
  expect(changes('description=&enabled=&tenant=&cf_floor=')).toEqual({ body: {}, problems: {} });
});

test('what is filled in is for all', () => {
  expect(changes('description=x&enabled=false&tenant=3&cf_floor=2&add_tags=1&add_tags=4').body).toEqual({
    description: 'x',
    enabled: false,
    tenant: 3,
    add_tags: [{ id: 1 }, { id: 4 }],
    custom_fields: { floor: 2 },
  });
});

test('what is to be cleared is empty, if it may be', () => {
  expect(
    changes('_nullify=description&_nullify=tenant&_nullify=role&_nullify=cf_floor&_nullify=id&description=x').body,
  ).toEqual({ description: '', tenant: null, custom_fields: { floor: null } });
});

test('what cannot be read is a problem of its field', () => {
  expect(changes('cf_data={').problems).toEqual({ cf_data: expect.stringContaining('JSON') });
});
