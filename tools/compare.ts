// `npm run compare`: proves that two installations hold the same, or says where they differ.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { compare } from './compare/compare.ts';
import { reportJson, reportOf } from './compare/report.ts';
import { isEqual } from './compare/tally.ts';
import { wholeNumber } from './moving/options.ts';
import { type Reader, readerOf } from './moving/reader.ts';
import { authorizationOf, systemWithToken } from './system.ts';

const HELP = `npm run compare -- --from https://netbox.example.com --token <theirs> [--to http://localhost:8000] [--to-token <ours>]

Reads every list of two installations (NetBox 4.2 to 4.6, or Cadastre) and compares every field of every object. Where
addresses begin is no difference. Without --to it is the system that npm start runs on DATA_DIR. The tokens are those of
users who may see everything; CADASTRE_FROM_TOKEN and CADASTRE_TOKEN may be set instead of the options.

  --only <words>     apps or lists, separated by commas: dcim,ipam/prefixes
  --ignore <fields>  fields that do not count: last_updated,dcim/devices:config_context
  --parallel <n>     so many lists at the same time (4)
  --report <file>    everything that was found, as JSON
  --retries <n>      how often a request is sent again that failed (8)

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
      report: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.from === undefined)
    throw new Error('--from must say what to compare with, such as https://netbox.example.com.');
  const retries = wholeNumber('retries', values.retries, 8);
  const parallel = Math.max(1, wholeNumber('parallel', values.parallel, 4));
  const reader = (...asked: Parameters<typeof systemWithToken>): Reader => {
    const { url, token } = systemWithToken(...asked);
    return readerOf(url, { authorization: authorizationOf(token), retries });
  };
  const left = reader(
    { url: values.from, token: values.token },
    { CADASTRE_TOKEN: process.env['CADASTRE_FROM_TOKEN'] },
    { url: '--from', token: '--token' },
  );
  const right = reader({ url: values.to, token: values['to-token'] }, process.env, {
    url: '--to',
    token: '--to-token',
  });
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
    ignore: words(values.ignore),
    parallel,
    progress: ({ list, done, total }) => {
      bar.setTotal(total);
      bar.update(done, { list });
    },
  }).finally(() => bar.stop());
  process.stdout.write(`\n${reportOf(tallies, [left.base, right.base])}\n`);
  if (values.report !== undefined) writeFileSync(values.report, reportJson(tallies));
  if (tallies.some(({ problem }) => problem !== undefined)) return 2;
  return tallies.every(isEqual) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
