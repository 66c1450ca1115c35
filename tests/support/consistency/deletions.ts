import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Answer, Body } from '../client.ts';
import { Databases } from './databases.ts';
import { Equipment } from '../objects/equipment.ts';
import { eventually } from '../eventually.ts';
import { useSystem } from '../system.ts';
import { nextVid, unique } from '../unique.ts';

// What the tests of deletions share.

export const used = useSystem();
export const lab = new Equipment(() => used.admin);
export const api = (path: string): string => `/api/${path}/`;
export const remove = (path: string, { id }: Body): Promise<Answer> => used.admin.delete(api(`${path}/${id}`));

export const status = async (path: string, { id }: Body): Promise<number> =>
  (await used.admin.get(api(`${path}/${id}`))).status;

export const gone = (path: string, what: Body) => eventually(async () => expect(await status(path, what)).toBe(404));

const databases = new Databases(used);
export const { sql } = databases;

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
  // Every service must have been able to follow each deletion.
  try {
    expect(await parked()).toEqual(before);
  } finally {
    await databases.end();
  }
});

export const vlan = (group: Body) => lab.make('ipam/vlans', { vid: nextVid(), name: unique('vlan'), group: group.id });

export const vlanGroup = (type: string, { id }: Body) =>
  lab.make('ipam/vlan-groups', lab.named('group', { scope_type: type, scope_id: id }));
