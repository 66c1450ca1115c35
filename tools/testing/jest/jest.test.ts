import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'cadastre-jest-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Results {
  testResults: { name: string; assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
}

describe('files of tests', () => {
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'tested.ts': 'export const loaded = { times: 0 as number };',
    'testing/setUp.ts': `import { beforeAll } from '@jest/globals';
      import { loaded } from '../tested.ts';
      export const seen: number[] = [];
      beforeAll(() => { loaded.times += 1; seen.push(loaded.times); });`,
    ...Object.fromEntries(
      ['a', 'b'].map((name) => [
        `${name}.test.ts`,
        `import { expect, jest, test } from '@jest/globals';
        import { seen } from './testing/setUp.ts';
        test('time', () => {
          process.stderr.write('seen ' + seen.join() + ';');
          jest.useFakeTimers({ now: 0 });
          console.log('quiet');
          expect(Date.now()).toBe(0);
        });
        test('fails', () => { expect('${name}').toBe('c'); });`,
      ]),
    ),
  };
  let said = '';
  let results: Results;
  beforeAll(() => {
    mkdirSync(join(folder, 'testing'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const config = join(folder, 'jest.config.mjs');
    writeFileSync(
      config,
      `import all from ${JSON.stringify(join(root, 'jest.config.js'))};
      export default { ...all, rootDir: ${JSON.stringify(root)}, roots: [${JSON.stringify(folder)}], testMatch: ['**/*.test.ts'],
        globalSetup: undefined, globalTeardown: undefined };`,
    );
    const output = join(folder, 'results.json');
    try {
      execFileSync(
        process.execPath,
        [
          '--experimental-vm-modules',
          join(root, 'node_modules/jest/bin/jest.js'),
          ...['--config', config, '--runInBand', '--json', '--outputFile', output],
        ],
        // Where this is run by a jest that writes in colour, the one within would do so, too.
        {
          cwd: root,
          encoding: 'utf8',
          stdio: ['ignore', 'ignore', 'pipe'],
          env: { ...process.env, FORCE_COLOR: '0' },
        },
      );
    } catch (error) {
      said = (error as { stderr: string }).stderr;
    }
    results = JSON.parse(readFileSync(output, 'utf8')) as Results;
  });

  test('share what they test, and have what is only for tests to themselves', () => {
    expect([...said.matchAll(/seen ([\d,]*);/g)].map(([, seen]) => seen).toSorted()).toEqual(['1', '2']);
  });

  test('pass and fail each for itself, and a failure says where', () => {
    expect(
      results.testResults
        .map(({ name, assertionResults }) => [
          name.slice(-9),
          ...assertionResults.map(({ title, status }) => `${title} ${status}`),
        ])
        .toSorted(),
    ).toEqual([
      ['a.test.ts', 'time passed', 'fails failed'],
      ['b.test.ts', 'time passed', 'fails failed'],
    ]);
    expect(said).toMatch(/> \d+ \|.*expect\('a'\)\.toBe\('c'\)/);
    const told = results.testResults.flatMap(({ assertionResults }) => assertionResults[1]!.failureMessages).join();
    expect(told).toMatch(/b\.test\.ts:9:/);
    expect(told).not.toMatch(/\?file=/);
  });

  test('leave neither their clock nor their console behind', () => {
    expect(said).not.toMatch(/Cannot log after tests are done|Jest did not exit/);
    expect(said).toMatch(/Time: +\d/);
  });
});

test('files that start a system of their own are called so', () => {
  const begins = /\b(?:startSystem|startWith\w+|useSso)\(/;
  const files = ['services', 'tools', 'tests']
    .flatMap((part) => globSync(`${part}/**/*.test.ts`, { cwd: root }))
    // In a browser, with load or on a broker of their own they are apart anyway.
    .filter((file) => !/^tests\/(browser|attacks\/load)\/|kafka|^tools\/testing\/jest\//.test(file));
  const named = files.filter((file) => file.endsWith('.system.test.ts'));
  const beginning = files.filter((file) => begins.test(readFileSync(join(root, file), 'utf8')));
  expect(beginning.filter((file) => !named.includes(file))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});
