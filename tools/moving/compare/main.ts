// `npm run compare`: proves that two installations hold the same, or says where they differ.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCatalogue } from '@cadastre/model';
import { SingleBar } from 'cli-progress';
import { compare } from './compare.ts';
import { databaseSides } from './database.ts';
import { reportJson, reportOf } from './report.ts';
import { apiSide, type Side } from './side.ts';
import { isEqual } from './tally.ts';
import { databaseSource } from '../import/sources/database/source.ts';
import { isDatabase } from '../import/sources/from.ts';
import { answerBytes, wholeNumber } from '../options.ts';
import { type Reader, readerOf } from '../reader.ts';
import { authorizationOf, systemWithToken } from '../../command/system.ts';

const HELP = `npm run compare -- --from https://netbox.example.com --token <theirs> [--to http://localhost:8000] [--to-token <ours>]

Reads every list of two installations (NetBox 4.2 to 4.6, or Cadastre) and compares every field of every object. Where
addresses begin is no difference. With --from postgres://user:password@host/netbox the tables of NetBox 4.6 are read
instead of its API, and compared is what they hold; CADASTRE_FROM may be set instead, to keep the password off the
command line. Without --to it is the system that npm start runs on DATA_DIR. The tokens are those of
users who may see everything; CADASTRE_FROM_TOKEN and CADASTRE_TOKEN may be set instead of the options.

  --only <words>     apps or lists, separated by commas: dcim,ipam/prefixes
  --ignore <fields>  fields that do not count: last_updated,dcim/devices:config_context
  --parallel <n>     so many lists at the same time (4)
  --report <file>    everything that was found, as JSON
  --retries <n>      how often a request is sent again that failed (8)
  --max-answer <n>   how many MiB one answer may have, unpacked (256)

Of the change log and the security events the second installation may have more, which happened there.

Ends with 0 when both have the same, with 1 when they differ, with 2 when it could not be found out.
`;

const words = (text: string | undefined): string[] => (text ?? '').split(',').filter((word) => word !== '');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      token: { type: 'string' },
      to: { type: 'string' },
      'to-token': { type: 'string' },
      only: { type: 'string' },
      ignore: { type: 'string' },
      parallel: { type: 'string' },
      retries: { type: 'string' },
      'max-answer': { type: 'string' },
      report: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const from = values.from ?? (process.env['CADASTRE_FROM'] || undefined);
  if (from === undefined) throw new Error('--from must say what to compare with, such as https://netbox.example.com.');
  const retries = wholeNumber('retries', values.retries, 8);
  const maxBytes = answerBytes(values['max-answer']);
  const parallel = Math.max(1, wholeNumber('parallel', values.parallel, 4));
  const reader = (...asked: Parameters<typeof systemWithToken>): Reader => {
    const { url, token } = systemWithToken(...asked);
    return readerOf(url, { authorization: authorizationOf(token), retries, maxBytes });
  };
  const target = (): Side =>
    apiSide(reader({ url: values.to, token: values['to-token'] }, process.env, { url: '--to', token: '--to-token' }));
  const database = isDatabase(from) ? await databaseAt(from, parallel) : undefined;
  const [left, right] = database
    ? await database.beside(target()).catch(async (error: unknown) => {
        await database.close();
        throw error;
      })
    : [
        apiSide(
          reader(
            { url: from, token: values.token },
            { CADASTRE_TOKEN: process.env['CADASTRE_FROM_TOKEN'] },
            { url: '--from', token: '--token' },
          ),
        ),
        target(),
      ];
  const bar = new SingleBar({
    format: '{bar} {value} of {total} objects  {list}',
    hideCursor: true,
    barsize: 30,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  bar.start(1, 0, { list: '' });
  const tallies = await compare({
    left,
    right,
    only: words(values.only),
    // The display name of an object cannot be derived from its tables alone.
    ignore: [...words(values.ignore), ...(database ? ['display'] : [])],
    parallel,
    progress: ({ list, done, total }) => {
      bar.setTotal(total);
      bar.update(done, { list });
    },
  }).finally(async () => {
    bar.stop();
    await database?.close();
  });
  process.stdout.write(`\n${reportOf(tallies, [left.base, right.base])}\n`);
  if (values.report !== undefined) writeFileSync(values.report, reportJson(tallies));
  if (tallies.some(({ problem }) => problem !== undefined)) return 2;
  return tallies.every(isEqual) ? 0 : 1;
}

/** A NetBox's tables. */
async function databaseAt(url: string, parallel: number) {
  const catalogue = await loadCatalogue(resolve(import.meta.dirname, '../../../services'));
  const source = await databaseSource(url, { models: catalogue.models, connections: parallel });
  return { beside: (api: Side) => databaseSides(source, api, catalogue), close: () => source.close() };
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
