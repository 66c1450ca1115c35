// `npm run admin`: tasks of administrators in a running system, from the command line.
import { parseArgs } from 'node:util';
import { byHandCommands, byHandHelp, byHandToo, runByHand } from './by-hand.ts';
import { type Command, UsageError } from './command.ts';
import { generated, newPassword } from './passwords.ts';
import { parked } from './parked.ts';
import { replicas } from './replicas.ts';
import { readPassword, tokenFor } from './token.ts';
import { tokens } from './tokens.ts';
import { users } from './users.ts';
import { senderTo } from '../command/api.ts';
import { authorizationOf, systemOf, systemWithToken } from '../command/system.ts';

/** By the first word of the command line. */
const SUBJECTS: Record<string, Command> = { parked, replicas, tokens, users };

const HELP = `npm run admin -- <command> [--url http://localhost:8000] [--token <API token of a superuser>]

${Object.values(SUBJECTS)
  .map(({ help }) => help)
  .join('\n')}
${byHandHelp}

  token [--user <name>]                   a token for the header Authorization: the one that is known, else a new one for the password

Without --url it is the system that npm start runs on DATA_DIR. During its first run, in which it printed a token, none is needed.
CADASTRE_URL and CADASTRE_TOKEN may be set instead of the options.
`;

const known = (): string =>
  [
    ...Object.values(SUBJECTS).flatMap(({ commands }) => commands),
    ...byHandCommands.map((command) => `users ${command}`),
    'token',
  ].join(', ');

/** Any one of them will do. */
const SAME: Readonly<Record<string, string>> = { user: 'users' };

const isByHand = (command: string, database = false): boolean =>
  byHandCommands.some((one) => one === command) || (database && byHandToo.includes(command));

/** As it is shown in change records and security events. */
const BY = 'npm run admin';

/** Commands for accounts that work in the database itself, for when nobody can log in. */
async function byHand(words: readonly string[], { superuser = false, generate = false }): Promise<void> {
  // The code that writes accounts takes a second to load, and the other commands do not need it.
  const [{ openAccounts }, { authDatabase }] = await Promise.all([
    import('../../services/auth/accounts/admin/open.ts'),
    import('./auth-database.ts'),
  ]);
  const { close, ...accounts } = await openAccounts(authDatabase(process.env), process.env, BY);
  try {
    await runByHand(words, {
      accounts,
      print: (line) => process.stdout.write(`${line}\n`),
      superuser,
      generate,
      password: (user) => newPassword(user),
      generated,
    });
  } finally {
    await close();
  }
}

async function run(): Promise<void> {
  const {
    values,
    positionals: [first, ...words],
  } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      user: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      service: { type: 'string' },
      all: { type: 'boolean' },
      seconds: { type: 'string' },
      superuser: { type: 'boolean' },
      generate: { type: 'boolean' },
      database: { type: 'boolean' },
    },
  });
  const subject = SAME[first ?? ''] ?? first;
  if (values.help) return void process.stdout.write(HELP);
  if (subject === 'token') {
    const user = values.user ?? (process.env['SUPERUSER_NAME'] || 'admin');
    return void process.stdout.write(
      `${await tokenFor(systemOf(values), {
        user,
        password: () => readPassword(`Password of ${user}: `),
        code: () => readPassword(`Code of a second factor of ${user}: `),
      })}\n`,
    );
  }
  if (subject === 'users' && isByHand(words[0] ?? '', values.database)) return byHand(words, values);
  const command = Object.hasOwn(SUBJECTS, subject ?? '') ? SUBJECTS[subject!] : undefined;
  if (!command?.commands.includes(`${subject} ${words[0]}`)) {
    throw new UsageError(
      `${subject === undefined ? 'No command was given' : `There is no command "${[first, ...words.slice(0, 1)].join(' ')}"`}. Known are: ${known()}.`,
    );
  }
  const { url, token } = systemWithToken(values);
  await command.run(words, {
    send: senderTo(url, authorizationOf(token)),
    print: (line) => process.stdout.write(`${line}\n`),
    service: values.service,
    all: values.all ?? false,
    user: values.user,
    seconds: values.seconds,
  });
}

await run().catch((error: Error) => {
  const wrong = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(
    wrong
      ? `${error.message}\n\n${HELP}`
      : `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}\n`,
  );
  process.exitCode = wrong ? 2 : 1;
});
