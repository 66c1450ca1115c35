import { headerOf, USERS, userNamed } from './accounts.ts';
import { type Command, everything, printList, UsageError } from './command.ts';

const PATH = '/api/users/tokens/';

/** Tokens of the API. */
export const tokens: Command = {
  commands: ['tokens list', 'tokens rotate', 'tokens revoke'],
  help: `  tokens list [--user <name>]             tokens, when they were last used and when they expire
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
    throw new UsageError('tokens: list, rotate or revoke.');
  },
};

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
