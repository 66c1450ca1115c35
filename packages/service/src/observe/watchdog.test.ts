import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { enterStage } from '../request/current-work.ts';
import { withRequestId } from '../request/request-context.ts';
import { watchTurns } from './watchdog.ts';

let stop = () => {};
afterEach(() => stop());

/** What a watchdog with a short limit reports of some work. */
async function watched(work: () => void | Promise<void>): Promise<{ logged: object[]; counted: string }> {
  const logged: object[] = [];
  const registry = new Registry();
  ({ stop } = watchTurns({ log: { warn: (what: object) => logged.push(what) } as never, registry, turnMs: 200 }));
  await sleep(120);
  await work();
  await sleep(120);
  return { logged, counted: await registry.getSingleMetricAsString('event_loop_long_turns_total') };
}

/** Uses the processor for this long, in milliseconds of processor time. */
function compute(ms: number): void {
  const used = (): number => process.threadCpuUsage().user / 1000;
  for (const until = used() + ms; used() < until; );
}

const response = {
  req: { method: 'POST', url: '/dcim/sites/import/?a=secret', headers: { 'x-request-id': 'id' } },
  locals: { route: '/pages' },
};

test('a turn that takes too long is told and counted, with the step that began last', async () => {
  const { logged, counted } = await watched(() =>
    withRequestId('id', () => {
      enterStage('arrival', response as never);
      enterStage('reading');
      compute(400);
    }),
  );
  expect(logged).toEqual([
    {
      ms: expect.any(Number),
      cpu_ms: expect.any(Number),
      route: '/pages',
      stage: 'reading',
      method: 'POST',
      path: '/dcim/sites/import/',
      request_id: 'id',
    },
  ]);
  expect((logged[0] as { ms: number }).ms).toBeGreaterThan(390);
  expect(counted).toContain('event_loop_long_turns_total{route="/pages",stage="reading"} 1');
});

test('a step is of the request that it belongs to, when another one has come meanwhile', async () => {
  let goOn = (): void => {};
  const paused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { logged } = await watched(async () => {
    const first = withRequestId('id', async () => {
      enterStage('arrival', response as never);
      await paused;
      enterStage('reading');
      compute(400);
    });
    withRequestId('other', () => enterStage('arrival', { ...response, locals: { route: '/other' } } as never));
    goOn();
    await first;
  });
  expect(logged).toEqual([expect.objectContaining({ route: '/pages', stage: 'reading' })]);
});

test('without a step nobody is blamed', async () => {
  const { logged } = await watched(() => compute(400));
  expect(logged).toEqual([expect.objectContaining({ route: 'none', stage: 'unknown' })]);
});

test('shorter turns, and time in which the process computes nothing, are not told', async () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (const work of [() => compute(20), () => Atomics.wait(cell, 0, 0, 600)])
    expect((await watched(work)).logged).toEqual([]);
});
