import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import type { Identity } from '@cadastre/service/identity';
import type { Request, Response } from 'express';
import { testKeys } from '../../../tools/testing/secrets/keys.ts';
import { admission, mustEnrol, type Needs } from './admission.ts';
import { requestContext } from '../arrive/request-context.ts';
import type { Known } from '../identify/identities.ts';

const config = loadConfig(testKeys('gateway', 'auth')('gateway'));
const PROVED = Date.UTC(2026, 10, 24);

/** The response to a request of a user who has logged in. */
function admitting({ enrol = false, reauthSeconds = 900 } = {}) {
  const known: Known = {
    error: '',
    user: { id: 7, username: 'ada', superuser: true },
    token: { id: null, writeEnabled: true, expires: '', allowedIps: [] },
    permissionsVersion: 1,
    session: 3,
    proved: PROVED,
    config: 'c1',
    enrol,
    expiresAt: Number.POSITIVE_INFINITY,
    allowed: null,
  };
  const admit = admission({
    identities: { find: () => known, invalidate: () => undefined },
    sign: (identity: Identity) => JSON.stringify(identity),
    anonymousReads: false,
    maintenance: false,
    reauthSeconds,
  });
  return async (url: string, { method = 'GET', needs = 'form' as Needs } = {}) => {
    const req = {
      url,
      method,
      headers: { host: 'localhost', cookie: 'cadastre_session=x' },
      rawHeaders: [],
      socket: { remoteAddress: '127.0.0.1' },
    } as unknown as IncomingMessage;
    requestContext({ ...config, clientIpHeaders: [], remote: config })(
      req as Request,
      { setHeader: () => undefined } as unknown as Response,
      () => undefined,
    );
    return admit(req, needs);
  };
}

/** The same of one request. */
const admitted = (
  url: string,
  {
    enrol = false,
    reauthSeconds = 900,
    ...request
  }: { enrol?: boolean; reauthSeconds?: number; method?: string; needs?: Needs } = {},
) => admitting({ enrol, reauthSeconds })(url, request);

test('who somebody is, is put together once for each answer of auth, and nobody can change it', async () => {
  const admit = admitting();
  const [first, second] = [await admit('/'), await admit('/dcim/sites/')];
  if ('status' in first || 'status' in second) throw new Error('refused');
  expect(first.identity).toMatchObject({ userId: 7, sessionId: 3 });
  expect(second.identity).toBe(first.identity);
  expect(Object.isFrozen(first.identity)).toBe(true);
});

describe('somebody who must have a second factor and has none', () => {
  test.each([
    '/user/factors/',
    '/user/factors/?done=added',
    '/api/users/factors/',
    '/api/users/factors/totp/',
    '/logout/',
  ])('reaches %s', async (url) =>
    expect(await admitted(url, { enrol: true })).toMatchObject({ identity: { userId: 7 } }),
  );
  test.each([
    '/',
    '/user/',
    '/user/factors',
    '/user/factors/x/',
    '/user/profile/?next=/user/factors/',
    '/api/users/factors-of-all/',
    '/api/users/tokens/',
    '/api/users/users/7/reset-factors/',
    '/core/parked-events/',
  ])('but not %s', async (url) => {
    for (const method of ['GET', 'POST']) expect(await admitted(url, { enrol: true, method })).toBe(mustEnrol);
  });
  test('may not write by a cookie alone, either', async () => {
    const refused = await admitted('/api/users/factors/totp/', { enrol: true, method: 'POST', needs: 'token' });
    expect(refused).toMatchObject({ status: 403 });
  });
});

test('an identity of a session says which version of its preferences there is', async () => {
  expect(await admitted('/')).toMatchObject({ identity: { configVersion: 'c1' } });
});

test('an identity says until when its user counts as having proved who they are, unless that is for ever', async () => {
  expect(await admitted('/')).toMatchObject({ identity: { provenUntil: PROVED / 1000 + 900 } });
  const { identity } = (await admitted('/', { reauthSeconds: 0 })) as { identity: Identity };
  expect(identity).not.toHaveProperty('provenUntil');
});
