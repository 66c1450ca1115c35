import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import pg from 'pg';
import type { System } from '../../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { unique } from '../unique.ts';

/** How long a service may take to come back and to catch up, on a busy machine. */
const BACK_MS = 240_000;

/** Sends a signal to the process of a service. */
export function signal(system: System, service: string, name: NodeJS.Signals): void {
  const { services } = JSON.parse(readFileSync(join(system.folder, 'run.json'), 'utf8')) as {
    services: { name: string; pid: number }[];
  };
  process.kill(services.find((one) => one.name === service)!.pid, name);
}

/**
 * Two services are away while objects of others are created, changed and deleted, and the log drops all these events
 * before the services are back: `forget` lets the time pass. Then they catch up by themselves.
 */
export async function comesBackTooLate(system: System, forget: () => Promise<void>): Promise<void> {
  const admin = new Client(system.base, `Token ${system.token}`);
  const again = (work: () => Promise<void>) => eventually(work, BACK_MS);
  const named = () => {
    const name = unique('absence');
    return { name, slug: name };
  };
  const stateOf = async (service: string, type: string): Promise<Body> =>
    (await admin.read(`/api/core/replicas/?service=${service}&type=${type}`)).results[0];
  const records = async (type: string, { id }: Body): Promise<string[]> =>
    (await admin.read(`/api/core/object-changes/?changed_object_type=${type}&changed_object_id=${id}`)).results
      .map((record: Body) => record.action.value)
      .sort();
  const away = ['ipam', 'extras'];

  const kept = await admin.make('/api/tenancy/tenants/', named());
  const maker = await admin.make('/api/dcim/manufacturers/', named());
  const vrf = await admin.make('/api/ipam/vrfs/', { name: unique('absence'), tenant: kept.id });
  const entry = await admin.make('/api/extras/journal-entries/', {
    assigned_object_type: 'dcim.manufacturer',
    assigned_object_id: maker.id,
    comments: 'x',
  });
  await again(async () => {
    for (const service of away) expect(await stateOf(service, 'tenancy.tenant')).toMatchObject({ state: 'current' });
    // Everything before this was followed, so they miss only what comes now.
    expect((await admin.read(`/api/ipam/vrfs/?tenant=${kept.slug}`)).count).toBe(1);
    expect(await records('dcim.manufacturer', maker)).toEqual(['create']);
  });

  for (const service of away) signal(system, service, 'SIGSTOP');
  const renamed = named();
  const made: Body[] = [];
  const requests = [await admin.patch(`/api/tenancy/tenants/${kept.id}/`, renamed)];
  for (let i = 0; i < 3; i++) made.push(await admin.make('/api/tenancy/tenants/', named()));
  // Neither has a say in the deletion of manufacturers.
  requests.push(await admin.delete(`/api/dcim/manufacturers/${maker.id}/`));
  expect(requests.map(({ status }) => status)).toEqual([200, 204]);
  for (const service of ['tenancy', 'dcim']) await published(system, service);
  await forget();
  // They are started anew.
  for (const service of away) signal(system, service, 'SIGKILL');

  await again(async () => {
    expect((await admin.read(`/api/ipam/vrfs/${vrf.id}/`)).tenant.display).toBe(renamed.name);
    for (const { slug } of made) expect((await admin.read(`/api/ipam/vrfs/?tenant=${slug}`)).count).toBe(0);
    expect((await admin.get(`/api/extras/journal-entries/${entry.id}/`)).status).toBe(404);
  });
  for (const service of away)
    await again(async () =>
      expect((await admin.post(`/api/core/replicas/${service}/tenancy.tenant/verify/`, {})).body).toMatchObject({
        matches: true,
      }),
    );
  // Events that the log has dropped are published again from the outbox, before the outbox is trimmed.
  for (const service of ['tenancy', 'dcim']) await grownOld(system, service);
  await again(async () => {
    expect(await Promise.all(made.map((one) => records('tenancy.tenant', one)))).toEqual(made.map(() => ['create']));
    expect([
      await records('tenancy.tenant', kept),
      await records('dcim.manufacturer', maker),
      await records('extras.journalentry', entry),
    ]).toEqual([
      ['create', 'update'],
      ['create', 'delete'],
      ['create', 'delete'],
    ]);
  });
}

async function withDatabase<T>(system: System, service: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: system.databaseUrl(service) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Waits until the log has all that a service has written. */
const published = (system: System, service: string) =>
  withDatabase(system, service, async (client) => {
    for (
      const until = Date.now() + BACK_MS;
      (await client.query('select from change_queue limit 1')).rowCount;
      await sleep(50)
    )
      if (Date.now() > until) throw new Error(`${service} does not publish`);
  });

/** Makes a service's own record of what it has published as old as what the log has dropped. */
const grownOld = (system: System, service: string) =>
  withDatabase(system, service, (client) => client.query(`update change set time = now() - interval '8 days'`));
