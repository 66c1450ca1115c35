import { afterAll, beforeAll, expect } from '@jest/globals';
import pg from 'pg';
import type { Answer, Body } from './client.ts';
import { Equipment } from './equipment.ts';
import { eventually } from './eventually.ts';
import { useSystem } from './system.ts';
import { nextVid, unique } from './unique.ts';

// What the tests of deletions share.

export const used = useSystem();
export const lab = new Equipment(() => used.admin);
export const api = (path: string): string => `/api/${path}/`;
export const remove = (path: string, { id }: Body): Promise<Answer> => used.admin.delete(api(`${path}/${id}`));

export const status = async (path: string, { id }: Body): Promise<number> =>
  (await used.admin.get(api(`${path}/${id}`))).status;

export const gone = (path: string, what: Body) => eventually(async () => expect(await status(path, what)).toBe(404));

const databases = new Map<string, pg.Pool>();

/** Rows of a service's own database. */
export async function sql(service: string, text: string, values: unknown[] = []): Promise<Body[]> {
  let pool = databases.get(service);
  if (!pool) {
    const url = new URL(used.system.postgres);
    url.pathname = `/cadastre_${service}`;
    databases.set(service, (pool = new pg.Pool({ connectionString: url.href, max: 1 })));
    pool.on('error', () => undefined);
  }
  return (await pool.query(text, values)).rows;
}

const SERVICES = ['auth', 'circuits', 'dcim', 'extras', 'ipam', 'tenancy', 'virtualization', 'webhooks'];

const parked = async () =>
  (
    await Promise.all(
      SERVICES.map(async (service) =>
        (
          await sql(service, `select key, error from parked_message where error not like '%not a change event%'`)
        ).map(({ key, error }) => [service, key, error]),
      ),
    )
  ).flat();

let before: unknown[];

beforeAll(async () => {
  before = await parked();
});

afterAll(async () => {
  // Whatever was deleted, every service could follow it.
  try {
    expect(await parked()).toEqual(before);
  } finally {
    await Promise.all([...databases.values()].map((pool) => pool.end()));
  }
});

export const vlan = (group: Body) => lab.make('ipam/vlans', { vid: nextVid(), name: unique('vlan'), group: group.id });

export const vlanGroup = (type: string, { id }: Body) =>
  lab.make('ipam/vlan-groups', lab.named('group', { scope_type: type, scope_id: id }));
