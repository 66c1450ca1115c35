import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { baseAddress, hostTest } from './base.ts';

const request = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  ({ headers, socket: { remoteAddress, localAddress: '::1', localPort: 8000 } }) as unknown as IncomingMessage;

describe('baseAddress', () => {
  const direct = baseAddress({ trustedProxies: [], allowedHosts: ['*'] });
  const proxied = baseAddress({ trustedProxies: ['127.0.0.0/8'], allowedHosts: ['*'] });
  test('is the Host that the client used', () => {
    expect(direct(request({ host: 'localhost:8000' }))).toBe('http://localhost:8000');
    expect(direct(request({ host: '[2001:db8::1]:80' }))).toBe('http://[2001:db8::1]:80');
    expect(direct(request({}))).toBe('http://[::1]:8000');
  });
  test('believes a proxy only where it is trusted', () => {
    const headers = { host: 'inner:1', 'x-forwarded-host': 'cadastre.example, inner', 'x-forwarded-proto': 'https' };
    expect(direct(request(headers))).toBe('http://inner:1');
    expect(proxied(request(headers))).toBe('https://cadastre.example');
    expect(proxied(request(headers, '192.0.2.1'))).toBe('http://inner:1');
    expect(proxied(request({ host: 'inner:1', 'x-forwarded-proto': 'javascript' }))).toBe('http://inner:1');
  });
  test.each(['a b', 'a/b', 'x"onload=', 'user@host', 'host:port', ''])('refuses the host %p', (host) =>
    expect(direct(request({ host }))).toBe('unusable'),
  );
  test('is none where we do not answer to the host, whoever names it', () => {
    const strict = baseAddress({ trustedProxies: ['127.0.0.0/8'], allowedHosts: ['cadastre.example'] });
    expect(strict(request({ host: 'cadastre.example:8443' }))).toBe('http://cadastre.example:8443');
    expect(strict(request({ host: 'evil.example' }))).toBe('foreign');
    expect(strict(request({ host: 'cadastre.example', 'x-forwarded-host': 'evil.example' }))).toBe('foreign');
    expect(strict(request({ host: 'inner', 'x-forwarded-host': 'cadastre.example' }))).toBe('http://cadastre.example');
    expect(strict(request({ host: 'cadastre.example', 'x-forwarded-host': 'evil.example' }, '192.0.2.1'))).toBe(
      'http://cadastre.example',
    );
  });
});

describe('hostTest', () => {
  test.each([
    [['*'], 'anything', true],
    [['a.example'], 'A.Example', true],
    [['a.example'], 'a.example.', true],
    [['a.example'], 'b.a.example', false],
    [['a.example'], 'xa.example', false],
    [['.a.example'], 'a.example', true],
    [['.a.example'], 'c.b.a.example', true],
    [['.a.example'], 'xa.example', false],
    [['[2001:db8::1]'], '[2001:DB8::1]', true],
    [[], 'a', false],
  ])('%j %s %s', (allowed, name, expected) => expect(hostTest(allowed)(name)).toBe(expected));
});
