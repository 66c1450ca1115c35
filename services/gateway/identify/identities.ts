import { EXPIRY_SLACK_MS } from '@cadastre/service/expiry';
import { LRUCache } from 'lru-cache';
import { within } from '../arrive/addresses.ts';
import type { Checkable } from '../arrive/credentials.ts';

/**
 * What the auth service knows of a token. Without `token` and `user`, the token does not exist. A session is
 * represented as a token without an id.
 */
export interface Verified {
  /** Why it may not be used at present; empty when it may. */
  error: string;
  user: { id: number; username: string; superuser: boolean } | null;
  token: { id: number | null; writeEnabled: boolean; expires: string; allowedIps: readonly string[] } | null;
  permissionsVersion: number;
  /** The number of a session. */
  session?: number;
  /** Of a session: when its user last proved who they are, in milliseconds since 1970. */
  proved?: number;
  /** Of a session: its user must have a second factor and has none. */
  enrol?: boolean;
  /** Of a session: the version of the user's preferences for the pages. */
  config?: string;
}

/** A verified token, with what has to be looked at again for each request compiled. */
export interface Known extends Verified {
  /** Milliseconds since 1970; Infinity for a token that does not expire. */
  readonly expiresAt: number;
  /** Null when the token may be used from anywhere. */
  readonly allowed: ((address: string) => boolean) | null;
}

export interface IdentitiesOptions {
  verify(credentials: Checkable, clientIp: string): Promise<Verified>;
  /** How long an answer is used without asking again. */
  ttlMs: number;
  /**
   * The same for a refusal: short, as it may soon be outdated, but not zero, or every guessed token would reach auth.
   */
  refusalTtlMs: number;
  max: number;
}

export interface Identities {
  find(credentials: Checkable, clientIp: string): Known | Promise<Known>;
  /** Forgets what changed: everything, one token, or all tokens of one user. */
  invalidate(what: 'all' | { tokenId: number } | { userId: number }): void;
}

/**
 * Caches verified tokens for some seconds. Concurrent requests with the same token share one call. An answer that was
 * being fetched while something was invalidated is still given to the requests that wait for it, but not cached.
 */
export function identities({ verify, ttlMs, refusalTtlMs, max }: IdentitiesOptions): Identities {
  const known = new LRUCache<string, Known>({ max, ttlResolution: EXPIRY_SLACK_MS });
  // A cache of their own, so that somebody who guesses tokens cannot evict those in use.
  const refused = new LRUCache<string, Known>({ max, ttlResolution: EXPIRY_SLACK_MS });
  const underway = new Map<string, Promise<Known>>();
  let generation = 0;

  async function ask(credentials: Checkable, clientIp: string): Promise<Known> {
    const began = generation;
    const found = compile(await verify(credentials, clientIp));
    const [cache, ttl] = found.error === '' ? [known, ttlMs] : [refused, Math.min(ttlMs, refusalTtlMs)];
    if (began === generation && ttl > 0) cache.set(credentials.text, found, { ttl });
    return found;
  }

  return {
    find(credentials, clientIp) {
      const { text } = credentials;
      const hit = known.get(text) ?? refused.get(text) ?? underway.get(text);
      if (hit) return hit;
      const asked = ask(credentials, clientIp).finally(() => {
        if (underway.get(text) === asked) underway.delete(text);
      });
      underway.set(text, asked);
      return asked;
    },
    invalidate(what) {
      generation++;
      underway.clear();
      // A refused token may just have been created, so all refusals are forgotten, whatever has changed.
      refused.clear();
      if (what === 'all') return known.clear();
      const concerned = ({ token, user }: Known) =>
        'tokenId' in what ? token?.id === what.tokenId : user?.id === what.userId;
      for (const [text, entry] of [...known.entries()]) if (concerned(entry)) known.delete(text);
    },
  };
}

function compile(verified: Verified): Known {
  const { expires = '', allowedIps = [] } = verified.token ?? {};
  return {
    ...verified,
    expiresAt: expires === '' ? Number.POSITIVE_INFINITY : Date.parse(expires),
    allowed: allowedIps.length === 0 ? null : within(allowedIps),
  };
}

/**
 * Why this client may not use this token at this time, the first reason in the order that clients expect; null if it
 * may.
 */
export function refusalOf(known: Known, clientIp: string | null, now: number): string | null {
  if (known.token === null || known.user === null) return known.error || 'Invalid token';
  if (known.allowed !== null) {
    if (clientIp === null) {
      return 'Client IP address could not be determined for validation. Check that the HTTP server is correctly configured to pass the required header(s).';
    }
    if (!known.allowed(clientIp)) return `Source IP ${clientIp} is not permitted to authenticate using this token.`;
  }
  if (known.error !== '') return known.error;
  // Not `>`: an expiry that cannot be read (NaN) must not let anyone in.
  return known.expiresAt > now ? null : 'Token expired';
}
