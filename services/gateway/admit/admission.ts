import type { IncomingMessage } from 'node:http';
import type { Identity } from '@cadastre/service/identity';
import { contextOf } from '../arrive/request-context.ts';
import { type Identities, type Known, refusalOf, type Verified } from '../identify/identities.ts';
import type { Refusal } from '../arrive/json.ts';

export interface AdmissionOptions {
  identities: Identities;
  sign(identity: Identity): string | Promise<string>;
  /** Whether reading without a token is allowed at all; the services decide what may be read. */
  anonymousReads: boolean;
  maintenance: boolean;
  /** How long after proving who they are a user counts as reauthenticated; 0: for ever. */
  reauthSeconds: number;
}

/**
 * A request that may go on: the requester's identity, also in the signed form that services accept, the client's
 * address (by which failed logins are counted), and the address of the system as the client used it.
 */
export interface Admitted {
  identity: Identity;
  signed: string;
  clientIp: string;
  base: string;
}

/**
 * The credentials that a request needs. `anyone`: none, even for a write (the request for a client's first token).
 * `form`: a session is enough for a write, as the caller has checked that the request comes from one of our pages;
 * otherwise a session may only read.
 */
export type Needs = 'token' | 'anyone' | 'form';
export type Admit = (req: IncomingMessage, needs?: Needs) => Promise<Admitted | Refusal>;

const anonymous: Identity = { anonymous: true };
export const isRead = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

export const missing: Refusal = { status: 403, detail: 'Authentication credentials were not provided.' };
const readOnlyToken: Refusal = { status: 403, detail: 'You do not have permission to perform this action.' };
export const mustEnrol: Refusal = {
  status: 403,
  detail: 'Your account needs a second factor. Set one up on the page of your account first.',
};
const closedForWrites: Refusal = {
  status: 503,
  detail: 'The system is in maintenance mode: nothing can be changed at present. Please try again later.',
  retryAfter: 60,
};

/** The page for second factors and its parts: all that is open to a user who must have a factor and has none yet. */
export const enrolmentPage = '/user/factors/';
const isForEnrolment = (url = ''): boolean => {
  const [path] = url.split('?', 1);
  return path === enrolmentPage || path!.startsWith('/api/users/factors/') || path === '/logout/';
};

type User = NonNullable<Verified['user']>;
type Token = NonNullable<Verified['token']>;

/** A user's identity for the services, built once for each answer of auth. */
function identitiesOf(reauthSeconds: number): (known: Known, user: User, token: Token) => Identity {
  const made = new WeakMap<Known, Identity>();
  return (known, user, token) => {
    const before = made.get(known);
    if (before) return before;
    const { permissionsVersion, session, proved, config } = known;
    const identity: Identity = Object.freeze({
      anonymous: false,
      userId: user.id,
      username: user.username,
      superuser: user.superuser,
      permissionsVersion,
      tokenId: token.id,
      writeEnabled: token.writeEnabled,
      ...(session === undefined ? {} : { sessionId: session }),
      ...(proved === undefined || reauthSeconds === 0
        ? {}
        : { provenUntil: Math.floor(proved / 1000) + reauthSeconds }),
      ...(config === undefined ? {} : { configVersion: config }),
    });
    made.set(known, identity);
    return identity;
  };
}

/** Decides for each request who it comes from, and whether it may reach a service at all. */
export function admission(options: AdmissionOptions): Admit {
  const identityOf = identitiesOf(options.reauthSeconds);

  /** The token's identity, or why there is none. */
  async function identify(req: IncomingMessage, needs: Needs): Promise<Identity | Refusal> {
    const arrival = contextOf(req);
    const { given, client: clientIp } = arrival;
    if (given.kind === 'malformed') {
      arrival.refused = { why: given.detail, token: true };
      return { status: 403, detail: given.detail };
    }
    const nobody = needs === 'anyone' || (options.anonymousReads && isRead(req.method)) ? anonymous : missing;
    // Browsers also send cookies with requests that another site has caused.
    if (given.kind === 'none' || (given.kind === 'session' && needs !== 'form' && !isRead(req.method))) return nobody;
    const known = await options.identities.find(given, clientIp ?? '');
    const why = refusalOf(known, clientIp, Date.now());
    if (why !== null && given.kind === 'session') return nobody;
    if (known.user) {
      const method = known.token?.id ? `token ${known.token.id}` : given.kind;
      arrival.who = { userId: known.user.id, username: known.user.username, method };
    }
    if (why !== null || known.user === null || known.token === null) {
      arrival.refused = { why: why ?? '', token: true };
      return { status: 403, detail: why ?? '' };
    }
    if (!known.token.writeEnabled && !isRead(req.method)) {
      arrival.refused = { why: 'The token is for reading only.', token: false };
      return readOnlyToken;
    }
    if (known.enrol && !isForEnrolment(req.url)) return mustEnrol;
    return identityOf(known, known.user, known.token);
  }

  return async (req, needs = 'token') => {
    const { base, rateLimitKey } = contextOf(req);
    const identity = await identify(req, needs);
    if ('status' in identity) return identity;
    if (options.maintenance && !isRead(req.method)) return closedForWrites;
    return { identity, signed: await options.sign(identity), clientIp: rateLimitKey, base };
  };
}
