import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Attack, crowd, expectCalm } from './load/p99.ts';

// A server that one client can slow down for all: the measurement must show that other users notice this attack.
let server: Server;
let base = '';
let slowMs = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    setTimeout(() => response.end('{}'), slowMs);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const attacked = (attack: Attack, requests: number) =>
  expectCalm({ attack, others: [{ url: `${base}/a` }, { url: `${base}/b` }], requests, limitMs: 300 });

test('what others do not feel passes, with its figures', async () => {
  slowMs = 0;
  // The slowest two are too few to matter: the first request of a thread also loads the code that sends it.
  const found = await attacked(
    (attacking) =>
      crowd(2, attacking, async () => {
        await fetch(base);
        attacking.count('requests');
        await sleep(5);
      }),
    200,
  );
  expect(found).toMatchObject({ requests: 200, wrong: [] });
  expect(found.blows['requests']).toBeGreaterThan(0);
});

test('what others feel does not, nor an attack that was none', async () => {
  await expect(
    attacked(async ({ signal, count }) => {
      slowMs = 400;
      count();
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
      slowMs = 0;
    }, 10),
  ).rejects.toThrow(/p99 is \d+ ms/);
  await expect(
    attacked(async ({ count }) => {
      count();
    }, 10),
  ).rejects.toThrow('The attack ended by itself.');
});
