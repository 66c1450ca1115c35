import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { type ClientAddress, clientAddress } from './addresses.ts';
import { baseAddress } from './base.ts';
import { cookiesOf } from './cookies.ts';
import { type Credentials, credentials } from './credentials.ts';
import { type Refusal, sendRefusal } from './json.ts';
import { type Remote, type RemoteOptions, remoteUser } from './remote.ts';

/** What is known of a request before any service is asked about it. */
export interface RequestContext {
  /** The address that the client used, such as `https://cadastre.example`. */
  base: string;
  /** Whether the whole way is encrypted, as far as we can know. */
  secure: boolean;
  /** The client's address; null when it is unknown. */
  client: string | null;
  /** The client's address or, where it is unknown, that of the connection: hiding an address must not escape a limit. */
  rateLimitKey: string;
  given: Credentials;
  /** The user whom a trusted proxy names. */
  remote: Remote | null;
  /** The user, as soon as it is known; also where the request is refused. */
  who?: { userId: number; username: string; method: string };
  /** Why the gateway refused it, and whether that is its token's fault. */
  refused?: { why: string; token: boolean };
}

export interface RequestContextOptions {
  remote: RemoteOptions;
  clientIpHeaders: readonly string[];
  trustedProxies: readonly string[];
  allowedHosts: readonly string[];
  /** How long a browser that came by TLS must use TLS; 0: no such rule. */
  hstsSeconds: number;
  /** Whether that holds for all hosts below this one as well. */
  hstsSubdomains: boolean;
}

// On the request itself: a weak map with an entry for each request keeps the garbage collector busy.
const arrived = Symbol('arrival');
type Arrived = IncomingMessage & { [arrived]?: RequestContext };

/** @throws when the request did not come through `arrival` */
export function contextOf(req: IncomingMessage): RequestContext {
  const found = (req as Arrived)[arrived];
  if (!found) throw new Error('A request has come in by another way.');
  return found;
}

/**
 * On every answer of the API: it is for this client alone, and browsers must not guess its media type. Files that are
 * the same for everybody set their own headers.
 */
const vary = 'Accept, Authorization, Cookie';
/** For a browser that opens an answer as a page; pages and files have policies of their own. */
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const common = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Cache-Control', 'no-store'],
  ['Vary', vary],
  ['Content-Security-Policy', policy],
  ['Referrer-Policy', 'same-origin'],
] as const;

const unusableHost: Refusal = { status: 400, detail: 'The Host header is not usable.' };
const foreignHost: Refusal = {
  status: 400,
  detail: 'This system does not answer to the host of the request. ALLOWED_HOSTS has those that it answers to.',
};
const twice = (what: string): Refusal => ({ status: 400, detail: `The request has more than one ${what}.` });

/** When version 1 tokens were declared deprecated (RFC 9745). */
const v1Deprecation = `@${Date.UTC(2026, 10, 23) / 1000}`;

/**
 * The first step for every request: parses what the request says of itself once, for all later steps, and refuses what
 * cannot be valid.
 */
export function requestContext(
  options: RequestContextOptions,
): (req: Request, res: Response, next: NextFunction) => void {
  const addressOf: ClientAddress = clientAddress(options.clientIpHeaders, options.trustedProxies);
  const baseOf = baseAddress(options);
  const remoteOf = remoteUser(options.remote);
  const hsts = `max-age=${options.hstsSeconds}${options.hstsSubdomains ? '; includeSubDomains' : ''}`;
  return (req, res, next) => {
    for (const [name, value] of common) res.setHeader(name, value);
    const {
      headers,
      socket: { remoteAddress },
    } = req;
    const remote = remoteOf(req);
    const repeated = repeatedHeader(req.rawHeaders);
    const base = baseOf(req);
    if (repeated !== undefined) return sendRefusal(req, res, twice(`${repeated} header`));
    if (remote === 'twice') return sendRefusal(req, res, twice('header that names the user'));
    if (base === 'unusable' || base === 'foreign')
      return sendRefusal(req, res, base === 'unusable' ? unusableHost : foreignHost);
    const secure = base.startsWith('https:');
    const client = addressOf(headers, remoteAddress);
    if (headers.cookie !== undefined && cookiesOf(headers.cookie, 'session', secure).length > 1)
      return sendRefusal(req, res, twice('session cookie'));
    const given = credentials(headers.authorization, headers.cookie, secure);
    if (given.kind === 'token' && given.version === 1) res.setHeader('Deprecation', v1Deprecation);
    if (secure && options.hstsSeconds > 0) res.setHeader('Strict-Transport-Security', hsts);
    (req as Arrived)[arrived] = { base, secure, client, rateLimitKey: client ?? remoteAddress ?? '', given, remote };
    next();
  };
}

/**
 * Headers that must not be repeated: Node silently takes the first value, but a proxy before us may have checked
 * another one.
 */
const single: ReadonlyMap<number, string> = new Map(
  ['Authorization', 'Host', 'Content-Type'].map((name) => [name.length, name]),
);

/** @param raw names and values, alternating */
export function repeatedHeader(raw: readonly string[]): string | undefined {
  let seen = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const { length } = raw[i]!;
    const name = single.get(length);
    if (name === undefined || name.toLowerCase() !== raw[i]!.toLowerCase()) continue;
    // The lengths of these names differ, so each has its own bit.
    if (seen & (1 << length)) return name;
    seen |= 1 << length;
  }
  return undefined;
}
