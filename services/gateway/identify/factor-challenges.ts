import { randomUUID } from 'node:crypto';
import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';
import { jwtVerify, SignJWT } from 'jose';
import type { FactorKind } from './auth-client.ts';

/** A login whose password was right, and whose second factor is still to be proved. There is no session yet. */
export interface FactorChallenge {
  /** The CSRF tokens of this step are bound to it. */
  id: string;
  userId: number;
  /** The stamp of the password that was right. */
  stamp: string;
  /** How the first proof was given. */
  method: string;
  /** The kinds of second factors that are possible. */
  factors: FactorKind[];
  /** The page to go on to. */
  next: string;
}

export interface FactorChallenges {
  /** Begins a step; returns it with its cookie. */
  begin(step: Omit<FactorChallenge, 'id'>): Promise<{ cookie: string; step: FactorChallenge }>;
  /** The step of a cookie that was made here and is not too old; null for any other. */
  open(cookie: string): Promise<FactorChallenge | null>;
  seconds: number;
}

const audience = 'second step';

/** The state between the two steps of a login is stored by the client, signed. */
export function factorChallenges(secret: Secret, seconds: number): FactorChallenges {
  const key = keyFor(secret, 'second steps');
  return {
    seconds,
    async begin({ userId, stamp, method, factors, next }) {
      const id = randomUUID();
      const cookie = await new SignJWT({ stamp, method, factors, next })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience)
        .setJti(id)
        .setSubject(String(userId))
        .setExpirationTime(`${seconds}s`)
        .sign(key);
      return { cookie, step: { id, userId, stamp, method, factors, next } };
    },
    async open(cookie) {
      const { payload } = await jwtVerify<Pick<FactorChallenge, 'stamp' | 'method' | 'factors' | 'next'>>(cookie, key, {
        algorithms: ['HS256'],
        audience,
        requiredClaims: ['exp', 'jti', 'sub', 'stamp', 'method', 'factors', 'next'],
      }).catch(() => ({ payload: null }));
      if (!payload) return null;
      const { stamp, method, factors, next } = payload;
      return { id: payload.jti!, userId: Number(payload.sub), stamp, method, factors, next };
    },
  };
}
