// While the service that owns referenced objects does not answer, others write to the same tree, and to the same
// object.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from '../../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../../support/client.ts';
import { processesOf } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const MINUTES = 60_000;
const LIMIT_MS = 500;
const REQUESTS = 100;
const ATTACKERS = 4;
const TRIES = 3;
const locations = '/api/dcim/locations/';
let system: System;
let admin: Client;
let tenancy: number;
let site: Body;
let parent: Body;

const location = (more: object = {}): object => {
  const slug = unique('place');
  return { name: slug, slug, site: site.id, parent: parent?.id ?? null, ...more };
};

beforeAll(async () => {
  system = await startSystem({ PROCESSES: 'each', GRPC_TIMEOUT_MS: '20000' });
  admin = new Client(system.base, `Token ${system.token}`);
  tenancy = processesOf(system)['tenancy']!;
  const slug = unique('site');
  site = await admin.make('/api/dcim/sites/', { name: slug, slug });
  parent = await admin.make(locations, location());
}, 5 * MINUTES);
afterAll(async () => {
  await system?.stop();
}, MINUTES);

/** How long each of the others' writes took, sorted, while attackers wait for an owning service that is stopped. */
async function othersMeanwhile(
  attack: () => Promise<unknown>,
  write: () => Promise<{ status: number }>,
): Promise<{ times: number[]; statuses: Set<number>; waiting: number }> {
  let waiting = ATTACKERS;
  process.kill(tenancy, 'SIGSTOP');
  try {
    const attacks = Array.from({ length: ATTACKERS }, () =>
      attack()
        .catch(() => undefined)
        .finally(() => {
          waiting -= 1;
        }),
    );
    await sleep(500);
    const times: number[] = [];
    const statuses = new Set<number>();
    for (let i = 0; i < REQUESTS && waiting; i += 1) {
      const from = performance.now();
      statuses.add((await write()).status);
      times.push(performance.now() - from);
    }
    const left = waiting;
    process.kill(tenancy, 'SIGCONT');
    await Promise.all(attacks);
    return { times: times.sort((a, b) => a - b), statuses, waiting: left };
  } finally {
    process.kill(tenancy, 'SIGCONT');
  }
}

/**
 * A machine that runs tests is slowed down by other work at times, but by an attack each time: one of three
 * measurements must pass.
 */
async function expectCalm(
  status: number,
  attack: () => Promise<unknown>,
  write: () => Promise<{ status: number }>,
): Promise<void> {
  for (let i = 1; ; i += 1) {
    const { times, statuses, waiting } = await othersMeanwhile(attack, write);
    const p99 = times[Math.ceil(0.99 * times.length) - 1]!;
    if (p99 >= LIMIT_MS && i < TRIES) continue;
    console.log(
      `others meanwhile: p50 ${Math.round(times[times.length >> 1]!)} ms, p99 ${Math.round(p99)} ms, ${times.length} writes, measurement ${i}`,
    );
    expect({ waiting, statuses, writes: times.length, calm: p99 < LIMIT_MS }).toEqual({
      waiting: ATTACKERS,
      statuses: new Set([status]),
      writes: REQUESTS,
      calm: true,
    });
    return;
  }
}

const hanging = { tenant: { slug: 'nobody' } };
test(
  'who adds to a tree',
  () =>
    expectCalm(
      201,
      () => admin.post(locations, location(hanging)),
      () => admin.post(locations, location()),
    ),
  3 * MINUTES,
);
test(
  'who changes an object of a tree, or the same object',
  () =>
    expectCalm(
      200,
      () => admin.patch(`${locations}${parent.id}/`, hanging),
      () => admin.patch(`${locations}${parent.id}/`, { description: unique() }),
    ),
  3 * MINUTES,
);
