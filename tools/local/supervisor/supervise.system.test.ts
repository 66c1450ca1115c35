import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, listenOn, unlisten } from '../processes/free-ports.ts';
import { isAlive } from '../processes/identify.ts';
import { eventually } from '../../../tests/support/eventually.ts';
import { type Installation, installation, type Start } from './fixtures/installation.ts';
import { findRunning } from './data/run-file.ts';

const ready = 'Cadastre is ready';
/** Five seconds, and what a machine with much else to do takes to notice that they are over. */
const atMostMs = 15_000;
let place: Installation;
let running: Start;
const gone = (pids: readonly number[]) => eventually(() => expect(pids.filter(isAlive)).toEqual([]));
/** How many rows the fixture's table has, after one more was written; retried while things come back. */
const write = (): Promise<number> =>
  eventually(async () => {
    const response = await place.get('/proxy/dcim/write');
    if (!response.ok) throw new Error(`cannot write: ${await response.text()}`);
    return ((await response.json()) as [{ count: number }])[0].count + 1;
  });

beforeAll(async () => {
  place = await installation();
  running = place.start();
  await running.prints(ready);
});
afterAll(() => place.clear());

test('the first start shows generated credentials, and nobody else can read what is kept', async () => {
  expect(running.output()).toMatch(/login +admin \/ \w{16}\n/);
  expect(running.output()).toMatch(/API token +\w{40}\n/);
  const file = join(place.dataDir, 'secrets.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await eventually(() =>
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual([
      'SERVICE_SECRET',
      'API_TOKEN_PEPPERS',
      'IDENTITY_KEY',
      'SERVICE_KEYS',
      'SECRETS_KEYS',
      'FACTOR_KEYS',
    ]),
  );
});

test('each service gets the secrets and keys that are its own', async () => {
  const env = (await (await place.get('/environment')).json()) as Record<string, string>;
  expect(env).toMatchObject({ HTTP_PORT: String(place.port), DCIM_HTTP_URL: expect.stringContaining('127.0.0.1') });
  for (const name of [
    'API_TOKEN_PEPPERS',
    'SECRETS_KEYS',
    'FACTOR_KEYS',
    'SUPERUSER_PASSWORD',
    'SUPERUSER_API_TOKEN',
    'DATABASE_URL',
  ])
    expect(env).not.toHaveProperty(name);
  const other = (await (await place.get('/proxy/dcim/environment')).json()) as Record<string, string>;
  const kept = JSON.parse(readFileSync(join(place.dataDir, 'secrets.json'), 'utf8')) as {
    IDENTITY_KEY: string;
    SERVICE_KEYS: Record<string, string>;
  };
  expect([env.IDENTITY_KEY, env.SERVICE_KEY, other.SERVICE_KEY]).toEqual([
    kept.IDENTITY_KEY,
    kept.SERVICE_KEYS.gateway,
    kept.SERVICE_KEYS.dcim,
  ]);
  for (const name of ['SERVICE_SECRET', 'IDENTITY_KEY'])
    expect([typeof env[name], typeof other[name]]).toEqual(['string', 'undefined']);
});

test('a service gets into its own database and no other', async () => {
  expect(await (await place.get('/proxy/dcim/database')).json()).toEqual({
    role: 'cadastre_dcim',
    super: false,
    enters: ['cadastre_dcim', 'template1'],
  });
});

test('a service that crashes is started again, and the log says why', async () => {
  await place.get('/crash').catch(() => undefined);
  await running.prints('service gateway ended (exit code 1)');
  expect(running.output()).toContain('uncaught exception: asked to crash');
  process.kill(place.pids().dcim!, 'SIGKILL');
  await running.prints('service dcim ended (SIGKILL)');
  expect(await write()).toBe(1);
});

test('PostgreSQL is started again too', async () => {
  process.kill(place.postgresPid(), 'SIGKILL');
  await running.prints('PostgreSQL ended (SIGKILL)');
  expect(await write()).toBe(2);
});

test('a second start says that the first is running, and a start elsewhere that the port is taken', async () => {
  const second = place.start();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(
    `running already on ${place.dataDir} (process ${running.process.pid}, port ${place.port})`,
  );
  const elsewhere = await installation();
  const third = elsewhere.start({ PORT: String(place.port) });
  expect(await third.ended).toBe(1);
  expect(third.output()).toContain(`Port ${place.port} is in use`);
  await elsewhere.clear();
});

test('in one process, a service that fails is told by name, and all are started again', async () => {
  const fresh = await installation();
  const start = fresh.start({ PROCESSES: '1' });
  try {
    await start.prints(ready);
    expect(new Set(Object.values(fresh.pids())).size).toBe(1);
    await fresh.get('/crash').catch(() => undefined);
    await start.prints('services gateway, auth, dcim ended (exit code 1)');
    expect(start.output()).toContain('gateway: uncaught exception: asked to crash');
    await eventually(async () => expect((await fresh.get('/environment')).status).toBe(200));
    start.process.kill('SIGINT');
    expect(await start.ended).toBe(0);
  } finally {
    await fresh.clear();
  }
});

test('wrong variables are all named before anything is touched', async () => {
  const wrong = place.start({ PORT: 'x', SUPERUSER_API_TOKEN: 'short', PROCESSES: 'some' });
  expect(await wrong.ended).toBe(78);
  expect(wrong.output()).toMatch(/PORT must be.*\n.*SUPERUSER_API_TOKEN must be.*\n.*PROCESSES must be/);
});

