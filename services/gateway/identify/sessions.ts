import { randomBytes } from 'node:crypto';
import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';
import type { Request } from 'express';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { ownCookie } from '../arrive/own-cookies.ts';

/** Somebody who has logged in. */
export interface Session {
  id: string;
  userId: number;
  stamp: string;
  /** ISO 8601 */
  until: string;
  /** Whom a proxy named when it began. */
  remote?: string;
}

export interface Sessions {
  /** The cookie of a new session. */
  begin(userId: number, stamp: string, remote?: string): Promise<string>;
  /** The session of a cookie that was made here and has not expired; null for any other. */
  open(cookie: string): Promise<Session | null>;
  seconds: number;
}

const audience = 'session';
/** Stored as a UUID, but all of its bits are random. */
const newId = (): string => randomBytes(16).toString('hex');
/** How many verified cookies are cached. */
const KNOWN = 10_000;

/**
 * Sessions are stored by the clients: a signed cookie names the user, and auth says whether the session is still valid.
 */
export function sessions(secret: Secret, seconds: number): Sessions {
  const key = keyFor(secret, 'sessions');
  // A browser sends the same cookie with every request; a cookie's content is fixed and includes its expiry, so it can
  // be cached.
  const known = new LRUCache<string, Session>({ max: KNOWN, ttl: 1 });
  return {
    seconds,
    begin: (userId, stamp, remote) =>
      new SignJWT({ stamp, ...(remote === undefined ? {} : { remote }) })
        .setProtectedHeader({ alg: 'HS256' })
        .setAudience(audience)
        .setJti(newId())
        .setSubject(String(userId))
        .setExpirationTime(`${seconds}s`)
        .sign(key),
    async open(cookie) {
      const before = known.get(cookie);
      if (before) return before;
      const { payload } = await jwtVerify<{ stamp?: unknown; remote?: unknown }>(cookie, key, {
        algorithms: ['HS256'],
        audience,
        requiredClaims: ['exp', 'jti', 'sub'],
      }).catch(() => ({ payload: null }));
      if (!payload || typeof payload.stamp !== 'string') return null;
      const session: Session = {
        id: payload.jti!,
        userId: Number(payload.sub),
        stamp: payload.stamp,
        until: new Date(payload.exp! * 1000).toISOString(),
        ...(typeof payload.remote === 'string' ? { remote: payload.remote } : {}),
      };
      const left = payload.exp! * 1000 - Date.now();
      if (left > 0) known.set(cookie, session, { ttl: left });
      return session;
    },
  };
}

/** The session whose cookie a request brings, if there is one. */
export async function sessionOf(req: Request, { open }: Pick<Sessions, 'open'>): Promise<Session | null> {
  const cookie = ownCookie(req, 'session');
  return cookie === undefined ? null : open(cookie);
}
