// The database of a separate system goes away for a while and comes back.

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../tools/local/embedded-postgres/start.ts';
import { freePort } from '../../tools/local/processes/free-ports.ts';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { clear, temporaryFolder } from '../../tools/testing/test-run.ts';
import { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let system: System;
let folder: string;
let server: EmbeddedPostgres;
let port: number;
const MINUTES = 60_000;
const outageMs = 6_000;
const start = () => startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false, port });
beforeAll(async () => {
  folder = await temporaryFolder();
  port = await freePort();
  server = await start();
  system = await startSystem({ DATABASE_URL: server.url, LOG_FORMAT: 'json' });
}, 5 * MINUTES);
afterAll(async () => {
  await system?.stop();
  await server?.stop();
  await clear(folder);
}, MINUTES);

interface Line {
  time: string;
  service: string;
  level: string;
  msg: string;
  to?: string;
  type?: string;
  owner?: string;
  reason?: string;
  times?: number;
  err?: { message: string; stack: string };
}
const linesOf = (output: string): Line[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
/** Lines of one process about one subject are the same error. */
const keyOf = ({ service, level, msg, to, type, owner, reason, err }: Line): string =>
  [service, level, msg, to, type, owner, (err?.message ?? reason ?? '').replace(/\d+/g, '#')].join(' ');

test(
  'while the database is away, the log tells each error once a second at most, with its stack the first time only',
  async () => {
    const admin = new Client(system.base, `Token ${system.token}`);
    const before = system.output().length;
    await server.stop();
    const statuses: number[] = [];
    for (const until = Date.now() + outageMs; Date.now() < until; )
      statuses.push((await admin.get('/api/dcim/sites/?limit=1')).status);
    server = await start();
    await eventually(async () => expect((await admin.get('/api/dcim/sites/?limit=1')).status).toBe(200));
    expect(new Set(statuses)).toEqual(new Set([503]));

    const byError = Map.groupBy(
      linesOf(system.output().slice(before)).filter(({ err, reason }) => err ?? reason),
      keyOf,
    );
    expect(byError.size).toBeGreaterThan(0);
    for (const [error, told] of byError) {
      const times = told.map(({ time }) => Date.parse(time));
      // The clock of the lines and that of the timers differ by some milliseconds.
      const soonest = Math.min(...times.slice(1).map((time, i) => time - times[i]!));
      expect([error, soonest >= 950]).toEqual([error, true]);
      expect([error, told.slice(1).filter(({ err, times: count }) => err?.stack || !count)]).toEqual([error, []]);
    }
    // Lines that are suppressed are counted: every request met an error, whichever service it reached, and fewer lines
    // report them.
    const met = [...byError.values()]
      .flat()
      .filter(({ msg }) => msg === 'request not served' || msg === 'gRPC call not served');
    expect(met.reduce((sum, { times = 1 }) => sum + times, 0)).toBeGreaterThanOrEqual(statuses.length / 2);
    expect(met.length).toBeLessThan(statuses.length / 2);
  },
  3 * MINUTES,
);
