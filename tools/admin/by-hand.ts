import type { AdminAccounts, Listed } from '../../services/auth/accounts/admin/accounts.ts';
import { Refused } from '../../services/auth/accounts/admin/refused.ts';
import { UsageError } from './command.ts';
import { factorsText } from './users.ts';

/** The input of a command for accounts in the database. */
export interface ByHand {
  accounts: AdminAccounts;
  print(line: string): void;
  /** `--superuser` */
  superuser: boolean;
  /** `--generate`: a password is generated and printed, instead of asked for. */
  generate: boolean;
  password(user: string): Promise<string>;
  generated(): string;
}

export const byHandCommands = ['list', 'create', 'reset-password', 'enable', 'disable'] as const;
/** Commands that work in the database with `--database`, and with a token otherwise. */
export const byHandToo: readonly string[] = ['reset-factors'];

export const byHandHelp = `  users list                              all accounts
  users create <name> [--superuser]       an account; its password is asked for, or the first line of standard input
  users reset-password <name>             another password, asked for in the same way; its sessions end
  users enable <name>, disable <name>     turns an account on, or off with its sessions and tokens
                                          --generate makes the password and prints it once. These five need no login: they
                                          work in the database of DATA_DIR, or that of DATABASE_URL or AUTH_DATABASE_URL;
                                          with --database users reset-factors does so, too`;

/** @throws UsageError, Refused */
export async function runByHand([command, name, ...more]: readonly string[], given: ByHand): Promise<void> {
  const { accounts, print, superuser } = given;
  if (command === 'list') {
    if (name !== undefined) throw new UsageError('users list: it takes no name.');
    for (const one of await accounts.list()) print(lineOf(one));
    return;
  }
  if (!name || more.length) throw new UsageError('Name one user.');
  if (command === 'reset-factors') {
    const removed = await accounts.resetFactors(name);
    return print(factorsText(name, removed));
  }
  if (command === 'create') {
    const password = await chosen(name, given);
    await accounts.create({ username: name, password, superuser });
    print(`Made the ${superuser ? 'superuser' : 'user'} ${name}.`);
    return tell(password, given);
  }
  if (command === 'reset-password') {
    // Checked before anybody types a password in vain.
    if (!(await accounts.list()).some(({ username }) => username === name))
      throw new Refused(`There is no user ${name}.`);
    const password = await chosen(name, given);
    const { active } = await accounts.resetPassword(name, password);
    print(`${name} has another password; all its sessions have ended.`);
    if (!active) print(`The account is turned off: "users enable ${name}" turns it on.`);
    return tell(password, given);
  }
  await accounts.setActive(name, command === 'enable');
  print(`${name} is turned ${command === 'enable' ? 'on' : 'off'}.`);
}

/** How often a generated password may be refused by the settings. */
const TRIES = 100;

async function chosen(name: string, { accounts, generate, generated, password }: ByHand): Promise<string> {
  if (!generate) return password(name);
  for (let i = 0; i < TRIES; i++) {
    const one = generated();
    if (!(await accounts.problems(name, one)).length) return one;
  }
  throw new Refused('The settings for passwords refuse what --generate makes: give one.');
}

function tell(password: string, { generate, print }: ByHand): void {
  if (generate) print(`password: ${password}`);
}

const lineOf = ({ username, superuser, active, password, lastLogin, factors }: Listed): string =>
  [
    username,
    superuser ? 'superuser' : 'user',
    active ? 'active' : 'turned off',
    { here: 'password', elsewhere: 'no password here', machine: 'for programs' }[password],
    `${factors} second factor${factors === 1 ? '' : 's'}`,
    lastLogin === null ? 'never logged in' : `last login ${lastLogin}`,
  ].join('  ');
