import { existsSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import type { Jobs, TemplateJobs } from '../jobs/jobs.ts';
import { createPool, LimitError } from './pool.ts';

interface Waiting extends TemplateJobs, Jobs {
  wait: { job: { kind: 'wait'; ms: number }; result: string };
}
const pool = createPool<Waiting>({
  size: 1,
  timeoutMs: 100,
  memoryMb: 64,
  program: new URL('./fixtures/waiting.ts', import.meta.url),
});
afterAll(() => pool.close());

const loops =
  '{% for a in range(10000) %}{% for b in range(10000) %}{% for c in range(10000) %}{% endfor %}{% endfor %}{% endfor %}';
const endless = { kind: 'render' as const, texts: { body: loops }, context: '{}', maxOutput: 100 };

const telling = existsSync('/proc/self/stat') ? test : test.skip;

telling('what counts is what a job takes of the processor', async () => {
  expect(await pool.run({ kind: 'wait', ms: 400 })).toBe('timed-out');
  await expect(pool.run(endless)).rejects.toThrow('took more than 100 ms');
});

test('a worker that gives up before this process had a turn to end it has exceeded the limit all the same', async () => {
  await pool.run({ kind: 'wait', ms: 1 });
  const limit = expect(pool.run(endless)).rejects.toThrow(new LimitError('took more than 100 ms'));
  // Wait until the job is sent.
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
  await limit;
  expect(await pool.run({ kind: 'wait', ms: 1 })).toBe('timed-out');
});

test('a job that nobody waits for any more ends, whether it has begun or not, and gives its place to the next', async () => {
  const leaving = new AbortController();
  const jobs = [600_000, 600_001].map((ms) => pool.run({ kind: 'wait', ms }, leaving.signal));
  const next = pool.run({ kind: 'wait', ms: 1 });
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  leaving.abort();
  for (const job of jobs) await expect(job).rejects.toThrow('is no longer waited for');
  expect(await next).toBe('timed-out');
  await expect(pool.run({ kind: 'wait', ms: 1 }, leaving.signal)).rejects.toThrow('is no longer waited for');
});

test('by the clock it takes ten times that at most', async () => {
  await expect(pool.run({ kind: 'wait', ms: 600_000 })).rejects.toThrow('took more than 100 ms');
});

test('a job says on the way how far it is, to whoever has sent it', async () => {
  const words: unknown[] = [];
  await pool.run({ kind: 'wait', ms: 3 }, undefined, (word) => words.push(word));
  expect(words).toEqual(['waits for 3 ms']);
});
