// Reads what jest wrote. Prints how many tests passed, failed and were skipped, tells on the standard error output which
// files took longest, and adds the failures, shortened, to a file.
//   node .ci/results.mjs RESULTS here|later FAILURES NAME
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const [results, pending, failures, name] = process.argv.slice(2);
/** How many failures are shown of a run, and of each how many lines. */
const SHOWN = 30, LINES = 14;
/** How many of the slowest files are told. */
const SLOWEST = 10;

let run = {};
try { run = JSON.parse(readFileSync(results, 'utf8')); } catch { appendFileSync(failures, `● ${name}: it did not come to its end\n`); }
const files = run.testResults ?? [];

/** What a message says, without the places it comes from. */
const short = (message) => stripVTControlCharacters(message).split('\n').filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).slice(0, LINES).map((line) => `    ${line.slice(0, 200)}`).join('\n');
const failed = files.flatMap((file) => {
  const path = relative(process.cwd(), file.name), tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (file.status === 'failed' && tests.length === 0) return [`● ${path}\n${short(file.message)}`];
  return tests.map((test) => `● ${path} › ${test.fullName}\n${short(test.failureMessages[0] ?? '')}`);
});
for (const one of failed.slice(0, SHOWN)) appendFileSync(failures, `${one}\n`);
if (failed.length > SHOWN) appendFileSync(failures, `… and ${failed.length - SHOWN} more\n`);

const seconds = ({ startTime, endTime }) => Math.round((endTime - startTime) / 1000);
const slowest = files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, SLOWEST);
if (slowest.length > 0) console.error(`slowest files:\n${slowest.map((file) => `${String(seconds(file)).padStart(6)} s  ${relative(process.cwd(), file.name)}`).join('\n')}`);

// With `later`, the tests on Kafka are run by another step.
const skipped = files.filter((file) => pending !== 'later' || !/kafka/.test(file.name)).flatMap((file) => file.assertionResults).filter((test) => test.status === 'pending' || test.status === 'todo').length;
console.log(run.numPassedTests ?? 0, (run.numFailedTests ?? 0) + (run.numRuntimeErrorTestSuites ?? 0), skipped);
