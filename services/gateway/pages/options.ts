import type { FormLimits } from '@cadastre/body';
import type { Log } from '@cadastre/service/log';
import type { Admit } from '../admission.ts';
import type { AuthClient } from '../auth-client.ts';
import type { ExternalClient } from '../external-client.ts';
import type { Flows } from '../flows.ts';
import type { Forms } from '../forms.ts';
import type { Sessions } from '../sessions.ts';
import type { SetAside } from '../set-aside.ts';
import type { Steps } from '../steps.ts';

/** What the pages of the door are made with. */
export interface PagesOptions {
  admit: Admit;
  auth: AuthClient;
  sessions: Sessions;
  steps: Steps;
  forms: Forms;
  /** Of auth, too: logins that another system vouches for. */
  external: ExternalClient;
  flows: Flows;
  aside: SetAside;
  /** Forgets what is remembered of a user's sessions. */
  forget(userId: number): void;
  formMaxBytes: number;
  /** What a form may consist of. */
  form: FormLimits;
  /** Checking a password takes a while by intent. */
  passwordTimeoutMs: number;
  log: Log;
}
