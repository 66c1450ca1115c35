// `npm run admin`: what administrators ask of a running system, from the command line.
import { parseArgs } from 'node:util';
import { type Command, UsageError } from './admin/command.ts';
import { parked } from './admin/parked.ts';
import { replicas } from './admin/replicas.ts';
import { senderTo } from './api.ts';

/** By the first word of the command line. */
const SUBJECTS: Record<string, Command> = { parked, replicas };

const HELP = `npm run admin -- [--url http://localhost:8000] --token <API token of a superuser> <subject> <command> …

${Object.values(SUBJECTS).map(({ help }) => help).join('\n')}
CADASTRE_URL and CADASTRE_TOKEN may be set instead of the options.
`;

async function run(): Promise<void> {
  const { values, positionals: [subject, ...words] } = parseArgs({
    allowPositionals: true, options: { url: { type: 'string' }, token: { type: 'string' }, help: { type: 'boolean' }, service: { type: 'string' }, all: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(HELP);
  const command = SUBJECTS[subject ?? ''];
  if (!command) throw new UsageError('Say what it is about.');
  const token = values.token ?? process.env['CADASTRE_TOKEN'] ?? process.env['SUPERUSER_API_TOKEN'];
  if (!token) throw new UsageError('A token is needed.');
  const url = values.url ?? process.env['CADASTRE_URL'] ?? `http://localhost:${process.env['PORT'] ?? 8000}`;
  const send = senderTo(url.replace(/\/+$/, ''), token.startsWith('svc_') ? `Bearer ${token}` : `Token ${token}`);
  await command.run(words, { send, print: (line) => process.stdout.write(`${line}\n`), service: values.service, all: values.all ?? false });
}

await run().catch((error: Error) => {
  const wrong = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(wrong ? `${error.message}\n\n${HELP}` : `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}\n`);
  process.exitCode = wrong ? 2 : 1;
});
