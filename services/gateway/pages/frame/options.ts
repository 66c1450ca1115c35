import type { FormLimits } from '@cadastre/body';
import type { Log } from '@cadastre/service/log';
import type { Admit } from '../../admit/admission.ts';
import type { AuthClient } from '../../identify/auth-client.ts';
import type { ExternalClient } from '../../identify/external-client.ts';
import type { OidcStates } from '../../identify/oidc-states.ts';
import type { CsrfTokens } from '../../identify/csrf-tokens.ts';
import type { Sessions } from '../../identify/sessions.ts';
import type { PendingForms } from '../../web/pending-forms.ts';
import type { FactorChallenges } from '../../identify/factor-challenges.ts';

/** What the pages of the gateway are made with. */
export interface PagesOptions {
  admit: Admit;
  auth: AuthClient;
  sessions: Sessions;
  challenges: FactorChallenges;
  csrf: CsrfTokens;
  /** Also of the auth service: logins for which another system vouches. */
  external: ExternalClient;
  oidcStates: OidcStates;
  pendingForms: PendingForms;
  /** Forgets what is cached of a user's sessions. */
  forget(userId: number): void;
  formMaxBytes: number;
  /** Limits of a form. */
  form: FormLimits;
  /** Checking a password is slow on purpose. */
  passwordTimeoutMs: number;
  log: Log;
}
