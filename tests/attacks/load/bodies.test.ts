import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { userWith } from '../../support/users.ts';
import { type Attack, everyday, expectCalm } from './p99.ts';

const used = useSystem();
const ATTACKERS = 200;

/** Requests whose bodies are sent byte by byte; each that is answered or cut off is followed by the next. */
const slowly =
  (base: string, head: (length: number) => string, length: number, first: number): Attack =>
  async ({ signal, count }) => {
    const { hostname, port } = new URL(base);
    const open = new Set<Socket>();
    const begin = () => {
      if (signal.aborted) return;
      const socket = connect(Number(port), hostname, () => {
        socket.write(head(length) + 'x'.repeat(first));
        count();
      });
      open.add(socket);
      const drip = setInterval(() => {
        if (socket.writable) socket.write('x');
      }, 500);
      const again = setTimeout(() => socket.destroy(), 30_000);
      socket
        .on('data', () => undefined)
        .on('error', () => undefined)
        .once('close', () => {
          clearInterval(drip);
          clearTimeout(again);
          open.delete(socket);
          setTimeout(begin, 100);
        });
    };
    for (let i = 0; i < ATTACKERS; i += 1) begin();
    while (!signal.aborted) await sleep(20);
    for (const socket of open) socket.destroy();
  };

test.each([
  ['small', 1_000, 1],
  ['large', 5_000_000, 100_000],
])('two hundred %s bodies that hardly come leave the service to others', async (_kind, length, first) => {
  const { client } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view', 'add'] });
  const head = (size: number) =>
    `POST /api/dcim/sites/ HTTP/1.1\r\nHost: h\r\nAuthorization: ${client.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
  await expectCalm({
    system: used.system,
    attack: slowly(used.system.base, head, length, first),
    others: everyday(used.admin),
    underway: ATTACKERS,
  });
});

test('nor do those of somebody whom nobody knows', async () => {
  const head = (size: number) =>
    `POST /api/users/tokens/provision/ HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
  await expectCalm({
    system: used.system,
    attack: slowly(used.system.base, head, 1_000, 1),
    others: everyday(used.admin),
    underway: ATTACKERS,
  });
});

test('one client has no more than its share of what a service can do at once', async () => {
  const { client } = await userWith(used.admin, { types: ['dcim.site'], actions: ['view'] });
  const statuses = await Promise.all(
    Array.from({ length: 600 }, async () => (await client.get('/api/dcim/sites/?limit=1')).status),
  );
  // Requests that found no place in the queue are told so; nothing else fails.
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect((await used.admin.get('/api/dcim/sites/?limit=1')).status).toBe(200);
});
