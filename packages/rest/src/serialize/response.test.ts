import { describe, expect, test } from '@jest/globals';
import { arrayItems, columnsOf, type Model, text } from '@cadastre/model';
import { catalogue, district, house, note, person, room } from '../testing/town.ts';
import { etagOf, matches } from './etag.ts';
import { openApiOf } from '../openapi/openapi.ts';
import { optionsOf } from '../openapi/options.ts';
import { changedSecrets, snapshotOf, type SnapshotContext } from './snapshot.ts';

describe('ETag', () => {
  const columns = ['id', 'created', 'last_updated'];
  test('is the moment of the last change, else of creation', () => {
    expect(etagOf(house, columns, ['1', '2026-01-01 00:00:00+00', '2026-11-21 05:21:10.04987+00'])).toBe(
      'W/"2026-11-21T05:21:10.049870+00:00"',
    );
    expect(etagOf(house, columns, ['1', '2026-01-01 00:00:00+00', null])).toBe('W/"2026-01-01T00:00:00+00:00"');
  });
  test('is missing where neither is kept or selected', () => {
    expect([
      etagOf(note, columns, ['1', null, null]),
      etagOf(house, ['id'], ['1']),
      etagOf(house, columns, ['1', null, null]),
    ]).toEqual([undefined, undefined, undefined]);
  });

  const etag = 'W/"2026-11-21T05:21:10.049870+00:00"';
  test.each<[string, string | undefined, boolean]>([
    [etag, etag, true],
    [etag.slice(2), etag, true],
    ['*', etag, true],
    [' * ', undefined, true],
    [`"x", ${etag}`, etag, true],
    [`${etag},"x"`, etag, true],
    ['W/"2000"', etag, false],
    ['"x", W/"y"', etag, false],
    [etag, undefined, false],
    ['', etag, false],
    ['2026-11-21T05:21:10.049870+00:00', etag, false],
  ])('If-Match %s', (ifMatch, present, allowed) => {
    expect(matches(ifMatch, present)).toBe(allowed);
  });
});

describe('OPTIONS', () => {
  const both = { POST: true, PUT: true };
  test('tell of what may be done only', () => {
    expect(Object.keys(optionsOf(catalogue, house, 'List', both).actions!)).toEqual(['POST', 'PUT']);
    expect(Object.keys(optionsOf(catalogue, house, 'Instance', both).actions!)).toEqual(['PUT']);
    expect(optionsOf(catalogue, house, 'Instance', { POST: true, PUT: false })).not.toHaveProperty('actions');
    expect(optionsOf(catalogue, house, 'List', both).name).toBe('House List');
  });
  test('describe every member', () => {
    const fields = optionsOf(catalogue, house, 'List', both).actions!.POST!;
    expect(fields).toMatchObject({
      id: { type: 'integer', read_only: true, label: 'ID' },
      name: { type: 'string', required: true, max_length: 50, label: 'Name' },
      status: {
        type: 'field',
        choices: [
          { value: 'active', display_name: 'Active' },
          { value: 'planned', display_name: 'Planned' },
        ],
      },
      keeper: { type: 'nested object', children: { id: { type: 'integer' }, name: { label: 'Name' } } },
      room_count: { read_only: true, label: 'Room count' },
      tags: { child: { type: 'nested object', children: { slug: { type: 'slug' } } } },
    });
    expect(fields).not.toHaveProperty('stranger');
    expect(fields['rooms']).not.toHaveProperty('children');
    expect(optionsOf(catalogue, note, 'List', both).actions!.POST).not.toHaveProperty('add_tags');
  });
});

