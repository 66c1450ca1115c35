import { expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Document, Operation } from '../support/document.ts';
import { useSystem } from '../support/system.ts';

const used = useSystem();
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const read = (): Promise<Document & Record<string, unknown>> => used.admin.read('/api/schema/?format=json');
const operations = ({ paths }: Document): { at: string; path: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      METHODS.includes(method) ? [{ at: `${method} ${path}`, path, operation }] : [],
    ),
  );
const repeated = (names: string[]): string[] => names.filter((name, i) => names.indexOf(name) !== i);

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(await read())).toEqual({ valid: true });
});

test('every operation has a name of its own, and each of its parameters once', async () => {
  const all = operations(await read());
  expect(all.length).toBeGreaterThan(1000);
  expect(repeated(all.map(({ operation }) => operation.operationId))).toEqual([]);
  for (const { at, operation } of all)
    expect([at, ...repeated((operation.parameters ?? []).map((p) => `${p.in} ${p.name}`))]).toEqual([at]);
});

test('every operation says how it refuses, with what stands in the answer', async () => {
  const document = await read();
  for (const { at, path, operation } of operations(document)) {
    const expected = [
      '400',
      '403',
      ...(path.includes('{') ? ['404'] : []),
      ...(operation.requestBody ? ['413', '415'] : []),
      '503',
    ];
    expect([at, Object.keys(operation.responses)]).toEqual([at, expect.arrayContaining(expected)]);
  }
  for (const response of Object.values(document.components.responses))
    expect(response.content?.['application/json']?.schema).toMatchObject({ $ref: expect.any(String) });
});

test('whatever it refers to is there, and what must be there and what lists hold is described', async () => {
  const document = await read();
  const missing: string[] = [];
  const undescribed: string[] = [];
  const lists: unknown[] = [];
  const find = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref, required, properties, type } = value as {
      $ref?: unknown;
      required?: unknown;
      properties?: object;
      type?: unknown;
    };
    if (typeof $ref === 'string' && find($ref) === undefined) missing.push($ref);
    if (Array.isArray(required))
      undescribed.push(...(required as string[]).filter((name) => !Object.hasOwn(properties ?? {}, name)));
    if (
      (type === 'array' || (Array.isArray(type) && type.includes('array'))) &&
      !('items' in value || 'prefixItems' in value)
    )
      lists.push(value);
    Object.values(value).forEach(walk);
  };
  walk(document);
  expect([missing, undescribed, lists]).toEqual([[], [], []]);
});

/** Free-form JSON, which has no schema to check. */
const FREE = [
  'default',
  'related_object_filter',
  'validation_schema',
  'schema',
  'environment_params',
  'conditions',
  'constraints',
  'prechange_data',
  'postchange_data',
  'payload',
];

test('what objects show has a type, but for free JSON', async () => {
  const { components } = await read();
  const empty = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Record<string, object>).flatMap(([member, schema]) =>
      Object.keys(schema).every((key) => key === 'description') && !FREE.includes(member) ? [`${name}.${member}`] : [],
    ),
  );
  expect(empty).toEqual([]);
});

test('what related objects, choices and counts look like follows from where they are shown', async () => {
  const {
    components: { schemas },
  } = await read();
  const member = (schema: string, name: string) => (schemas[schema]!['properties'] as Record<string, unknown>)[name];
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(member('Interface', 'connected_endpoints')).toEqual({
    anyOf: [{ type: 'array', items: ref('AnyObject') }, { type: 'null' }],
  });
  expect(member('Interface', 'tags')).toEqual({ type: 'array', items: ref('NestedTag') });
  expect(member('IPAddress', 'nat_inside')).toMatchObject({ anyOf: [ref('NestedIPAddress'), { type: 'null' }] });
  expect(member('CableRequest', 'a_terminations')).toMatchObject({ items: { required: ['object_type', 'object_id'] } });
  expect([member('NestedIPAddress', 'family'), member('IPAddress', 'family')]).toMatchObject([
    { type: 'integer' },
    { type: 'object', required: ['value', 'label'] },
  ]);
  expect(member('Device', 'parent_device')).toMatchObject({
    anyOf: [{ allOf: [ref('NestedDevice'), { required: ['device_bay'] }] }, { type: 'null' }],
  });
  expect(member('User', 'email')).not.toHaveProperty('format');
  expect([schemas['Site'], schemas['BriefSite']]).toMatchObject([
    expect.not.objectContaining({ required: expect.anything() }),
    { required: ['id', 'url', 'display', 'name', 'slug', 'description'] },
  ]);
});
