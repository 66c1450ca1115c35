import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { baseAddress } from './base.ts';

const request = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  ({ headers, socket: { remoteAddress, localAddress: '::1', localPort: 8000 } }) as unknown as IncomingMessage;

describe('baseAddress', () => {
  const direct = baseAddress([]), proxied = baseAddress(['127.0.0.0/8']);
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
  test.each(['a b', 'a/b', 'x"onload=', 'user@host', 'host:port', ''])('refuses the host %p', (host) => expect(direct(request({ host }))).toBeNull());
});
