import { existsSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import type { Jobs, TemplateJobs } from './jobs.ts';
import { createPool } from './pool.ts';

interface Waiting extends TemplateJobs, Jobs { wait: { job: { kind: 'wait'; ms: number }; result: string } }
const pool = createPool<Waiting>({ size: 1, timeoutMs: 100, memoryMb: 64, program: new URL('./fixtures/waiting.ts', import.meta.url) });
afterAll(() => pool.close());

const telling = existsSync('/proc/self/stat') ? test : test.skip;

telling('what counts is what a job takes of the processor', async () => {
  expect(await pool.run({ kind: 'wait', ms: 400 })).toBe('timed-out');
  const loops = '{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}';
  await expect(pool.run({ kind: 'render', texts: { body: loops }, context: '{}', maxOutput: 100 })).rejects.toThrow('took more than 100 ms');
});

test('by the clock it takes ten times that at most', async () => {
  await expect(pool.run({ kind: 'wait', ms: 600_000 })).rejects.toThrow('took more than 100 ms');
});
