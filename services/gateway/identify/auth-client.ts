import type { Calls } from '@cadastre/service/calls';
import { type GrpcClient, isUnreachable } from '@cadastre/service/grpc';
import { unavailable } from '@cadastre/service/errors';
import type { Checkable } from '../arrive/credentials.ts';
import type { IdentitiesOptions, Verified } from './identities.ts';
import type { Sessions } from './sessions.ts';

/** The part of proto/auth.proto that the gateway uses. */
interface AuthApi {
  VerifyToken(request: { version: number; key: string; plaintext: string; client_ip: string }): {
    ok: boolean;
    error: string;
    permissions_version: number;
    user: { id: number; username: string; superuser: boolean; active: boolean } | null;
    token: { id: number; write_enabled: boolean; expires: string; allowed_ips: string[] } | null;
  };
  Permissions(request: { user_id: number }): { permissions: { object_types: string[]; actions: string[] }[] };
  CheckPassword(request: {
    username: string;
    password: string;
    address: string;
  }): Checked & { factors: FactorKind[]; unavailable: boolean; directory: boolean };
  BeginSession(request: {
    id: string;
    user_id: number;
    expires: string;
    address: string;
    browser: string;
    method: string;
    external: string;
    previous: string;
  }): Record<string, never>;
  CheckSession(request: { id: string; user_id: number; stamp: string; client_ip: string }): LoggedIn & {
    session: number;
    method: string;
    authenticated_at: number;
    must_enrol: boolean;
    config: string;
  };
  CheckFactor(request: {
    user_id: number;
    stamp: string;
    kind: FactorKind;
    response: string;
    challenge: string;
    base: string;
    address: string;
  }): Checked;
  PasskeyOptions(request: { user_id: number; challenge: string; base: string }): { options: string };
  Factors(request: { user_id: number }): { kinds: FactorKind[] };
  ConfirmReauthentication(request: { id: string; address: string; method: string }): Record<string, never>;
  EndSession(request: { id: string; address: string; return_to?: string }): { logout: string };
  SavePendingForm(request: { key: string; content: string; address: string }): { saved: boolean };
  TakePendingForm(request: { key: string }): { content: string };
  RecordRefusals(request: {
    refusals: readonly {
      kind: 'token_refused' | 'permission_refused';
      user_id: number;
      user_name: string;
      address: string;
      browser: string;
      method: string;
      detail: string;
      request_id: string;
      count: number;
    }[];
  }): Record<string, never>;
}

/** The failed attempts for a user's name since the user last logged in. */
export interface FailedLogins {
  count: number;
  last: string;
  address: string;
}

/** What a user can prove besides the password. */
export type FactorKind = 'totp' | 'passkey' | 'recovery';

/** The result of checking a password or a second factor. */
export interface Checked extends LoggedIn {
  wait: number;
  busy: boolean;
  failures: FailedLogins | null;
}

interface LoggedIn {
  ok: boolean;
  user: { id: number; username: string; superuser: boolean } | null;
  permissions_version: number;
  stamp: string;
}

export type AuthClient = GrpcClient<AuthApi>;

/** A client of the auth service. */
export const authClient = (calls: Calls): AuthClient =>
  calls.to<AuthApi>('auth', { proto: 'auth.proto', service: 'cadastre.auth.Auth' });

/** What auth answers. @throws HttpError 503 when it cannot be reached */
export const answerOf = <T>(call: Promise<T>, what = 'Tokens'): Promise<T> =>
  call.catch((reason: unknown) => {
    throw isUnreachable(reason) ? unavailable(`${what} cannot be checked at present. Please try again.`) : reason;
  });

/** Asks the auth service about a token or a session. @throws HttpError 503 when it cannot be reached */
export const verifyWith =
  (auth: AuthClient, open: Sessions['open']): IdentitiesOptions['verify'] =>
  (given, clientIp) =>
    given.kind === 'session' ? verifySession(auth, open, given.cookie, clientIp) : verifyToken(auth, given, clientIp);

async function verifyToken(
  auth: AuthClient,
  { version, key, plaintext }: Extract<Checkable, { kind: 'token' }>,
  clientIp: string,
): Promise<Verified> {
  const { ok, error, user, token, permissions_version } = await answerOf(
    auth.VerifyToken({ version, key, plaintext, client_ip: clientIp }),
  );
  return {
    error: ok ? '' : error || 'Invalid token',
    permissionsVersion: permissions_version,
    user: user && { id: user.id, username: user.username, superuser: user.superuser },
    token: token && {
      id: token.id,
      writeEnabled: token.write_enabled,
      expires: token.expires,
      allowedIps: token.allowed_ips,
    },
  };
}

const ended: Verified = { error: 'The session has ended.', user: null, token: null, permissionsVersion: 0 };

async function verifySession(
  auth: AuthClient,
  open: Sessions['open'],
  cookie: string,
  clientIp: string,
): Promise<Verified> {
  const session = await open(cookie);
  if (!session) return ended;
  const {
    ok,
    user,
    permissions_version,
    session: number,
    authenticated_at: proved,
    must_enrol: enrol,
    config,
  } = await answerOf(
    auth.CheckSession({ id: session.id, user_id: session.userId, stamp: session.stamp, client_ip: clientIp }),
    'Sessions',
  );
  return ok && user
    ? {
        error: '',
        user: { id: user.id, username: user.username, superuser: user.superuser },
        permissionsVersion: permissions_version,
        token: { id: null, writeEnabled: true, expires: session.until, allowedIps: [] },
        session: number,
        proved,
        enrol,
        config,
      }
    : ended;
}
