import { afterAll, expect } from '@jest/globals';
import type { Body } from '../client.ts';
import { Databases } from './databases.ts';
import { Equipment } from '../objects/equipment.ts';
import { eventually } from '../eventually.ts';
import { useSystem } from '../system.ts';

// What the tests of the copies share that services keep of each other's objects.

export const used = useSystem();
export const kit = new Equipment(() => used.admin);
export const replicas = '/api/core/replicas/';
export const tenants = '/api/tenancy/tenants/';

const databases = new Databases(used);
export const { sql } = databases;
afterAll(() => databases.end());

export const verify = async (service: string, type: string): Promise<Body> =>
  (await used.admin.post(`${replicas}${service}/${type}/verify/`, {})).body;
export const find = async (service: string, type: string): Promise<Body> =>
  (await used.admin.read(`${replicas}?service=${service}&type=${type}`)).results[0];
export async function rebuild(service: string, type: string): Promise<Body> {
  const before = await find(service, type);
  expect((await used.admin.post(`${replicas}${service}/${type}/rebuild/`, {})).status).toBe(202);
  return eventually(async () => {
    const replica = await find(service, type);
    // Another time, not necessarily a later one: the clock of a virtual machine may be set back.
    const again = replica.filled !== before.filled;
    expect({ again, before, replica }).toMatchObject({ again: true, replica: { state: 'current' } });
    return replica;
  });
}

/**
 * Waits until a service has handled the events of an object: until then, one may still arrive. The service may know of
 * it before the log does, as it asks the owner for what a client has written.
 */
export const told = (service: string, key: string): Promise<void> =>
  eventually(async () => {
    const messages = await sql(
      'events',
      `select m.position > p.position as open from log.message m join log.progress p on p.topic_id = m.topic_id and p.partition = m.partition
        where m.key = $1 and p."group" = $2`,
      [key, `${service}.replicas`],
    );
    expect(messages.map(({ open }) => open)).toContain(false);
    expect(messages.map(({ open }) => open)).not.toContain(true);
  });
