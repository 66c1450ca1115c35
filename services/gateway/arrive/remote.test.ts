import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import { remoteUser } from './remote.ts';

const on = { REMOTE_AUTH_ENABLED: 'true', REMOTE_AUTH_PROXIES: '10.0.0.0/8' };

function ask(raw: readonly string[], from = '10.1.2.3', env: Record<string, string> = on) {
  const headers: Record<string, string> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    headers[name] = name in headers ? `${headers[name]}, ${raw[i + 1]}` : raw[i + 1]!;
  }
  const req = { headers, rawHeaders: raw, socket: { remoteAddress: from } } as unknown as IncomingMessage;
  return { said: remoteUser(loadConfig(env))(req), left: Object.keys(headers) };
}

test('a proxy that is named says who comes', () => {
  const { said, left } = ask([
    'Host',
    'x',
    'Remote-User',
    ' ann ',
    'Remote-User-Group',
    'netops| admins||',
    'Remote-User-Email',
    'ann@example.com',
    'Remote-User-First-Name',
    Buffer.from('Ännchen').toString('latin1'),
  ]);
  expect(said).toEqual({
    username: 'ann',
    email: 'ann@example.com',
    firstName: 'Ännchen',
    lastName: '',
    groups: ['netops', 'admins'],
  });
  expect(left).toEqual(['host']);
});

test.each([
  ['another address', '192.0.2.1', on],
  ['this machine, which is not named', '127.0.0.1', on],
  ['a proxy, but it is off', '10.1.2.3', {}],
])('the headers of %s do not count, and go no further', (_, from, env) => {
  expect(ask(['Remote-User', 'admin', 'Remote_User', 'admin'], from, env as Record<string, string>)).toEqual({
    said: null,
    left: [],
  });
});

test('an empty name is none, two are too many, and another spelling is another header', () => {
  expect(ask(['Remote-User', ' ']).said).toBeNull();
  expect(ask(['Remote-User', 'ann', 'remote-user', 'bob']).said).toBe('twice');
  expect(ask(['Remote_User', 'ann'])).toEqual({ said: null, left: [] });
});

test('headers have the names that NetBox gives them, or plain ones', () => {
  const env = { ...on, REMOTE_AUTH_HEADER: 'HTTP_X_FORWARDED_USER', REMOTE_AUTH_GROUP_HEADER: 'X-Groups' };
  const { said } = ask(['X-Forwarded-User', 'ann', 'X-Groups', 'a;b'], '10.0.0.1', {
    ...env,
    REMOTE_AUTH_GROUP_SEPARATOR: ';',
  });
  expect(said).toMatchObject({ username: 'ann', groups: ['a', 'b'] });
});

test.each([
  [{ REMOTE_AUTH_ENABLED: 'true' }, /REMOTE_AUTH_PROXIES is required/],
  [{ REMOTE_AUTH_HEADER: 'HTTP_COOKIE' }, /REMOTE_AUTH_HEADER must be the name of a header/],
  [{ REMOTE_AUTH_GROUP_HEADER: 'a b' }, /REMOTE_AUTH_GROUP_HEADER must be/],
  [{ REMOTE_AUTH_PROXIES: 'everybody' }, /REMOTE_AUTH_PROXIES must be a list/],
])('wrong settings are named: %j', (env, message) =>
  expect(() => loadConfig(env as Record<string, string>)).toThrow(message),
);
