import { expect, test } from '@jest/globals';
import { freePort, freePorts, listenOn, lowest, unlisten } from './free-ports.ts';

test('free ports are different, can be listened on, and are none that connections get', async () => {
  const ports = await freePorts(50);
  expect(new Set(ports).size).toBe(50);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(lowest);
  const server = await listenOn(await freePort(), '127.0.0.1');
  await unlisten(server);
  const anyPort = await listenOn(0, '127.0.0.1');
  const given = (anyPort.address() as { port: number }).port;
  await unlisten(anyPort);
  expect(Math.max(...ports)).toBeLessThan(given);
});

test('none is a port that fetch refuses, whoever listens there', async () => {
  const refusal = (port: number): Promise<string> =>
    fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) }).then(
      () => '',
      (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
    );
  expect(await refusal(lowest - 1)).toBe('bad port');
  const [first = 0] = await freePorts(1, lowest, lowest + 1);
  expect(await refusal(first)).not.toBe('bad port');
});

test('what is taken is passed over; where nothing else is left, any port will do', async () => {
  const port = await freePort();
  const server = await listenOn(port, '127.0.0.1');
  try {
    const [other] = await freePorts(1, port, port + 1);
    expect(other).not.toBe(port);
    expect(other).toBeGreaterThan(0);
  } finally {
    await unlisten(server);
  }
});