test('a database or a folder that cannot be used ends the start, with the code for a wrong configuration', async () => {
  const fresh = await installation();
  const nobody = await freePort();
  try {
    const lost = fresh.start({ DATABASE_URL: `postgres://a:b@127.0.0.1:${nobody}` });
    expect(await lost.ended).toBe(78);
    expect(lost.output()).toBe(
      `Wrong configuration (see docs/configuration.md):\n  DATABASE_URL: cannot connect to PostgreSQL at 127.0.0.1:${nobody}: nothing listens there\n`,
    );
    const nowhere = fresh.start({ DATA_DIR: '/proc/cadastre' });
    expect(await nowhere.ended).toBe(78);
    expect(nowhere.output()).toContain('DATA_DIR /proc/cadastre cannot be created');
  } finally {
    await fresh.clear();
  }
});

test('tables of a later version end the start with a sentence and a code of their own, and nothing starts again', async () => {
  const fresh = await installation();
  try {
    const later = fresh.start();
    await later.prints(ready);
    expect((await fresh.get('/proxy/dcim/upgrade')).status).toBe(200);
    later.process.kill('SIGINT');
    await later.ended;
    const earlier = fresh.start();
    expect(await earlier.ended).toBe(80);
    expect(
      earlier.output().match(/A later version of Cadastre has changed .*Migration29990101000000_later/g),
    ).toHaveLength(1);
    expect(earlier.output()).toContain('Cadastre cannot start: The service dcim: the database is of a later version.');
    expect(earlier.output()).not.toContain('starting it again');
    expect(earlier.output()).not.toMatch(/^ +at /m);
  } finally {
    await fresh.clear();
  }
});

test('other commands find it while it runs, with its token while that is shown, for its owner alone', async () => {
  expect(findRunning(place.dataDir)).toEqual({
    url: `http://localhost:${place.port}`,
    token: /API token +(\w{40})\n/.exec(running.output())![1],
  });
  expect(statSync(join(place.dataDir, 'run.json')).mode & 0o777).toBe(0o600);
});

test('a start prints a handful of lines', () => {
  const lines = running
    .output()
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('ended') && !/uncaught|asked to crash|^ +at /.test(line));
  const banner = lines.findIndex((line) => line.includes(ready));
  expect(lines.slice(0, banner).filter((line) => / info /.test(line)).length).toBeLessThanOrEqual(3);
});

test('after kill -9 of the supervisor the services end, and the next start takes over', async () => {
  const pids = Object.values(place.pids());
  process.kill(pids[0]!, 'SIGSTOP'); // One that cannot notice by itself.
  running.process.kill('SIGKILL');
  await gone(pids.slice(1));
  running = place.start();
  await running.prints(ready);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(running.output()).toContain('the password set before');
  expect(findRunning(place.dataDir)).toEqual({ url: `http://localhost:${place.port}` });
  expect(await write()).toBe(3);
});

test('after kill -9 of everything nothing is lost', async () => {
  const pids = [...Object.values(place.pids()), place.postgresPid()];
  for (const pid of [running.process.pid!, ...pids]) process.kill(pid, 'SIGKILL');
  await gone(pids);
  running = place.start();
  await running.prints(ready);
  expect(await write()).toBe(4);
});

test('Ctrl-C lets requests finish and stops everything within five seconds', async () => {
  const pids = [...Object.values(place.pids()), place.postgresPid()];
  const slow = await place.get('/slow');
  const began = Date.now();
  running.process.kill('SIGINT');
  running.process.kill('SIGINT'); // As npm passes it on.
  expect(await slow.text()).toBe('slow');
  expect(await running.ended).toBe(0);
  expect(Date.now() - began).toBeLessThan(atMostMs);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(findRunning(place.dataDir)).toBeUndefined();
  expect(readFileSync(join(place.dataDir, 'postgres', 'server.log'), 'utf8').trimEnd()).toMatch(
    /database system is shut down$/,
  );
});

test('a second Ctrl-C kills', async () => {
  running = place.start();
  await running.prints(ready);
  const pids = [...Object.values(place.pids()), place.postgresPid()];
  process.kill(place.pids().dcim!, 'SIGSTOP');
  running.process.kill('SIGINT');
  await running.prints('stopping');
  await sleep(1_000);
  running.process.kill('SIGINT');
  expect(await running.ended).toBe(130);
  await gone(pids);
});

test('when another program takes a port before the service does, all start on others', async () => {
  const fresh = await installation();
  const other = await listenOn(0, '127.0.0.1');
  const port = (other.address() as { port: number }).port;
  other.on('connection', (socket) => socket.destroy());
  const start = fresh.start({ TAKEN_PORT: String(port) });
  try {
    await start.prints(ready);
    expect(start.output()).toContain('another program took a port');
    expect(start.output()).toContain(`${port}`);
    expect((await fresh.get('/proxy/dcim/write')).status).toBe(200);
  } finally {
    await fresh.clear();
    await unlisten(other);
  }
});

test('Ctrl-C while PostgreSQL is starting leaves nothing running', async () => {
  const fresh = await installation();
  const start = fresh.start();
  await start.prints('starting PostgreSQL');
  await sleep(300);
  start.process.kill('SIGTERM');
  expect(await start.ended).toBe(0);
  expect(readFileSync(join(fresh.dataDir, 'postgres', 'server.log'), 'utf8').trimEnd()).toMatch(
    /database system is shut down$/,
  );
  await fresh.clear();
});
