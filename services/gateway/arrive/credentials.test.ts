import { describe, expect, test } from '@jest/globals';
import { credentials } from './credentials.ts';

const detailOf = (header: string) => {
  const found = credentials(header);
  return found.kind === 'malformed' ? found.detail : found.kind;
};

describe('credentials', () => {
  test('no header and foreign schemes are no credentials', () => {
    expect(credentials(undefined)).toEqual({ kind: 'none' });
    expect(detailOf('')).toBe('none');
    expect(detailOf('Basic YTpi')).toBe('none');
    expect(detailOf('Tokens abc')).toBe('none');
  });

  test('a v1 token is the whole text, whatever the keyword and its case', () => {
    const v1 = { kind: 'token', version: 1, key: '', plaintext: 'abc', text: 'abc' };
    expect(credentials('Token abc')).toEqual(v1);
    expect(credentials('bearer   abc')).toEqual(v1);
  });

  test('a v2 token is split at its first dot, with either prefix', () => {
    expect(credentials('Bearer svc_key.to.ken')).toEqual({
      kind: 'token',
      version: 2,
      key: 'key',
      plaintext: 'to.ken',
      text: 'svc_key.to.ken',
    });
    expect(credentials('Token nbt_key.token')).toMatchObject({ version: 2, key: 'key', plaintext: 'token' });
  });

  test('a session is a cookie, for those who send no token', () => {
    const session = { kind: 'session', cookie: 'a.b-c', text: 'session a.b-c' };
    for (const cookies of ['cadastre_session=a.b-c', 'x=1; cadastre_session=a.b-c; y=2', ' cadastre_session=a.b-c '])
      expect(credentials(undefined, cookies)).toEqual(session);
    for (const cookies of ['', 'cadastre_session=', 'xcadastre_session=a', 'other=cadastre_session=a'])
      expect(credentials(undefined, cookies)).toEqual({ kind: 'none' });
    expect(credentials('Token abc', 'cadastre_session=a.b-c')).toMatchObject({ kind: 'token' });
    expect(credentials('Basic YTpi', 'cadastre_session=a.b-c')).toEqual({ kind: 'none' });
  });

  test('what came by TLS has a cookie that only TLS gives', () => {
    expect(credentials(undefined, 'cadastre_session=a', true)).toEqual({ kind: 'none' });
    expect(credentials(undefined, '__Host-cadastre_session=a', true)).toMatchObject({ kind: 'session', cookie: 'a' });
    expect(credentials(undefined, '__Host-cadastre_session=a')).toEqual({ kind: 'none' });
  });

  test('malformed headers say what is wrong', () => {
    const form = 'Invalid authorization header: Must be in the form "Bearer <key>.<token>" or "Token <token>"';
    expect(detailOf('Token a b')).toBe(form);
    expect(detailOf('Token')).toBe(form);
    expect(detailOf('Bearer svc_abc')).toBe(
      "Invalid authorization header: Could not parse key from v2 token. Did you mean to use 'Token' instead of 'Bearer'?",
    );
    expect(detailOf('Token \u00e9')).toBe('Invalid authorization header: Token contains invalid characters');
  });
});
