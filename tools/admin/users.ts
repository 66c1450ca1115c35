import { type Command, UsageError } from './command.ts';

const PATH = '/api/users/users/';

interface Found {
  results: { id: number; username: string }[];
}

/** What is done for users who cannot help themselves. */
export const users: Command = {
  commands: ['users reset-factors'],
  help: `  users reset-factors <name>              take all second factors of a user away, who has lost them
`,
  async run([command, name, ...more], { send, print }) {
    if (command !== 'reset-factors' || !name || more.length) throw new UsageError('Name one user.');
    const { results } = (await send('GET', `${PATH}?username=${encodeURIComponent(name)}`)) as Found;
    const user = results.find(({ username }) => username === name);
    if (!user) throw new Error(`There is no user ${name}.`);
    const { removed } = (await send('POST', `${PATH}${user.id}/reset-factors/`)) as { removed: number };
    print(removed ? `${name} had ${removed} second factors and has none now.` : `${name} has no second factor.`);
  },
};
