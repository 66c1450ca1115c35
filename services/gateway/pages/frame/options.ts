import type { FormLimits } from '@cadastre/body';
import type { Log } from '@cadastre/service/log';
import type { Admit } from '../../admit/admission.ts';
import type { AuthClient } from '../../identify/auth-client.ts';
import type { ExternalClient } from '../../identify/external-client.ts';
import type { Flows } from '../../identify/flows.ts';
import type { Forms } from '../../identify/forms.ts';
import type { Sessions } from '../../identify/sessions.ts';
import type { SetAside } from '../../web/set-aside.ts';
import type { Steps } from '../../identify/steps.ts';

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
