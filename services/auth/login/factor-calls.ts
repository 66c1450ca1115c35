import type { Executor } from '@cadastre/service/executor';
import { type LoggedIn, loggedIn } from '../credentials/logged-in.ts';
import type { LoginOutcome } from './login.ts';
import type { DefaultPermissions } from '../rights/permissions.ts';
import { proveSession } from '../credentials/sessions.ts';
import { accountById } from '../passwords/users.ts';
import { checkFactor, type FactorOptions, provedBy } from '../factors/check.ts';
import { requestOptions } from '../factors/passkeys.ts';
import { type FactorKind, kindsOf, passkeysOf } from '../factors/store.ts';

type Checked = LoggedIn & Pick<LoginOutcome, 'wait' | 'busy' | 'failures'>;

/** What of proto/auth.proto is about second factors. */
export interface FactorApi {
  CheckFactor(request: {
    user_id: number;
    stamp: string;
    kind: string;
    response: string;
    challenge: string;
    base: string;
    address: string;
  }): Checked;
  PasskeyOptions(request: { user_id: number; challenge: string; base: string }): { options: string };
  Factors(request: { user_id: number }): { kinds: FactorKind[] };
  ConfirmReauthentication(request: { id: string; address: string; method: string }): Record<string, never>;
}

const KINDS: readonly string[] = ['totp', 'passkey', 'recovery'] satisfies FactorKind[];

/** Answers them. */
export const factorCalls = (db: Executor, defaults: DefaultPermissions, options: FactorOptions) => {
  const nothing: Checked = { ...loggedIn(null), wait: 0, busy: false, failures: null };

  /** A passkey alone is enough: the user has it, and has unlocked it by a PIN or a biometric. */
  async function byPasskey(text: string, challenge: string, base: string, address: string): Promise<Checked> {
    const userId = await provedBy({ text, challenge, base }, options);
    const account = userId === null ? null : await accountById(db, userId, defaults);
    if (!account)
      options.security.note({ kind: 'login', ok: false, user: { id: null, name: '' }, address, method: 'passkey' });
    return { ...nothing, ...loggedIn(account) };
  }

  return {
    async CheckFactor({ user_id: userId, stamp, kind, response, challenge, base, address }) {
      if (!KINDS.includes(kind)) return nothing;
      if (userId === 0) return kind === 'passkey' ? byPasskey(response, challenge, base, address) : nothing;
      const account = await accountById(db, userId, defaults);
      // The password has changed since, so the first step is no longer valid.
      if (!account || account.stamp !== stamp) return nothing;
      const { ok, wait, failures } = await checkFactor(
        { userId, username: account.username, address },
        { kind: kind as FactorKind, text: response, challenge, base },
        options,
        true,
      );
      return { ...nothing, ...loggedIn(ok ? account : null), wait, failures };
    },
    async PasskeyOptions({ user_id: userId, challenge, base }) {
      const there = userId === 0 ? null : await passkeysOf(db, userId);
      return { options: await requestOptions({ challenge, base }, there) };
    },
    Factors: async ({ user_id: userId }) => ({ kinds: await kindsOf(db, userId) }),
    async ConfirmReauthentication({ id, address, method }) {
      const user = await proveSession(db, id);
      if (user) options.security.note({ kind: 'reauthentication', ok: true, user, address, method });
      return {};
    },
  } satisfies {
    [Name in keyof FactorApi]: (request: Parameters<FactorApi[Name]>[0]) => Promise<ReturnType<FactorApi[Name]>>;
  };
};
