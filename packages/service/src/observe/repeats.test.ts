import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { limitRepeats } from './repeats.ts';

const everyMs = 50;
interface Line {
  msg: string;
  level: number;
  request_id?: string;
  times?: number;
  err?: { type: string; stack: string };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function logging(forgottenMs = 60_000) {
  const lines: Line[] = [];
  const log = pino(
    { hooks: { logMethod: limitRepeats({ everyMs, forgottenMs }) }, level: 'debug', base: {}, timestamp: false },
    {
      write: (line) => {
        lines.push(JSON.parse(line) as Line);
      },
    },
  );
  return { lines, log };
}
const away = (port = 5432) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

test('the same error is told in full once, then shortly with a count that leaves none out', async () => {
  const { lines, log } = logging();
  const began = Date.now();
  for (let i = 0; i < 300; i += 1) {
    log.error({ err: away(i), request_id: `r-${i}`, url: `/api/${i}` }, 'request failed');
    if (i % 100 === 99) await jest.advanceTimersByTimeAsync(2 * everyMs);
  }
  await jest.advanceTimersByTimeAsync(3 * everyMs);
  expect(lines[0]).toMatchObject({
    msg: 'request failed',
    request_id: 'r-0',
    err: { type: 'Error', stack: expect.stringContaining('\n    at ') },
  });
  const later = lines.slice(1);
  expect(later.length).toBeLessThanOrEqual((Date.now() - began) / everyMs + 1);
  for (const line of later)
    expect(line).toMatchObject({
      msg: 'request failed',
      level: 50,
      times: expect.any(Number),
      err: { type: 'Error', code: 'ECONNREFUSED', stack: '', message: expect.stringContaining('ECONNREFUSED') },
    });
  expect(later.reduce((sum, { times }) => sum + times!, 1)).toBe(300);
  expect(lines.at(-1)!.request_id).toBe('r-299');
});

test('another error, another service, another message are told by themselves', () => {
  const { lines, log } = logging();
  log.warn({ err: away(), to: 'dcim' }, 'a service did not answer');
  log.warn({ err: away(), to: 'ipam' }, 'a service did not answer');
  log.warn({ err: new Error('other'), to: 'ipam' }, 'a service did not answer');
  log.warn({ err: away(), to: 'ipam' }, 'something else');
  log.error({ err: away(), to: 'ipam' }, 'something else');
  log.error(new AggregateError([away()]), 'of several addresses');
  log.error(new AggregateError([new Error('other')]), 'of several addresses');
  expect(lines).toHaveLength(7);
});

test('what is told by its reason counts too; what tells no error, or is fatal, or is looked for closely, is left alone', async () => {
  const { lines, log } = logging();
  for (let i = 0; i < 3; i += 1) {
    log.warn({ reason: 'no connection', status: 503 }, 'request not served');
    log.warn({ client: '192.0.2.1' }, 'a login failed');
    log.fatal({ err: away() }, 'cannot start');
    log.debug({ err: away() }, 'looked at closely');
    log.info('plain');
  }
  const count = (msg: string) => lines.filter((line) => line.msg === msg).length;
  expect(['request not served', 'a login failed', 'cannot start', 'looked at closely', 'plain'].map(count)).toEqual([
    1, 3, 3, 3, 3,
  ]);
  await jest.advanceTimersByTimeAsync(3 * everyMs);
  expect(lines.filter(({ msg }) => msg === 'request not served').map(({ times }) => times)).toEqual([undefined, 2]);
});

test('what has not come up for long is told in full again', async () => {
  // What is remembered has a clock of its own (lru-cache keeps the one that it was loaded with).
  jest.useRealTimers();
  const { lines, log } = logging(everyMs);
  log.error(away());
  await sleep(3 * everyMs);
  log.error(away());
  expect(lines.map(({ err }) => err?.stack !== '')).toEqual([true, true]);
});

test('what a timeout throws is told again like any other error', async () => {
  const { lines, log } = logging();
  for (let i = 0; i < 3; i += 1) log.warn({ err: new DOMException('late', 'TimeoutError') }, 'no answer');
  await jest.advanceTimersByTimeAsync(3 * everyMs);
  expect(lines.map(({ err, times }) => [err, times])).toMatchObject([
    [
      { type: 'DOMException', message: 'late', name: 'TimeoutError', stack: expect.stringContaining('late') },
      undefined,
    ],
    [{ type: 'DOMException', message: 'late', name: 'TimeoutError', stack: '' }, 2],
  ]);
});
