import { webService } from '@cadastre/service/web';
import type { Config } from '@cadastre/service/config';
import { type Executor, executor } from '@cadastre/service/executor';
import { type Callers, type GrpcService, grpcService } from '@cadastre/service/grpc';
import type { Log } from '@cadastre/service/log';
import type { ExternalSessions } from './external/logins.ts';
import type { DirectoryLogin } from './external/ldap/login.ts';
import { type FactorApi, factorCalls } from './factor-calls.ts';
import type { FactorLimits } from '../factors/check.ts';
import { factorOptions } from '../factors/options.ts';
import { type FactorKind, kindsOf } from '../factors/store.ts';
import {
  savePendingForm,
  type PendingForm,
  type PendingFormLimits,
  takePendingForm,
} from '../credentials/pending-forms.ts';
import { lastUsed } from '../credentials/last-used.ts';
import { type LoggedIn, loggedIn } from '../credentials/logged-in.ts';
import { type Permission, permissionsOf, rightsOf } from '../rights/permissions.ts';
import type { PoolClient } from 'pg';
import type { LoginLimits } from '../passwords/attempts.ts';
import { logIn, type LoginOutcome } from './login.ts';
import type { Hashing } from '../passwords/password.ts';
import type { SecurityKind } from '../models/rights/securityKinds.ts';
import type { SecurityRecord } from '../security/record.ts';
import type { SecurityEvent } from '../models/rights/securityEvent.ts';
import { beginSession, endSession, inSession, sessionsSeen } from '../credentials/sessions.ts';
import { type User, type VerifyRequest, type VerifyResponse, verifyToken } from '../credentials/verify.ts';

/** proto/auth.proto. */
export interface AuthApi extends FactorApi {
  VerifyToken(request: VerifyRequest): VerifyResponse;
  Permissions(request: { user_id: number }): { version: number; permissions: WirePermission[] };
  UserPermissions(request: { user_ids: readonly number[] }): {
    users: { user: User; version: number; permissions: WirePermission[] }[];
  };
  CheckPassword(request: {
    username: string;
    password: string;
    address: string;
  }): LoggedIn &
    Pick<LoginOutcome, 'wait' | 'busy' | 'unavailable' | 'directory' | 'failures'> & { factors: FactorKind[] };
  BeginSession(request: {
    id: string;
    user_id: number;
    expires: string;
    address: string;
    browser: string;
    method: string;
    external?: string;
    previous?: string;
  }): Record<string, never>;
  CheckSession(request: { id: string; user_id: number; stamp: string; client_ip: string }): LoggedIn & {
    session: number;
    method: string;
    authenticated_at: number;
    must_enrol: boolean;
    config: string;
  };
  EndSession(request: { id: string; address: string; return_to?: string }): { logout: string };
  SavePendingForm(request: PendingForm): { saved: boolean };
  TakePendingForm(request: { key: string }): { content: string };
  RecordRefusals(request: { refusals: readonly WireRefusal[] }): Record<string, never>;
}

/** What the gateway has refused. */
interface WireRefusal {
  kind: string;
  user_id: number;
  user_name: string;
  address: string;
  method: string;
  detail: string;
  browser: string;
  request_id: string;
  count: number;
}

const REFUSALS: readonly string[] = ['token_refused', 'permission_refused'] satisfies SecurityKind[];

const refusalOf = ({ kind, user_id, user_name: name, request_id, ...rest }: WireRefusal): SecurityEvent => ({
  ...rest,
  kind: kind as SecurityKind,
  ok: false,
  user: { id: user_id || null, name },
  requestId: request_id,
});

/** The end of the session that a browser had when somebody logged in with it again. */
const replaced = (user: { id: number; name: string }, address: string): SecurityEvent => ({
  kind: 'session_ended',
  ok: true,
  user,
  address,
  detail: 'Somebody has logged in anew in the same browser.',
});

interface WirePermission {
  object_types: string[];
  actions: string[];
  constraints: string;
}

const onWire = (permissions: readonly Permission[]): WirePermission[] =>
  permissions.map(({ objectTypes, actions, constraints }) => ({
    object_types: objectTypes,
    actions,
    constraints: JSON.stringify(constraints),
  }));

type AuthConfig = Pick<
  Config,
  | 'apiTokenPeppers'
  | 'apiTokenV1'
  | 'defaultPermissions'
  | 'maintenanceMode'
  | 'localLogin'
  | 'loginIdleTimeout'
  | 'loginSessions'
  | 'factorKeys'
  | 'secondFactorGroups'
  | keyof FactorLimits
  | keyof PendingFormLimits
  | 'tokenIdleDays'
  | keyof LoginLimits
>;

export interface AuthGrpc {
  db: Executor;
  /** For checks that any request may wait for. */
  verifying: Executor;
  hashing: Hashing;
  security: SecurityRecord;
  /** Runs a writing transaction. */
  transact<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  config: AuthConfig;
  log: Log;
  /** The directory, if there is one; known once everything has started. */
  directory?: () => DirectoryLogin | undefined;
  /** The services that have objects. */
  owners: readonly string[];
  /** For sessions whose login was at another system. */
  external: ExternalSessions;
}

