import { headerOf, USERS, userNamed } from './accounts.ts';
import { type Command, everything, printList, UsageError } from './command.ts';

const PATH = '/api/users/tokens/';

/** Tokens of the API. */
export const tokens: Command = {
  commands: ['tokens list', 'tokens policy', 'tokens rotate', 'tokens revoke'],
  help: `  tokens list [--user <name>]             tokens, when they were last used and when they expire
  tokens policy                           how long tokens may last here
  tokens rotate <id> [--seconds <n>]      a token that takes the place of one, which goes on for so long
  tokens revoke --user <name>             delete all tokens of a user
`,
  async run([command, id, ...words], surroundings) {
    const { send, print, user, seconds } = surroundings;
    if (words.length || (command !== 'rotate' && id !== undefined)) throw new UsageError('That is a word too many.');
    if (command === 'list') {
      const filter = user === undefined ? '' : `&user_id=${await userNamed(user, surroundings)}`;
      const all = await everything(`${PATH}?limit=1000${filter}`, surroundings);
      return printList(all.map(lineOf), 'There are no tokens.', print);
    }
    if (command === 'policy') {
      for (const line of policyLines((await send('GET', `${PATH}policy/`)) as Policy)) print(line);
      return;
    }
    if (command === 'rotate') {
      if (!/^\d{1,15}$/.test(id ?? '')) throw new UsageError('Name the number of the token.');
      if (seconds !== undefined && !/^\d{1,9}$/.test(seconds)) throw new UsageError('--seconds takes a number.');
      const made = await send(
        'POST',
        `${PATH}${id}/rotate/`,
        seconds === undefined ? {} : { valid_seconds: Number(seconds) },
      );
      return print(headerOf(made as Record<string, unknown>));
    }
    if (command === 'revoke') {
      if (user === undefined) throw new UsageError('Name the user with --user.');
      const gone = await send('POST', `${USERS}${await userNamed(user, surroundings)}/revoke-tokens/`, {});
      return print(`Deleted: ${(gone as { count: number }).count}.`);
    }
    throw new UsageError('tokens: list, policy, rotate or revoke.');
  },
};

/** A token as the API shows it. */
interface Policy {
  max_days: number | null;
  default_days: number | null;
  idle_days: number | null;
  warn_days: readonly number[];
  rotation_seconds: number;
  rotation_max_seconds: number;
  per_user: number;
}

const policyLines = (policy: Policy): string[] => [
  policy.max_days === null ? 'A token need not expire.' : `A token has to expire within ${policy.max_days} days.`,
  policy.default_days === null
    ? 'One that says nothing does not expire.'
    : `One that says nothing expires after ${policy.default_days} days.`,
  ...(policy.idle_days === null ? [] : [`One that was not used for ${policy.idle_days} days counts no longer.`]),
  ...(policy.warn_days.length ? [`Its user is warned ${policy.warn_days.join(', ')} days before it expires.`] : []),
  `When it is rotated it goes on for ${policy.rotation_seconds} seconds, at most ${policy.rotation_max_seconds}.`,
  `A user may have ${policy.per_user} tokens.`,
];

const timeOf = (time: unknown): string => (time === null || time === undefined ? 'never' : String(time));

const lineOf = ({
  id,
  user,
  display,
  description,
  enabled,
  expires,
  last_used: used,
}: Record<string, unknown>): string =>
  [
    String(id),
    (user as { username: string }).username,
    String(display),
    `used ${timeOf(used)}`,
    `expires ${timeOf(expires)}`,
    ...(enabled === false ? ['disabled'] : []),
    String(description ?? ''),
  ]
    .join('  ')
    .trimEnd();
