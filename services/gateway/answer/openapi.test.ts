import { expect, test } from '@jest/globals';
import { appsOf, mergeOpenApi, partOf } from './openapi.ts';

const part = (path: string, schemas: Record<string, unknown>) => ({
  paths: { [path]: { get: { responses: { 200: { $ref: '#/components/schemas/Thing' } } } } },
  components: { schemas },
  tags: [{ name: path }],
});
const same = { type: 'object' };

test('paths of all services stand in one document, sorted', () => {
  const merged = mergeOpenApi([
    { service: 'dcim', document: part('/b/', { Thing: same }) },
    { service: 'auth', document: part('/a/', { Thing: same }) },
  ]);
  expect(merged).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }], tags: [{ name: '/a/' }, { name: '/b/' }] });
  expect(Object.keys(merged.paths as object)).toEqual(['/a/', '/b/']);
  expect(merged.components).toMatchObject({ schemas: { Thing: same }, securitySchemes: { bearer: {}, token: {} } });
  expect(Object.keys((merged.components as { schemas: object }).schemas)).toEqual(['Thing']);
});

test('a name with two meanings is kept apart, references included', () => {
  const merged = mergeOpenApi([
    { service: 'dcim', document: part('/a/', { Thing: same }) },
    {
      service: 'auth',
      document: part('/b/', { Thing: { type: 'string' }, Other: { items: { $ref: '#/components/schemas/Thing' } } }),
    },
  ]) as unknown as {
    paths: Record<string, { get: { responses: Record<string, unknown> } }>;
    components: { schemas: Record<string, unknown> };
  };
  expect(merged.components.schemas).toEqual({
    Thing: same,
    AuthThing: { type: 'string' },
    Other: { items: { $ref: '#/components/schemas/AuthThing' } },
  });
  expect(merged.paths['/a/']!.get.responses['200']).toEqual({ $ref: '#/components/schemas/Thing' });
  expect(merged.paths['/b/']!.get.responses['200']).toEqual({ $ref: '#/components/schemas/AuthThing' });
});

test('says which services are missing', () => {
  expect(mergeOpenApi([], ['webhooks', 'dcim']).info).toMatchObject({ 'x-missing-services': ['dcim', 'webhooks'] });
});

test('an app is a document of its own, with the components that it needs', () => {
  const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const document = {
    paths: {
      '/api/a/x/': { get: schema('X') },
      '/api/a/x/{id}/': {},
      '/api/b/': {},
      '/api/b/y/': { get: schema('Y') },
    },
    components: {
      schemas: { X: { items: schema('Z') }, Y: {}, Z: { of: schema('X') } },
      securitySchemes: { token: {} },
    },
  };
  expect(appsOf(document)).toEqual(['a']);
  expect(partOf(document, 'a')).toEqual({
    paths: { '/api/a/x/': { get: schema('X') }, '/api/a/x/{id}/': {} },
    components: { schemas: { X: { items: schema('Z') }, Z: { of: schema('X') } }, securitySchemes: { token: {} } },
  });
});
