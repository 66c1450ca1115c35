import { parseArgs } from 'node:util';
import { answerBytes, wholeNumber } from '../options.ts';
import { ACCOUNTS_QUERY } from './sources/accounts/query.ts';

const HELP = `npm run import -- --from https://netbox.example.com --token <theirs> [--to http://localhost:8000] [--to-token <ours>]

Brings every object of a NetBox (4.2 to 4.6) or of another Cadastre here, with its id, its times and its history. It can be
ended at any moment and started again, and repeated until the day of the switch: then it brings what is new, changed and
deleted. The target must run with IMPORT_API=true. Without --to it is the system that npm start runs on DATA_DIR. Both
tokens are those of superusers; CADASTRE_FROM_TOKEN and CADASTRE_TOKEN may be set instead of the options. With --from
postgres://user:password@host/netbox the tables of NetBox 4.6 are read instead of its API, which is much faster.

  --dry-run          tells the same and writes nothing
  --map-ids          objects whose ids others have at the target get new ones (ids.csv in the state folder says which)
  --delete-many      lets go of most of a type, where most of it is gone at the source
  --no-history       leaves change records and journal entries out
  --media <folder>   where the source's uploaded files are, instead of fetching them
  --parallel <n>     so many lists at the same time (4)
  --retries <n>      how often a request is sent again that failed (8)
  --max-answer <n>   how many MiB one answer may have, unpacked (256)
  --state <folder>   what it remembers between runs (import in DATA_DIR)
  --report <file>    what came of it, as JSON
  --accounts <file>  users' passwords and tokens, as the statement of --accounts-query gave them; a database tells them
                     by itself
  --accounts-query   prints the statement that tells of accounts in NetBox's database, and ends

Ends with 0 when everything is there, with 1 when something is missing or was refused, with 2 when it could not run to
its end.
`;

export interface Options {
  from: string;
  token: string | undefined;
  to: string | undefined;
  toToken: string | undefined;
  dryRun: boolean;
  deleteMany: boolean;
  mapIds: boolean;
  history: boolean;
  media: string | undefined;
  parallel: number;
  retries: number;
  /** The largest answer, in bytes. */
  maxAnswer: number;
  state: string | undefined;
  report: string | undefined;
  /** A file with the members of users and tokens that no API shows. */
  accounts: string | undefined;
}

/** @throws Error that says which option is wrong. @returns a text where only that is asked for */
export function optionsOf(args: readonly string[]): Options | string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      token: { type: 'string' },
      to: { type: 'string' },
      'to-token': { type: 'string' },
      'dry-run': { type: 'boolean' },
      'delete-many': { type: 'boolean' },
      'map-ids': { type: 'boolean' },
      'no-history': { type: 'boolean' },
      media: { type: 'string' },
      parallel: { type: 'string' },
      retries: { type: 'string' },
      'max-answer': { type: 'string' },
      state: { type: 'string' },
      report: { type: 'string' },
      accounts: { type: 'string' },
      'accounts-query': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return HELP;
  if (values['accounts-query']) return `${ACCOUNTS_QUERY}\n`;
  if (values.from === undefined)
    throw new Error('--from must say where the objects come from, such as https://netbox.example.com.');
  return {
    from: values.from,
    token: values.token,
    to: values.to,
    toToken: values['to-token'],
    dryRun: values['dry-run'] ?? false,
    deleteMany: values['delete-many'] ?? false,
    mapIds: values['map-ids'] ?? false,
    history: !values['no-history'],
    media: values.media,
    parallel: Math.max(1, wholeNumber('parallel', values.parallel, 4)),
    retries: wholeNumber('retries', values.retries, 8),
    maxAnswer: answerBytes(values['max-answer']),
    state: values.state,
    report: values.report,
    accounts: values.accounts,
  };
}
