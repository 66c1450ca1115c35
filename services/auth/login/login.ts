import type { Executor } from '@cadastre/service/executor';
import {
  blocked,
  type Counters,
  countersOf,
  type Failures,
  failed,
  type LoginLimits,
  released,
  reserve,
  succeeded,
} from '../passwords/attempts.ts';
import type { DirectoryLogin } from './external/ldap/login.ts';
import { Unavailable } from './external/ldap/directory/unavailable.ts';
import type { DefaultPermissions } from '../rights/permissions.ts';
import type { Hashing } from '../passwords/password.ts';
import { Busy } from '../passwords/hashingLimiter.ts';
import type { SecurityRecord } from '../security/record.ts';
import { type Account, authenticate, hasPassword, userNamed } from '../passwords/users.ts';

export interface LoginRequest {
  username: string;
  password: string;
  address: string;
}

export interface LoginOptions {
  db: Executor;
  limits: LoginLimits;
  defaults: DefaultPermissions;
  /** Where passwords are hashed. */
  hashing: Hashing;
  /** Called with what failed. */
  security: Pick<SecurityRecord, 'note'>;
  /** Checks the passwords of users who have none here. */
  directory?: DirectoryLogin | undefined;
  /**
   * Whether the user is told of earlier failures, which happens once; by default they are, unless a second factor has
   * yet to be proved.
   */
  tells?: boolean;
  /**
   * Whether all users may log in by a password stored here; otherwise only superusers may, and nobody else learns
   * whether theirs is right.
   */
  everybody?: boolean;
}

/**
 * `wait`: seconds until the next attempt, 0 unless too many have failed; `busy`: too many logins are in progress;
 * `unavailable`: the directory that knows the password cannot be asked. In these cases the login fails, whatever the
 * password. `directory`: the directory checked the password.
 */
export interface LoginOutcome {
  account: Account | null;
  wait: number;
  busy: boolean;
  unavailable: boolean;
  directory: boolean;
  failures: Failures | null;
}

const refused = { account: null, wait: 0, busy: false, unavailable: false, directory: false, failures: null };

/** How long a client is told to wait when all places are taken. */
export const BUSY_SECONDS = 2;

/** The text for clients who have done nothing wrong. */
export const UNAVAILABLE =
  'Passwords cannot be checked at present, as the directory does not answer. Please try again later.';

/**
 * The only way to log in with a password. Failures are counted in the database, so that the limits hold for all
 * processes together. An attempt is counted before its password is checked, and the count is taken back if it was
 * right: so a refusal does not reveal whether the password was right, and concurrent guesses gain nothing over
 * consecutive ones. An attempt that waits for its turn is not counted yet, so many users who log in at the same time do
 * not lock each other out.
 *
 * If the name has a password here, only that is checked; otherwise the directory is asked, if there is one.
 */
export async function logIn(request: LoginRequest, options: LoginOptions): Promise<LoginOutcome> {
  const { username, address } = request;
  const { db, limits, hashing } = options;
  const counters = countersOf({ username, address }, limits);
  const before = await blocked(db, counters);
  const directory = options.directory && !(await hasPassword(db, username)) ? options.directory : undefined;
  if (before > 0) return paused(request, before, directory, options);
  try {
    const { outcome, tookMs } = await (directory?.places ?? hashing).use(`address ${counters.address}`, async () => {
      const began = performance.now();
      return { outcome: await attempt(request, counters, directory, options), tookMs: performance.now() - began };
    });
    if (outcome === refused) await options.directory?.pace.refused(directory ? 'directory' : 'here', tookMs);
    return outcome;
  } catch (error) {
    if (error instanceof Busy) return { ...refused, busy: true };
    if (error instanceof Unavailable) return { ...refused, unavailable: true };
    throw error;
  }
}

/** Counts an attempt and checks its password. */
async function attempt(
  request: LoginRequest,
  counters: Counters,
  directory: DirectoryLogin | undefined,
  options: LoginOptions,
): Promise<LoginOutcome> {
  const { username, password, address } = request;
  const { db, limits, defaults, hashing, security, tells = true, everybody = true } = options;
  const reserved = await reserve(db, counters);
  if (!('taken' in reserved)) return paused(request, reserved.wait, directory, options);
  const account = directory
    ? await directory.check(username, password, address).catch(async (error: unknown) => {
        await released(db, reserved.taken);
        throw error;
      })
    : await authenticate(db, username, password, defaults, hashing.cost);
  // Turning passwords off concerns those that are stored here, not the directory's.
  if (account && (everybody || directory || account.superuser)) {
    const failures = await succeeded(
      db,
      counters,
      reserved.taken,
      tells && !account.factors ? account.id : null,
      limits,
    );
    return { ...refused, account, directory: directory !== undefined, failures };
  }
  const id = await failed(db, counters, username, limits);
  const user = { id, name: id === null ? '' : username };
  security.note({ kind: 'login', ok: false, user, address, method: methodOf(directory) });
  return refused;
}

async function paused(
  { username, address }: LoginRequest,
  wait: number,
  directory: DirectoryLogin | undefined,
  { db, security }: LoginOptions,
): Promise<LoginOutcome> {
  const id = await userNamed(db, username);
  const user = { id, name: id === null ? '' : username };
  security.note({ kind: 'login_paused', ok: false, user, address, method: methodOf(directory) });
  return { ...refused, wait };
}

/** How somebody proves who they are, for the record. */
export const methodOf = (directory: unknown): string => (directory ? 'ldap' : 'password');
