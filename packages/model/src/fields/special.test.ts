import { expect, test } from '@jest/globals';
import type { Json } from '../types/json.ts';
import type { Field } from '../types/model.ts';
import { computed, customFields, onceShown, uuid } from './special.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });

test('custom field values are a dictionary', () => {
  expect(parse(customFields(), { a: 1 })).toEqual({ value: { a: 1 } });
  for (const wrong of [5, 'x', [], true])
    expect(parse(customFields(), wrong)).toEqual({ errors: ['Invalid data. Expected a dictionary.'] });
  expect(customFields()).toMatchObject({
    special: 'customFields',
    column: { type: 'jsonb', nullable: false, default: "'{}'", index: 'gin' },
    required: false,
    default: {},
    lookups: null,
  });
  expect(customFields().printSnapshot!('{"a": 1}')).toBe('{"a": 1}');
  expect(customFields().metadata()).toEqual({ type: 'field', required: false, read_only: false });
});

test('a computed value is made of cells and only read', () => {
  const area = computed(['width', 'depth'], ([w, d]) => String(Number(w) * Number(d)), {
    type: 'integer',
    schema: { type: 'integer' },
  });
  expect(area.computed!.print(['2', '3'])).toBe('6');
  expect(area).toMatchObject({
    computed: { columns: ['width', 'depth'] },
    readOnly: true,
    lookups: null,
    schema: { read: { type: 'integer' } },
  });
  expect(area).not.toHaveProperty('column');
  expect(area.metadata()).toEqual({ type: 'integer', required: false, read_only: true });
  expect(computed([], () => '1', { onlyWhenCreated: true }).onlyWhenCreated).toBe(true);
});

test('uuid', () => {
  const id = '019a0000-0000-7000-8000-00000000000f';
  for (const good of [id, id.toUpperCase(), id.replaceAll('-', '')])
    expect(parse(uuid(), good)).toEqual({ value: good });
  for (const wrong of ['x', '', 5, [id], `${id}0`, id.slice(1), id.replace('f', 'g')])
    expect(parse(uuid(), wrong)).toEqual({ errors: ['Must be a valid UUID.'] });
  expect([uuid().print!(id), uuid().print!(null)]).toEqual([`"${id}"`, 'null']);
  expect(uuid({ optional: true })).toMatchObject({
    column: { type: 'uuid', nullable: true },
    required: false,
    nullable: true,
    lookups: 'uuid',
  });
  expect(uuid({ filter: false, hidden: true, readOnly: true })).toMatchObject({
    lookups: null,
    hidden: true,
    required: false,
  });
  expect(uuid().metadata()).toEqual({ type: 'string', required: false, read_only: false });
});

test('what is shown once is parsed like a text, never stored, and null ever after', () => {
  const key = onceShown({ max: 40, min: 4 });
  expect(parse(key, 'abcd')).toEqual({ value: 'abcd' });
  expect(parse(key, 'abc')).toEqual({ errors: ['Ensure this field has at least 4 characters.'] });
  expect(key).not.toHaveProperty('column');
  expect(key).toMatchObject({ secret: true, onlyWhenCreated: true, required: false, lookups: null });
  expect(key.computed!.print([])).toBe('null');
});
