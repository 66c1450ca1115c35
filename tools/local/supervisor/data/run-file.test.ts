import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeProcess, isAlive } from '../../processes/identify.ts';
import { takeOver } from './run-file.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cadastre-runfile-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));
const sleeper = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

test('a leftover service is ended, a process that only has its old id is not', async () => {
  const [leftover, stranger] = [sleeper(), sleeper()];
  const started = describeProcess(leftover.pid!)!.started;
  writeFileSync(
    join(dataDir, 'run.json'),
    JSON.stringify({
      supervisor: { name: 'supervisor', pid: 4_194_305, started: 'x' },
      port: 1,
      services: [
        { name: 'dcim', pid: leftover.pid, started },
        { name: 'tenancy', pid: leftover.pid, started },
        { name: 'ipam', pid: stranger.pid, started: 'another time' },
      ],
    }),
  );
  await takeOver(dataDir, 8000);
  expect([isAlive(leftover.pid!), isAlive(stranger.pid!)]).toEqual([false, true]);
  stranger.kill();
});

test('a supervisor that lives keeps its installation', async () => {
  const other = sleeper();
  writeFileSync(
    join(dataDir, 'run.json'),
    JSON.stringify({
      supervisor: { name: 'supervisor', pid: other.pid, started: describeProcess(other.pid!)!.started },
      port: 8000,
      services: [],
    }),
  );
  await expect(takeOver(dataDir, 8000)).rejects.toThrow(`process ${other.pid}, port 8000`);
  other.kill();
});

test('a file that cannot be read does not stop a start; what runs is noted', async () => {
  writeFileSync(join(dataDir, 'run.json'), '{');
  const file = await takeOver(dataDir, 8000);
  file.note(['dcim', 'ipam'], process.pid, 'http://127.0.0.1:1');
  expect(JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'))).toMatchObject({
    port: 8000,
    supervisor: { pid: process.pid },
    services: ['dcim', 'ipam'].map((name) => ({ name, pid: process.pid, operations: 'http://127.0.0.1:1' })),
  });
});
