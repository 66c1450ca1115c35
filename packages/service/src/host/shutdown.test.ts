import { expect, test } from '@jest/globals';
import { createLog } from '../observe/log.ts';
import { createClosing } from './shutdown.ts';

const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });

test('what was opened last is closed first, once, and a failing step stops none', async () => {
  const order: string[] = [];
  const closing = createClosing(log);
  closing.onClose('database', () => order.push('database'));
  closing.onClose('faulty', () => {
    throw new Error('x');
  });
  closing.onClose('http', async () => {
    order.push('http');
  });
  const [first, second] = await Promise.all([closing.close(1_000), closing.close(1_000)]);
  expect([first, second, order, closing.signal.aborted]).toEqual([true, true, ['http', 'database'], true]);
});

test('a step that hangs is left behind', async () => {
  const order: string[] = [];
  const closing = createClosing(log);
  closing.onClose('database', () => order.push('database'));
  closing.onClose('hangs', () => new Promise(() => undefined));
  expect(await closing.close(50)).toBe(false);
  expect(order).toEqual(['database']);
});
