import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const users = '/api/users/users/';
const password = 'Correct horse battery 1';

test('names of users do not differ by their case alone', async () => {
  const username = unique('ann');
  const ann = await used.admin.make(users, { username, password });
  const upper = await used.admin.post(users, { username: username.toUpperCase(), password });
  expect([upper.status, upper.body]).toEqual([400, { __all__: ['A user with this username already exists.'] }]);
  expect((await used.admin.post(users, { username, password })).body).toEqual({
    username: ['user with this username already exists.'],
  });
  expect((await used.admin.patch(`${users}${ann.id}/`, { username: username.toUpperCase() })).status).toBe(200);
});

describe('a token for a username and a password', () => {
  const path = '/api/users/tokens/provision/';
  const far = '2099-01-01T00:00:00Z';
  const person = async (more: object = {}) => {
    const username = unique('ann');
    const { id } = await used.admin.make(users, { username, password, ...more });
    return { id, username };
  };
  const ask = (body: object) => used.admin.as().post(path, { password, ...body });

  test('is what was asked for', async () => {
    const { id, username } = await person();
    const { status, body } = await ask({ username });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'version',
      'user',
      'key',
      'created',
      'expires',
      'last_used',
      'enabled',
      'write_enabled',
      'description',
      'allowed_ips',
      'token',
    ]);
    expect(body).toMatchObject({
      url: expect.stringMatching(`/api/users/tokens/${body.id}/$`),
      display_url: expect.stringMatching(`/users/tokens/${body.id}/$`),
      display: body.key,
      version: 2,
      key: expect.stringMatching(/^\w{12}$/),
      user: { id, username },
      expires: null,
      last_used: null,
      enabled: true,
      write_enabled: true,
      description: '',
      allowed_ips: [],
      token: expect.stringMatching(/^\w{40}$/),
    });
    expect(
      (await used.admin.as(`Bearer svc_${body.key}.${body.token}`).read('/api/users/tokens/')).results,
    ).toMatchObject([{ id: body.id }]);
    const own = randomBytes(20).toString('hex');
    const first = (
      await ask({
        username,
        version: 1,
        description: 'for scripts',
        expires: far,
        write_enabled: false,
        allowed_ips: ['127.0.0.1', '::1/128', '10.0.0.0/8'],
        token: own,
        user: 1,
      })
    ).body;
    expect(first).toMatchObject({
      version: 1,
      key: null,
      description: 'for scripts',
      expires: far,
      write_enabled: false,
      allowed_ips: ['127.0.0.1/32', '::1/128', '10.0.0.0/8'],
      token: own,
      user: { id },
      display: expect.stringMatching(/^\*{34}\w{6}$/),
    });
    const scripts = used.admin.as(`Token ${own}`);
    expect([
      (await scripts.get(`/api/users/tokens/${first.id}/`)).status,
      (await scripts.patch(`/api/users/tokens/${first.id}/`, { description: 'x' })).status,
    ]).toEqual([200, 403]);
    for (const more of [{ enabled: false }, { allowed_ips: ['192.0.2.0/24'] }]) {
      const { key, token } = (await ask({ username, ...more })).body;
      expect((await used.admin.as(`Bearer svc_${key}.${token}`).get('/api/users/tokens/')).status).toBe(403);
    }
  });

  test('is not made of what is wrong, and the field is named', async () => {
    const { username } = await person();
    const wrong = async (more: object) => {
      const { status, body } = await ask({ username, ...more });
      return [status, Object.keys(body)];
    };
    for (const [field, values] of Object.entries({
      version: [3, 'x', null],
      expires: ['soon', '2020-01-01T00:00:00Z'],
      write_enabled: ['maybe'],
      enabled: [7],
      description: ['x'.repeat(201), {}],
      allowed_ips: ['x', ['300.0.0.1']],
      token: ['short'],
    })) {
      for (const value of values)
        expect([field, value, ...(await wrong({ [field]: value }))]).toEqual([field, value, 400, [field]]);
    }
    expect((await ask({ username, version: 3, password: undefined })).body).toEqual({
      version: ['3 is not a valid choice.'],
      password: ['This field is required.'],
    });
    expect((await ask({ username, password: 'wrong', version: 1 })).body).toEqual({
      detail: 'Invalid username/password',
    });
    expect((await used.admin.as().post(path, [1])).body).toEqual({
      non_field_errors: ['Invalid data. Expected a dictionary, but got list.'],
    });
  });

  test('is documented with all that may be said', async () => {
    const { paths } = await used.admin.read('/api/schema/?format=json');
    const { properties, required } = paths[path].post.requestBody.content['application/json'].schema;
    expect([Object.keys(properties), required]).toEqual([
      [
        'username',
        'password',
        'code',
        'version',
        'expires',
        'enabled',
        'write_enabled',
        'description',
        'allowed_ips',
        'token',
      ],
      ['username', 'password'],
    ]);
  });
});
