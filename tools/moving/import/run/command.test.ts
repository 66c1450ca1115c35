import { type ChildProcess, execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Move, move, OURS, shown, THEIRS } from '../testing/moves.ts';

const program = resolve(import.meta.dirname, '../main.ts');
const moves: Move[] = [];
afterEach(async () => {
  await Promise.all(moves.splice(0).map((one) => one.end()));
});

const SITES = '/api/dcim/sites/';
const sites = (count: number) =>
  Array.from({ length: count }, (_, i) => shown(i + 1, { name: `s${i}`, slug: `s${i}` }));

interface Ended {
  code: number | string;
  out: string;
  err: string;
}

function start(words: string[], nodeOptions: string[] = []): { child: ChildProcess; ended: Promise<Ended> } {
  const env = { PATH: process.env['PATH'], DATA_DIR: '/nowhere' };
  let child: ChildProcess;
  const ended = new Promise<Ended>((done) => {
    child = execFile(process.execPath, [...nodeOptions, program, ...words], { env }, (error, out, err) =>
      done({ code: error ? (error.code ?? error.signal ?? 'failed') : 0, out, err }),
    );
  });
  return { child: child!, ended };
}
const wordsFor = ({ source, target, folder }: Move): string[] => [
  ...['--from', source.base, '--token', THEIRS, '--to', target.base, '--to-token', OURS],
  ...['--state', join(folder, 'state'), '--retries', '0'],
];

test('tells what came of it, writes a report, ends with 0 when everything is there and with 1 when something is missing', async () => {
  const one = await move({ [SITES]: sites(3) });
  moves.push(one);
  const first = await start(wordsFor(one)).ended;
  expect([first.code, first.err]).toEqual([0, expect.stringContaining('dcim.site: 3, all of them')]);
  expect(first.out).toContain('3 are new, 0 changed, 0 deleted. Nothing is missing.');
  const file = join(one.folder, 'report.json');
  one.lists['/api/vpn/tunnels/'] = [shown(7)];
  const second = await start([...wordsFor(one), '--report', file]).ended;
  expect([second.code, second.out]).toEqual([
    1,
    expect.stringContaining('vpn/tunnels: 1 cannot come along\n  7 no. 7: is of a type that is not here'),
  ]);
  expect(second.out).toContain('Nothing changed: everything was there already. 1 objects are missing.');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ conflicts: [], types: expect.any(Array) });
  // What is kept there may be secret.
  expect(statSync(join(one.folder, 'state')).mode & 0o077).toBe(0);
});

test('goes on where it was after it was killed; nothing is there twice', async () => {
  let child: ChildProcess | undefined;
  let posts = 0;
  const one = await move(
    { [SITES]: sites(4000) },
    {
      target: {
        instead(request) {
          if (request.method === 'POST' && (posts += 1) === 5) child?.kill('SIGKILL');
          return false;
        },
      },
    },
  );
  moves.push(one);
  const killed = start(wordsFor(one));
  child = killed.child;
  expect((await killed.ended).code).toBe('SIGKILL');
  const before = one.target.objects('dcim.site').size;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(4000);
  const { code, out } = await start(wordsFor(one)).ended;
  expect([code, out]).toEqual([0, expect.stringContaining('This went on with an import')]);
  expect(one.target.objects('dcim.site').size).toBe(4000);
  expect(posts).toBeLessThanOrEqual(11);
});

test('needs no more memory for many objects than for few', async () => {
  const [count, heapMb] = [50_000, 72];
  const comments = 'x'.repeat(2_000);
  const one = await move(
    { [SITES]: [] },
    {
      source: {
        instead(request, response, path) {
          if (path !== SITES) return false;
          const start = new URL(request.url!, 'http://any').searchParams.get('start');
          const from = Math.max(Number(start), 1);
          const results = Array.from({ length: start === null ? 1 : Math.min(1000, count + 1 - from) }, (_, i) =>
            shown(from + i, { name: `s${from + i}`, slug: `s${from + i}`, comments }),
          );
          const next = from + 1000 <= count ? `http://any${SITES}?start=${from + 1000}` : null;
          response.end(JSON.stringify({ count, next, previous: null, results }));
          return true;
        },
      },
      target: {
        instead(request, response, body) {
          if (request.method !== 'POST') return false;
          const { objects } = JSON.parse(body) as { objects: { id: number }[] };
          response.end(JSON.stringify({ results: objects.map(({ id }) => ({ id, outcome: 'created' })) }));
          return true;
        },
      },
    },
  );
  moves.push(one);
  // All of them would be more than 100 MB.
  const { code, out } = await start(wordsFor(one), [`--max-old-space-size=${heapMb}`]).ended;
  expect([code, out]).toEqual([0, expect.stringContaining(`${count} are new`)]);
}, 120_000);

test.each<[string, (move: Move) => string[], RegExp]>([
  ['no source', () => [], /--from must say/],
  ['no token', ({ source }) => ['--from', source.base], /--to http|A token for/],
  ['no number', ({ source }) => ['--from', source.base, '--parallel', 'many'], /--parallel must be a number/],
  ['a source that is none', (one) => [...wordsFor(one), '--from', one.target.base], /answered with 403/],
])('ends with 2 and a reason: %s', async (_, words, reason) => {
  const one = await move({ [SITES]: [] });
  moves.push(one);
  const { code, err } = await start(words(one)).ended;
  expect([code, err]).toEqual([2, expect.stringMatching(reason)]);
});

test('another import in the same folder is not disturbed', async () => {
  const [one, other] = [await move({ [SITES]: sites(1) }), await move({ [SITES]: sites(1) })];
  moves.push(one, other);
  const dying = await move(
    { [SITES]: sites(1) },
    { source: { instead: (request) => request.url!.includes('start=') && Boolean(request.socket.destroy()) } },
  );
  moves.push(dying);
  expect((await start(wordsFor(dying)).ended).code).toBe(2);
  const { code, err } = await start([...wordsFor(other), '--state', join(dying.folder, 'state')]).ended;
  expect([code, err]).toEqual([2, expect.stringContaining('that is not over')]);
});
