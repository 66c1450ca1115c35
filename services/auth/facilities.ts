import type { Passwords } from './models/user.ts';
import type { Tokens } from './models/token.ts';
import { hashPassword, passwordProblems } from './password.ts';
import { newToken, type Peppers } from './token.ts';

/** What the rules of this service's models ask for by name. */
export const facilities = (peppers: Peppers): { tokens: Tokens; passwords: Passwords } => ({
  tokens: { make: (version, plaintext) => newToken(version, peppers, plaintext) },
  passwords: { problems: passwordProblems, hash: hashPassword },
});
