// What happens to deletions when services are away or die halfway. This kills services, so it has a system of its own.

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { typeId } from '@cadastre/model';
import { lockKeys } from '@cadastre/rest';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { signal as signalIn } from '../support/consistency/absence.ts';
import { type Body, Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { unique } from '../support/unique.ts';

let system: System;
let admin: Client;
const clients: pg.Client[] = [];

beforeAll(async () => {
  system = await startSystem({ PROCESSES: 'each', GRPC_TIMEOUT_MS: '5000', DATABASE_URL: '' });
  admin = new Client(system.base, `Token ${system.token}`);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  await system?.stop();
});

async function database(service: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: system.databaseUrl(service) });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

const signal = (service: string, name: NodeJS.Signals): void => signalIn(system, service, name);

const named = (more: object = {}) => {
  const name = unique('fault');
  return { name, slug: name, ...more };
};
const tenant = (): Promise<Body> => admin.make('/api/tenancy/tenants/', named());
const address = ({ id }: Body) => `/api/tenancy/tenants/${id}/`;
const marks = async (client: pg.Client, { id }: Body) =>
  (await client.query('select 1 from deletion_mark where type = $1 and id = $2', [typeId('tenancy.tenant'), id])).rows
    .length;
const again = (work: () => Promise<void>) => eventually(work, 90_000);

test('a service that cannot be asked: 503, and nothing has changed', async () => {
  const subject = await tenant();
  const owner = await database('tenancy');
  signal('ipam', 'SIGSTOP');
  try {
    await again(async () => {
      const refused = await admin.delete(address(subject));
      expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
        503,
        '1',
        { detail: 'The ipam service cannot be reached. Nothing was changed.' },
      ]);
    });
    const many = await admin.delete('/api/tenancy/tenants/', [{ id: subject.id }]);
    expect(many.status).toBe(503);
    expect([(await admin.get(address(subject))).status, await marks(owner, subject)]).toEqual([200, 0]);
  } finally {
    signal('ipam', 'SIGCONT');
  }
  await again(async () => expect((await admin.delete(address(subject))).status).toBe(204));
  await again(async () =>
    expect(
      (
        await admin.read(
          `/api/core/object-changes/?changed_object_type=tenancy.tenant&changed_object_id=${subject.id}&action=delete`,
        )
      ).count,
    ).toBe(1),
  );
});

test('an owner that dies while it asks: the object stays, refuses references while it is marked, and is free when that time is over', async () => {
  const subject = await tenant();
  const owner = await database('tenancy');
  const referrer = await database('ipam');
  // Like a slow writer in ipam: a deletion that asks for references has to wait for it.
  await referrer.query('begin');
  await referrer.query('select pg_advisory_xact_lock_shared(k) from unnest($1::bigint[]) k', [
    lockKeys('tenancy.tenant', [subject.id]),
  ]);
  const deleting = admin.delete(address(subject)).catch(() => undefined);
  await eventually(async () => expect(await marks(owner, subject)).toBe(1));
  signal('tenancy', 'SIGKILL');
  // However long the service takes to come back, the object is still marked then.
  await owner.query(`update deletion_mark set until = now() + interval '1 hour' where id = $1`, [subject.id]);
  await referrer.query('rollback');
  expect((await deleting)?.status).not.toBe(204);
  await again(async () => expect((await admin.get(address(subject))).status).toBe(200));
  expect(await marks(owner, subject)).toBe(1);
  await again(async () =>
    expect(await admin.post('/api/ipam/vrfs/', { name: unique('vrf'), tenant: subject.id })).toMatchObject({
      status: 400,
      body: { tenant: [`Related object not found using the provided numeric ID: ${subject.id}`] },
    }),
  );
  expect((await admin.delete(address(subject))).body).toEqual({
    detail: 'Unable to delete object. It is being deleted by another request.',
  });
  await owner.query('update deletion_mark set until = now() where id = $1', [subject.id]);
  const vrf = await admin.make('/api/ipam/vrfs/', { name: unique('vrf'), tenant: subject.id });
  expect((await admin.delete(address(subject))).body).toEqual({
    detail: `Unable to delete object. 1 dependent objects were found: ${vrf.name} (${vrf.id})`,
  });
  expect((await admin.delete(`/api/ipam/vrfs/${vrf.id}/`)).status).toBe(204);
  expect((await admin.delete(address(subject))).status).toBe(204);
});

test('a service that is away follows what was deleted meanwhile when it is back, and the change log has it', async () => {
  const site = await admin.make('/api/dcim/sites/', named());
  const rack = await admin.make('/api/dcim/racks/', { name: unique('rack'), site: site.id });
  const about = { assigned_object_type: 'dcim.rack', assigned_object_id: rack.id };
  const entry = await admin.make('/api/extras/journal-entries/', { ...about, comments: 'x' });
  signal('extras', 'SIGKILL');
  // extras has no say in the deletion of racks.
  const deleted = await admin.delete(`/api/dcim/racks/${rack.id}/`);
  expect([deleted.status, deleted.body]).toEqual([204, undefined]);
  await again(async () => expect((await admin.get(`/api/extras/journal-entries/${entry.id}/`)).status).toBe(404));
  await again(async () => {
    const { results } = await admin.read(`/api/core/object-changes/?request_id=${deleted.headers.get('x-request-id')}`);
    expect(
      results
        .map((r: Body) => `${r.action.value} ${r.changed_object_type} ${r.changed_object_id} ${r.user_name}`)
        .sort(),
    ).toEqual([`delete dcim.rack ${rack.id} admin`, `delete extras.journalentry ${entry.id} admin`]);
  });
});

test('change records are listed although a service is away', async () => {
  const site = await admin.make('/api/dcim/sites/', named());
  await again(async () => expect((await admin.get('/api/core/object-changes/?limit=1')).status).toBe(200));
  signal('circuits', 'SIGSTOP');
  try {
    await again(async () =>
      expect(
        (await admin.read(`/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${site.id}`))
          .count,
      ).toBe(1),
    );
  } finally {
    signal('circuits', 'SIGCONT');
  }
});
