import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type Agents, createAgents } from './connect/connector.ts';
import { createPolicy } from './connect/policy.ts';
import { retryDelay } from './retry.ts';
import { type Outcome, send } from './send.ts';

let server: Server;
let agents: Agents;
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await agents.close();
});

/** What comes of an attempt at a receiver that answers 503 and says when to come again. */
async function outcomeOf(retryAfter: string): Promise<Outcome> {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(503, { 'Retry-After': retryAfter }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  agents = createAgents({
    policy: createPolicy({ allowPrivate: true, allow: [], deny: [], allowOnly: false }),
    connectTimeoutMs: 5_000,
    connections: 1,
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return send(
    { method: 'POST', url, headers: [], body: Buffer.from('{}'), tls: { verify: true, caFile: null } },
    { agents, totalTimeoutMs: 20_000, maxResponseBytes: 10, maxRedirects: 0 },
  );
}
const options = { retries: 5, firstDelayMs: 1_000, maxDelayMs: 600_000 };

test('a receiver says in seconds when to come again', async () => {
  const outcome = await outcomeOf('120');
  expect(outcome.retryAfterMs).toBe(120_000);
  expect(retryDelay(outcome, 1, options)).toBe(120_000);
  // No receiver delays the next attempt beyond the limit of the settings, or shortens the usual pause.
  expect(retryDelay(outcome, 1, { ...options, maxDelayMs: 60_000 })).toBe(60_000);
  expect(retryDelay({ ...outcome, retryAfterMs: 1 }, 1, options, () => 1)).toBe(1_000);
});

test('or at which moment', async () => {
  const outcome = await outcomeOf(new Date(Date.now() + 300_000).toUTCString());
  expect(outcome.retryAfterMs).toBeGreaterThan(200_000);
  expect(outcome.retryAfterMs).toBeLessThanOrEqual(300_000);
});

test('a moment that has passed, and what is neither, means nothing', async () => {
  expect((await outcomeOf(new Date(0).toUTCString())).retryAfterMs).toBe(0);
  server.close();
  await agents.close();
  expect((await outcomeOf('soon')).retryAfterMs).toBeNull();
});

test('pauses double, are spread over their upper half, and have a bound', () => {
  const failed = { status: 503, error: { kind: 'status' as const, text: '' }, retryAfterMs: null };
  const pauses = (random: number) =>
    [1, 2, 3, 4, 5].map((attempt) => retryDelay(failed, attempt, { ...options, maxDelayMs: 10_000 }, () => random));
  expect(pauses(1)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000]);
  expect(pauses(0)).toEqual([500, 1_000, 2_000, 4_000, 5_000]);
  expect(retryDelay(failed, 6, options)).toBeNull();
});