describe('OpenAPI', () => {
  const { paths, components } = openApiOf(catalogue, [house, district, { ...note, readOnly: true } as Model]);
  const parameters = (path: string) =>
    (paths[path]!['get'] as { parameters: { name: string; schema: unknown }[] }).parameters;
  test('has the addresses with their methods', () => {
    expect(Object.keys(paths)).toEqual([
      '/api/town/houses/',
      '/api/town/houses/{id}/',
      '/api/town/houses/deletion-preview/',
      '/api/town/districts/',
      '/api/town/districts/{id}/',
      '/api/town/districts/deletion-preview/',
      '/api/town/notes/',
      '/api/town/notes/{id}/',
    ]);
    expect([
      Object.keys(paths['/api/town/houses/']!),
      Object.keys(paths['/api/town/notes/']!),
      Object.keys(paths['/api/town/notes/{id}/']!),
    ]).toEqual([['get', 'post', 'put', 'patch', 'delete'], ['get'], ['parameters', 'get']]);
  });
  test('has every filter with its lookups, each once', () => {
    const names = parameters('/api/town/houses/').map((p) => p.name);
    for (const name of [
      'name',
      'name__ic',
      'name__regex',
      'floors__gte',
      'district',
      'district_id__n',
      'tag__any',
      'q',
      'created_by_request',
      'tall',
      'room_number__lt',
      'limit',
      'start',
      'ordering',
      'brief',
    ])
      expect(names).toContain(name);
    for (const name of ['key', 'stranger', 'tall__n', 'bogus']) expect(names).not.toContain(name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.fromEntries(parameters('/api/town/houses/').map((p) => [p.name, p.schema]))).toMatchObject({
      name__empty: { type: 'boolean' },
      floors: { type: 'array', items: { type: 'integer' } },
      listed: { type: 'boolean' },
      district_id: { type: 'array', items: { type: 'integer' } },
      district: { type: 'array', items: { type: 'string' } },
      tall: { type: 'boolean' },
      taller: { type: 'integer' },
    });
  });
  test('says what is read and what is written', () => {
    expect(components.schemas['House']).toMatchObject({
      properties: {
        id: { type: 'integer' },
        keeper: { anyOf: [{ $ref: '#/components/schemas/BriefPerson' }, { type: 'null' }] },
        guests: { type: 'array', items: { $ref: '#/components/schemas/BriefPerson' } },
        name: { type: 'string', maxLength: 50 },
      },
    });
    expect(components.schemas['HouseRequest']).toMatchObject({
      required: ['name', 'slug'],
      properties: { changelog_message: {}, add_tags: {} },
    });
    const written = components.schemas['HouseRequest']!['properties'] as object;
    for (const name of ['id', 'room_count', 'created', 'stranger']) expect(written).not.toHaveProperty(name);
    expect(components.schemas).not.toHaveProperty('NoteRequest');
  });
});

describe('OpenAPI of actions', () => {
  const answer = { type: 'array' };
  const operations = {
    GET: { summary: 'List windows', answer },
    POST: { summary: 'Break one', request: { type: 'object' }, answer: {}, also: ['text/plain'], status: 201 },
    DELETE: { summary: 'Close them' },
  };
  const { paths } = openApiOf(catalogue, [], {
    'town/houses/*/open-windows': { operations },
    'town/queues/*': { operations: { GET: { summary: 'Get one', answer: {} } } },
    'self/': { operations: {} },
    'town/queues/import': {},
  });
  const item = paths['/api/town/houses/{id}/open-windows/']!;
  test('stand where they are, with what they say of themselves', () => {
    expect(Object.keys(paths)).toEqual(['/api/town/houses/{id}/open-windows/', '/api/town/queues/{id}/', '/api/self/']);
    expect(item).toMatchObject({
      parameters: [{ name: 'id', in: 'path', schema: { type: 'integer' } }],
      get: {
        operationId: 'town_houses_open_windows_list',
        tags: ['town'],
        summary: 'List windows',
        responses: { 200: { content: { 'application/json': { schema: answer } } } },
      },
      post: {
        operationId: 'town_houses_open_windows_create',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 201: { content: { 'text/plain': {} } } },
      },
      delete: { responses: { 204: { description: 'Done.' } } },
    });
    expect(paths['/api/town/queues/{id}/']).toMatchObject({
      parameters: [{ schema: { type: 'string' } }],
      get: { operationId: 'town_queues_retrieve' },
    });
  });
});

