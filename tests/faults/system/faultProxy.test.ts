import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';

let echo: Server;
let proxy: FaultProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined).pipe(socket);
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  proxy = await startFaultProxy(() => (echo.address() as { port: number }).port);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.close();
  echo.close();
});

async function enter(): Promise<Socket> {
  const client = connect(proxy.port, '127.0.0.1');
  clients.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  return client;
}

const closed = (client: Socket): Promise<void> =>
  new Promise((resolve) => {
    client.once('close', () => resolve());
  });

async function echoed(client: Socket, text: string): Promise<string> {
  client.write(text);
  return String((await once(client, 'data'))[0]);
}

test('what is sent arrives, and what is answered comes back', async () => {
  expect(await echoed(await enter(), 'hello')).toBe('hello');
});

test('a cut ends what is open, all or some, and lets others in', async () => {
  const [first, second] = [await enter(), await enter()];
  await Promise.all([echoed(first, 'a'), echoed(second, 'b')]);
  let asked = 0;
  const ended = closed(first);
  expect(proxy.cut(() => asked++ === 0)).toBe(1);
  await ended;
  expect(await echoed(second, 'still here')).toBe('still here');
  const all = closed(second);
  expect(proxy.cut()).toBe(1);
  await all;
  expect(await echoed(await enter(), 'new')).toBe('new');
});

test('while it is held nothing passes, in old connections and new ones, and afterwards everything does', async () => {
  const old = await enter();
  await echoed(old, 'a');
  proxy.hold(true);
  const fresh = await enter();
  const got: string[] = [];
  for (const client of [old, fresh]) client.on('data', (data) => got.push(String(data)));
  old.write('old');
  fresh.write('new');
  await sleep(200);
  expect(got).toEqual([]);
  proxy.hold(false);
  while (got.length < 2) await sleep(10);
  expect(got.sort()).toEqual(['new', 'old']);
});

test('what is forgotten stays silent for ever, and others are let in', async () => {
  const old = await enter();
  const got: string[] = [];
  await echoed(old, 'a');
  proxy.forget();
  old.on('data', (data) => got.push(String(data))).on('close', () => got.push('closed'));
  old.write('old');
  expect(await echoed(await enter(), 'new')).toBe('new');
  await sleep(200);
  expect(got).toEqual([]);
});
