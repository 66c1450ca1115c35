import { afterAll, expect, test } from '@jest/globals';
import { createPool } from '@cadastre/templates';
import { program, type WebhookJobs } from './jobs.ts';

const pool = createPool<WebhookJobs>({ size: 2, timeoutMs: 250, memoryMb: 64, program });
afterAll(() => pool.close());

test('a catastrophic pattern in a condition is stopped; the others go on', async () => {
  const conditions = JSON.stringify({ attr: 'text', op: 'regex', value: '(a+)+$' });
  const slow = pool.run({
    kind: 'conditions',
    conditions,
    maxPattern: 100,
    data: JSON.stringify([{ text: `${'a'.repeat(64)}!` }]),
  });
  await expect(slow).rejects.toThrow('took more than 250 ms');
  const quick = pool.run({
    kind: 'conditions',
    conditions,
    maxPattern: 100,
    data: JSON.stringify([{ text: 'aaa' }, { text: 'b' }, {}]),
  });
  expect(await quick).toEqual([true, false, false]);
});