describe('snapshots', () => {
  const around: SnapshotContext = {
    tagName: (id) => `tag ${id}`,
    inOrder: (_type, list) => arrayItems(list ?? '{}').toSorted((a, b) => Number(a) - Number(b)),
  };
  test('say of secrets that they changed, and nothing else', () => {
    const vault: Model = {
      ...room,
      fields: {
        name: text({ max: 9 }),
        code: text({ max: 9, secret: true }),
        seal: text({ max: 9, secret: true, hidden: true }),
      },
    };
    const index = new Map([
      ['id', 0],
      ['name', 1],
      ['code', 2],
      ['seal', 3],
    ]);
    const changed = (before: (string | null)[] | null, after: (string | null)[] | null) =>
      changedSecrets(vault, index, before, after);
    expect(changed(['1', 'a', 's3cr3t', 'x'], ['1', 'b', '0th3r', 'y'])).toEqual({
      before: ',"code":"********"',
      after: ',"code":"***CHANGED***"',
    });
    for (const [before, after] of [
      [
        ['1', 'a', 's', 'x'],
        ['1', 'b', 's', 'y'],
      ],
      [null, ['1', 'a', 's', 'x']],
      [['1', 'a', 's', 'x'], null],
    ] as const)
      expect(changed(before && [...before], after && [...after])).toEqual({ before: '', after: '' });
    const one = snapshotOf(vault, index, ['1', 'a', 's', 'x'], around, {
      secrets: changed(['1', 'a', 's', 'x'], ['1', 'a', 't', 'x']).before,
    });
    expect([one, JSON.parse(one)]).toEqual([expect.not.stringContaining('"s"'), { name: 'a', code: '********' }]);
  });

  const of = (model: Model, row: Record<string, string | null>) => {
    const columns = columnsOf(model).map((c) => c.name);
    return JSON.parse(
      snapshotOf(
        model,
        new Map(columns.map((c, i) => [c, i])),
        columns.map((c) => row[c] ?? null),
        around,
      ),
    );
  };
  test('hold stored values by field, references as ids, tags as sorted names', () => {
    expect(
      of(house, {
        id: '1',
        name: 'A',
        status: 'active',
        height: '1.50',
        district_id: '5',
        guests: '{2,1}',
        tags: '{9,3}',
        custom_fields: '{"a": 1}',
        created: '2026-01-01 05:00:00.0403+00',
        last_updated: '2026-01-01 05:00:00+00',
        key: 'secret',
        listed: 'f',
        ports: '{1}',
      }),
    ).toMatchObject({
      name: 'A',
      status: 'active',
      height: '1.50',
      district: 5,
      guests: [1, 2],
      tags: ['tag 3', 'tag 9'],
      custom_fields: { a: 1 },
      created: '2026-01-01T05:00:00.040Z',
      listed: false,
      keeper: null,
      ports: [1],
    });
  });
  test('hold no secrets, nothing computed, and not the time of the change', () => {
    for (const name of ['key', 'last_updated', 'room_count', 'rooms', 'id', '_version'])
      expect(of(house, { name: 'A', guests: '{}', tags: '{}', ports: '{}' })).not.toHaveProperty(name);
    expect(of(person, { pin: '1234' })).not.toHaveProperty('pin');
    expect(Object.keys(of(room, {}))).toEqual(['created', 'owner', 'house', 'name', 'number']);
    // Lists, custom fields and tags come last.
    expect(Object.keys(of(house, { name: 'A', guests: '{}', tags: '{}', ports: '{}' })).slice(-3)).toEqual([
      'guests',
      'custom_fields',
      'tags',
    ]);
  });
});
