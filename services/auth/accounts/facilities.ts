import { randomBytes } from 'node:crypto';
import type { Config } from '@cadastre/service/config';
import { refuse } from '@cadastre/rest';
import type { Log } from '@cadastre/service/log';
import { BUSY_SECONDS } from '../login/login.ts';
import type { Passwords } from '../models/user.ts';
import type { SecurityLog } from '../models/rights/recordRightsChanges.ts';
import type { Tokens } from '../models/token.ts';
import { type Hashing, hashPassword } from '../passwords/password.ts';
import { passwordProblems, type PolicySettings } from '../passwords/passwordPolicy.ts';
import { Busy } from '../passwords/hashingLimiter.ts';
import { writeLogLines } from '../security/logLines.ts';
import { newToken } from '../credentials/token.ts';

/** What the rules of this service's models ask for by name. */
export const facilities = (
  {
    apiTokenPeppers: peppers,
    apiTokenV1: v1,
    apiTokensPerUser: most,
    tokenMaxDays: maxDays,
    ...policy
  }: Pick<Config, 'apiTokenPeppers' | 'apiTokenV1' | 'apiTokensPerUser' | 'tokenMaxDays'> & PolicySettings,
  hashing: Hashing,
  log: Pick<Log, 'info'>,
): { tokens: Tokens; passwords: Passwords; securityLog: SecurityLog } => ({
  securityLog: { told: (events) => writeLogLines(log, events) },
  tokens: {
    most,
    maxDays,
    hasPepper: (id) => peppers.has(id),
    make(version, plaintext) {
      if (version === 1 && !v1) throw new Error('Tokens of version 1 are turned off here.');
      return newToken(version, peppers, plaintext);
    },
  },
  passwords: {
    none: randomBytes(48).toString('base64url'),
    problems: (password, user) => passwordProblems(password, policy, user),
    hash: (password, whose) =>
      hashing
        .use(whose, () => hashPassword(password, hashing.cost))
        .catch((error: unknown) => {
          throw error instanceof Busy
            ? refuse(503, 'Too many passwords are being set or checked at present. Please try again.', {
                'Retry-After': String(BUSY_SECONDS),
              })
            : error;
        }),
  },
});
