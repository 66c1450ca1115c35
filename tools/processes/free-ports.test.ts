import { expect, test } from '@jest/globals';
import { freePort, freePorts, listenOn, unlisten } from './free-ports.ts';

test('free ports are different, can be listened on, and are none that connections get', async () => {
  const ports = await freePorts(50);
  expect(new Set(ports).size).toBe(50);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(10_000);
  const server = await listenOn(await freePort(), '127.0.0.1');
  await unlisten(server);
  const anyPort = await listenOn(0, '127.0.0.1');
  const given = (anyPort.address() as { port: number }).port;
  await unlisten(anyPort);
  expect(Math.max(...ports)).toBeLessThan(given);
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