/**
 * Authentication is for the gateway to ask; the permissions of one user, for every service that has objects or shows
 * them; those of several users, for services that notify users of changes.
 */
const callersOf = (owners: readonly string[]): Callers<AuthApi> => {
  const gateway = ['gateway'];
  return {
    VerifyToken: gateway,
    CheckPassword: gateway,
    CheckFactor: gateway,
    PasskeyOptions: gateway,
    Factors: gateway,
    ConfirmReauthentication: gateway,
    BeginSession: gateway,
    CheckSession: gateway,
    EndSession: gateway,
    SavePendingForm: gateway,
    TakePendingForm: gateway,
    RecordRefusals: gateway,
    Permissions: [...gateway, webService, ...owners],
    UserPermissions: ['extras'],
  };
};

/**
 * The gRPC API of the auth service. `close` writes the last uses of tokens and sessions; call it before the database
 * closes.
 */
export function authGrpc({
  db,
  verifying,
  hashing,
  security,
  transact,
  config,
  log,
  owners,
  directory,
  external: elsewhere,
}: AuthGrpc): {
  service: GrpcService;
  close(): Promise<void>;
} {
  const {
    apiTokenPeppers: peppers,
    apiTokenV1: v1,
    defaultPermissions: defaults,
    maintenanceMode,
    secondFactorGroups: factorGroups,
  } = config;
  const uses = lastUsed(db, {
    enabled: !maintenanceMode,
    failed: (error) => log.warn({ err: error }, 'the use of tokens could not be recorded'),
  });
  // Uses are not recorded in maintenance mode, so nothing may expire for being idle.
  const idleSeconds = maintenanceMode ? 0 : config.loginIdleTimeout;
  const idleDays = maintenanceMode ? 0 : config.tokenIdleDays;
  const seen = sessionsSeen(db, {
    enabled: !maintenanceMode,
    idleSeconds,
    failed: (error) => log.warn({ err: error }, 'the use of sessions could not be recorded'),
  });
  const service = grpcService<AuthApi>({ proto: 'auth.proto', service: 'cadastre.auth.Auth' }, callersOf(owners), {
    VerifyToken: (request) => verifyToken(verifying, request, { peppers, v1, defaults, idleDays, used: uses.mark }),
    Permissions: async ({ user_id }) => {
      const { version, permissions } = await permissionsOf(verifying, user_id, defaults);
      return { version, permissions: onWire(permissions) };
    },
    UserPermissions: async ({ user_ids }) => ({
      users: (await rightsOf(verifying, user_ids, defaults)).map(
        ({ id, username, superuser, active, version, permissions }) => ({
          user: { id, username, superuser, active },
          version,
          permissions: onWire(permissions),
        }),
      ),
    }),
    CheckPassword: async (request) => {
      const { account, ...outcome } = await logIn(request, {
        db,
        limits: config,
        defaults,
        hashing,
        security,
        everybody: config.localLogin,
        directory: directory?.(),
      });
      return { ...loggedIn(account), ...outcome, factors: account?.factors ? await kindsOf(db, account.id) : [] };
    },
    BeginSession: async ({ id, user_id, expires, address, browser, method, external = '', previous = '' }) => {
      await transact(async (client) => {
        const left = previous ? await endSession(executor(client), previous) : null;
        if (left) await security.write(client, [replaced(left, address)]);
        const session = { key: id, userId: user_id, until: expires, address, browser, method };
        const name = await beginSession(executor(client), session, config.loginSessions);
        await elsewhere.begun(executor(client), { key: id, userId: user_id, external });
        const login = { user: { id: user_id, name }, address, browser, method };
        await security.write(client, [{ kind: 'login', ok: true, ...login }]);
      });
      return {};
    },
    CheckSession: async ({ id, user_id, stamp, client_ip }) => {
      const account = await inSession(
        verifying,
        { key: id, userId: user_id, stamp },
        { defaults, idleSeconds, factorGroups },
      );
      if (account) seen.mark(account.session, client_ip, account.lastSeen);
      const { session = 0, method = '', proved = 0, enrol = false, config = '' } = account ?? {};
      return { ...loggedIn(account), session, method, authenticated_at: Math.floor(proved), must_enrol: enrol, config };
    },
    ...factorCalls(db, defaults, factorOptions(db, config, security)),
    EndSession: async ({ id, address, return_to: returnTo = '' }) => {
      const logout = returnTo ? await elsewhere.ending(id, returnTo) : null;
      await transact(async (client) => {
        const user = await endSession(executor(client), id);
        if (user) await security.write(client, [{ kind: 'logout', ok: true, user, address }]);
      });
      return { logout: logout ?? '' };
    },
    SavePendingForm: async (form) => ({ saved: await savePendingForm(db, form, config) }),
    TakePendingForm: async ({ key }) => ({ content: (await takePendingForm(db, key)) ?? '' }),
    RecordRefusals: async ({ refusals }) => {
      for (const refusal of refusals) if (REFUSALS.includes(refusal.kind)) security.note(refusalOf(refusal));
      return {};
    },
  });
  return {
    service,
    async close() {
      await Promise.all([uses.close(), seen.close()]);
    },
  };
}
