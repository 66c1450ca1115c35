import { randomBytes } from 'node:crypto';
import { headerOf, idOf, USERS, userNamed } from './accounts.ts';
import { type Command, type Surroundings, UsageError } from './command.ts';

/** Helps users who are locked out, and lists and disables accounts without logins. */
export const users: Command = {
  commands: ['users reset-factors', 'users machine'],
  help: `  users reset-factors <name>              take all second factors of a user away, who has lost them
  users machine <name>                    an account without a password, and a token for it; an existing one loses its password
`,
  async run([command, name, ...more], surroundings) {
    if (!name || more.length) throw new UsageError('Name one user.');
    if (command === 'reset-factors') return resetFactors(name, surroundings);
    if (command === 'machine') return machine(name, surroundings);
    throw new UsageError('users: reset-factors or machine.');
  },
};

async function resetFactors(name: string, { send, print }: Surroundings): Promise<void> {
  const id = await userNamed(name, { send });
  const { removed } = (await send('POST', `${USERS}${id}/reset-factors/`)) as { removed: number };
  print(factorsText(name, removed));
}

/** The outcome for a user's second factors. */
export const factorsText = (name: string, removed: number): string =>
  removed
    ? `${name} had ${removed} second factor${removed === 1 ? '' : 's'} and has none now.`
    : `${name} has no second factor.`;

async function machine(name: string, { send, print }: Surroundings): Promise<void> {
  // The API creates no user without a password. This one is random, and removed at once.
  const password = `Aa1${randomBytes(48).toString('base64url')}`;
  const there = await idOf(name, { send });
  const id = there ?? ((await send('POST', USERS, { username: name, password })) as { id: number }).id;
  await send('DELETE', `${USERS}${id}/password/`);
  if (there !== undefined) return print(`${name} has no password any more. Its tokens go on.`);
  const token = await send('POST', '/api/users/tokens/', { user: id, description: `made for ${name}`.slice(0, 200) });
  print(headerOf(token as Record<string, unknown>));
}
