import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const SCHED_BATCH = 3;
const can =
  existsSync('/proc/self/stat') && spawnSync('chrt', ['-p', String(process.pid)], { stdio: 'ignore' }).status === 0;

/** The policy (field 41 of its stat) of a process that has asked for one, and that of a child which it started then. */
function policies(as: string): number[] {
  const field = `Number(readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[38])`;
  const program = `import { readFileSync } from 'node:fs'; import { execFileSync } from 'node:child_process'; import { schedule } from ${JSON.stringify(new URL('./scheduling.ts', import.meta.url).href)};
    schedule('${as}'); console.log(${field}); console.log(execFileSync(process.execPath, ['-p', ${JSON.stringify(`const { readFileSync } = require('node:fs'); ${field}`)}], { encoding: 'utf8' }));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    .stdout.trim()
    .split(/\s+/)
    .map(Number);
}

(can ? test : test.skip)(
  'a process that is scheduled as batch has children that are (needs Linux and chrt, which util-linux has)',
  () => {
    const [before] = policies('normal');
    expect(policies('batch')).toEqual([SCHED_BATCH, SCHED_BATCH]);
    expect(policies('normal')).toEqual([before, before]);
  },
);
