import { describe, expect, test } from '@jest/globals';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('every response tells the version of the API and the id of the request, and is JSON', async () => {
  const { admin } = used;
  const nobody = admin.as();
  const answers = await Promise.all([
    admin.get('/api/'),
    admin.get(sites),
    admin.get(`${sites}999999999/`),
    admin.get('/api/nonsense/'),
    admin.get('/api/dcim/nonsense/'),
    admin.get(`${sites}x/`),
    admin.get(`${sites}1/nonsense/`),
    nobody.get(sites),
    admin.post(sites, {}),
    admin.ask('POST', `${sites}1/`, { body: {} }),
    admin.ask('POST', sites, { raw: 'x', headers: { 'Content-Type': 'text/plain' } }),
    admin.ask('OPTIONS', sites),
    admin.get('/api/status/'),
    admin.as('Token nonsense').get(sites),
    admin.get('/nonsense'),
    admin.get('/api/schema/'),
  ]);
  const ids = new Set<string>();
  for (const { headers, text, body, status } of answers) {
    expect([text.slice(0, 100), headers.get('api-version')]).toEqual([text.slice(0, 100), '4.6']);
    expect(headers.get('x-request-id')).toMatch(uuid);
    ids.add(headers.get('x-request-id')!);
    if (status !== 302)
      expect([status, headers.get('content-type')]).toEqual([status, expect.stringContaining('json')]);
    if (status >= 400) expect(body).toBeDefined();
  }
  expect(ids.size).toBe(answers.length);
  const redirect = await admin.get('/api/dcim/sites/1?brief=true');
  expect([redirect.status, redirect.headers.get('location'), redirect.headers.get('api-version')]).toEqual([
    302,
    expect.stringMatching(/\/api\/dcim\/sites\/1\/\?brief=true$/),
    '4.6',
  ]);
  expect(redirect.headers.get('x-request-id')).toMatch(uuid);
});

test('what is not there, not allowed, not understood', async () => {
  const { admin } = used;
  for (const [method, path, options, status] of [
    ['GET', '/api/nonsense/', {}, 404],
    ['GET', `${sites}0/`, {}, 404],
    ['GET', `${sites}99999999999999999999/`, {}, 404],
    ['GET', `${sites}-1/`, {}, 404],
    ['POST', `${sites}1/`, { body: {} }, 405],
    ['DELETE', '/api/core/object-changes/', { body: [] }, 405],
    ['POST', '/api/extras/object-changes/', { body: {} }, 405],
    ['PATCH', '/api/', { body: {} }, 405],
    ['POST', sites, { raw: '{', headers: {} }, 400],
    ['POST', sites, { raw: '<a/>', headers: { 'Content-Type': 'application/xml' } }, 415],
    ['POST', sites, { raw: `{"name":"${'x'.repeat(11_000_000)}"}` }, 413],
    ['PROPFIND', sites, {}, 405],
  ] as const) {
    const answer = await admin.ask(method, path, options);
    expect([method, path, answer.status, answer.body]).toEqual([method, path, status, { detail: expect.any(String) }]);
    if (status === 405 && path !== '/api/')
      expect([path, answer.headers.get('allow')]).toEqual([path, expect.stringContaining('GET')]);
  }
});

test('a list path and a detail path without their slash lead to those with it', async () => {
  for (const path of ['/api/dcim/sites', '/api/dcim/sites/1', '/api/extras/tags?q=x']) {
    const { status, headers } = await used.admin.get(path);
    const [plain, query] = path.split('?');
    expect([path, status, new URL(headers.get('location')!, used.system.base).pathname]).toEqual([
      path,
      302,
      `${plain}/`,
    ]);
    if (query) expect(headers.get('location')).toContain(`?${query}`);
  }
});

test('JSON is set out as the client asks', async () => {
  const name = unique();
  const { id } = await used.admin.make(sites, { name, slug: name });
  const indented = await used.admin.get(`${sites}${id}/?fields=id,name`, { Accept: 'application/json; indent=4' });
  expect(indented.text).toBe(`{\n    "id": ${id},\n    "name": "${name}"\n}`);
  expect((await used.admin.get(`${sites}999999999/`, { Accept: 'application/json; indent=2' })).text).toContain(
    '\n  "detail"',
  );
  expect((await used.admin.get(`${sites}${id}/?fields=id`)).text).toBe(`{"id":${id}}`);
});

test('HEAD is GET without the body', async () => {
  const head = await used.admin.ask('HEAD', sites);
  expect([head.status, head.text, Number(head.headers.get('content-length')) > 0]).toEqual([200, '', true]);
});

describe('OPTIONS', () => {
  test('tells fields and choices of what may be posted and changed', async () => {
    const { status, body } = await used.admin.ask('OPTIONS', sites);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Site List',
      actions: {
        POST: {
          name: { type: 'string', required: true, read_only: false, max_length: 100 },
          slug: { type: 'slug' },
          id: { read_only: true },
          status: { choices: expect.arrayContaining([{ value: 'active', display_name: 'Active' }]) },
        },
      },
    });
    const name = unique();
    const { id } = await used.admin.make(sites, { name, slug: name });
    expect((await used.admin.ask('OPTIONS', `${sites}${id}/`)).body).toMatchObject({
      name: 'Site Instance',
      actions: { PUT: { name: { required: true } } },
    });
  });
});

test('the API tells what there is', async () => {
  const root = await used.admin.read('/api/');
  expect(root).toMatchObject({
    dcim: `${used.system.base}/api/dcim/`,
    extras: expect.any(String),
    tenancy: expect.any(String),
    users: expect.any(String),
    status: expect.any(String),
  });
  expect(await used.admin.read('/api/dcim/')).toMatchObject({
    sites: `${used.system.base}${sites}`,
    regions: expect.any(String),
    'site-groups': expect.any(String),
  });
  const schema = await used.admin.read('/api/schema/?format=json');
  expect(schema.openapi).toMatch(/^3\.1/);
  const names = (schema.paths[sites].get.parameters as { name: string }[]).map((p) => p.name);
  expect(names).toEqual(
    expect.arrayContaining([
      'name',
      'name__ic',
      'region_id',
      'tag',
      'tag__n',
      'q',
      'limit',
      'offset',
      'start',
      'ordering',
      'fields',
      'omit',
      'brief',
      'created_by_request',
      'latitude__gte',
    ]),
  );
  const page = await fetch(`${used.system.base}/api/schema/swagger-ui/`, {
    headers: { Authorization: used.admin.authorization! },
  });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('html')]);
});
