import { deepStrictEqual as equal } from 'node:assert/strict';
import type { Client } from '../client.ts';
import { nextAsn, nextNetwork, unique } from '../unique.ts';
import { userWith } from '../users.ts';

/**
 * A client writes in one service and reads in another at once, and is shown what it has written. Nothing in here waits.
 */
export type Scene = (admin: Client) => Promise<void>;

const site = (admin: Client, more: object = {}) =>
  admin.make('/api/dcim/sites/', { name: unique(), slug: unique(), ...more });
const tenant = (admin: Client, more: object = {}) =>
  admin.make('/api/tenancy/tenants/', { name: unique(), slug: unique(), ...more });
const ok = async (answer: Promise<{ status: number; text: string }>, status = 200): Promise<void> => {
  const { status: is, text } = await answer;
  if (is !== status) throw new Error(`${is}: ${text}`);
};

async function device(admin: Client): Promise<{ id: number; interface: number; site: number }> {
  const manufacturer = await admin.make('/api/dcim/manufacturers/', { name: unique(), slug: unique() });
  const type = await admin.make('/api/dcim/device-types/', {
    manufacturer: manufacturer.id,
    model: unique(),
    slug: unique(),
  });
  const role = await admin.make('/api/dcim/device-roles/', { name: unique(), slug: unique() });
  const at = await site(admin);
  const made = await admin.make('/api/dcim/devices/', {
    name: unique(),
    device_type: type.id,
    role: role.id,
    site: at.id,
  });
  const port = await admin.make('/api/dcim/interfaces/', { device: made.id, name: 'eth0', type: '1000base-t' });
  return { id: made.id, interface: port.id, site: at.id };
}

export const scenes: Record<string, Scene> = {
  async 'a tenant that is renamed has its new name in its sites'(admin) {
    const owner = await tenant(admin);
    const at = await site(admin, { tenant: owner.id });
    const name = unique();
    await ok(admin.patch(`/api/tenancy/tenants/${owner.id}/`, { name }));
    equal((await admin.read(`/api/dcim/sites/${at.id}/`)).tenant.name, name);
    equal(await admin.column(`/api/dcim/sites/?tenant_id=${owner.id}`, 'id'), [at.id]);
  },
  async 'a prefix counts at its site'(admin) {
    const at = await site(admin);
    await admin.make('/api/ipam/prefixes/', {
      prefix: `${nextNetwork().four}.0/24`,
      scope_type: 'dcim.site',
      scope_id: at.id,
    });
    equal((await admin.read(`/api/dcim/sites/${at.id}/`)).prefix_count, 1);
  },
  async 'a site counts at its tenant, until it is gone'(admin) {
    const owner = await tenant(admin);
    const at = await site(admin, { tenant: owner.id });
    equal((await admin.read(`/api/tenancy/tenants/${owner.id}/`)).site_count, 1);
    await ok(admin.delete(`/api/dcim/sites/${at.id}/`), 204);
    equal((await admin.read(`/api/tenancy/tenants/${owner.id}/`)).site_count, 0);
    await ok(admin.delete(`/api/tenancy/tenants/${owner.id}/`), 204);
  },
  async 'a custom field is set as soon as it is there, and not any more when it is gone'(admin) {
    const name = unique('cf').replaceAll('-', '_');
    const at = await site(admin);
    const field = await admin.make('/api/extras/custom-fields/', {
      name,
      type: 'text',
      object_types: ['dcim.site'],
      default: 'by default',
    });
    equal((await admin.read(`/api/dcim/sites/${at.id}/`)).custom_fields[name], 'by default');
    await ok(admin.patch(`/api/dcim/sites/${at.id}/`, { custom_fields: { [name]: 'set' } }));
    equal(await admin.column(`/api/dcim/sites/?cf_${name}=set`, 'id'), [at.id]);
    await ok(admin.delete(`/api/extras/custom-fields/${field.id}/`), 204);
    await ok(admin.patch(`/api/dcim/sites/${at.id}/`, { custom_fields: { [name]: 'again' } }), 400);
    equal(name in (await admin.read(`/api/dcim/sites/${at.id}/`)).custom_fields, false);
  },
  async 'a custom field that is made again under the same name begins anew'(admin) {
    const name = unique('cf').replaceAll('-', '_');
    const at = await site(admin);
    const make = () =>
      admin.make('/api/extras/custom-fields/', {
        name,
        type: 'text',
        object_types: ['dcim.site', 'extras.journalentry'],
      });
    for (const value of ['one', 'two']) {
      const field = await make();
      equal((await admin.read(`/api/dcim/sites/${at.id}/`)).custom_fields[name], null);
      await ok(admin.patch(`/api/dcim/sites/${at.id}/`, { custom_fields: { [name]: value } }));
      if (value === 'one') await ok(admin.delete(`/api/extras/custom-fields/${field.id}/`), 204);
    }
    equal((await admin.read(`/api/dcim/sites/${at.id}/`)).custom_fields[name], 'two');
  },
  async 'a custom field of what extras owns has its default there'(admin) {
    const name = unique('cf').replaceAll('-', '_');
    const at = await site(admin);
    const entry = await admin.make('/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: at.id,
      comments: 'x',
    });
    await admin.make('/api/extras/custom-fields/', {
      name,
      type: 'integer',
      object_types: ['extras.journalentry'],
      default: 7,
    });
    equal((await admin.read(`/api/extras/journal-entries/${entry.id}/`)).custom_fields[name], 7);
  },
  async 'a tag that is renamed has its new name in other services, and none when it is gone'(admin) {
    const tag = await admin.make('/api/extras/tags/', { name: unique(), slug: unique() });
    const at = await site(admin, { tags: [{ id: tag.id }] });
    const name = unique();
    await ok(admin.patch(`/api/extras/tags/${tag.id}/`, { name }));
    equal((await admin.read(`/api/dcim/sites/${at.id}/`)).tags[0].name, name);
    await ok(admin.delete(`/api/extras/tags/${tag.id}/`), 204);
    equal((await admin.read(`/api/dcim/sites/${at.id}/`)).tags, []);
  },
  async 'a config context is part of what a device is rendered with'(admin) {
    const on = await device(admin);
    const key = unique();
    await admin.make('/api/extras/config-contexts/', { name: unique(), data: { [key]: 1 }, sites: [on.site] });
    equal((await admin.read(`/api/dcim/devices/${on.id}/`)).config_context[key], 1);
  },
  async 'an address is the one of its device, and gone with it'(admin) {
    const on = await device(admin);
    const address = await admin.make('/api/ipam/ip-addresses/', {
      address: `${nextNetwork().four}.1/24`,
      assigned_object_type: 'dcim.interface',
      assigned_object_id: on.interface,
    });
    await ok(admin.patch(`/api/dcim/devices/${on.id}/`, { primary_ip4: address.id }));
    await ok(admin.patch(`/api/ipam/ip-addresses/${address.id}/`, { dns_name: 'x.example' }));
    equal((await admin.read(`/api/dcim/interfaces/${on.interface}/`)).count_ipaddresses, 1);
    equal(await admin.column(`/api/dcim/devices/?primary_ip4_id=${address.id}`, 'id'), [on.id]);
    await ok(admin.delete(`/api/ipam/ip-addresses/${address.id}/`), 204);
    equal((await admin.read(`/api/dcim/devices/${on.id}/`)).primary_ip4, null);
  },
  async 'what goes along in a second service is gone for a third one'(admin) {
    const on = await device(admin);
    const owner = await tenant(admin);
    const address = await admin.make('/api/ipam/ip-addresses/', {
      address: `${nextNetwork().four}.1/24`,
      tenant: owner.id,
      assigned_object_type: 'dcim.interface',
      assigned_object_id: on.interface,
    });
    equal((await admin.read(`/api/tenancy/tenants/${owner.id}/`)).ipaddress_count, 1);
    await ok(admin.delete(`/api/dcim/devices/${on.id}/`), 204);
    equal((await admin.get(`/api/ipam/ip-addresses/${address.id}/`)).body.assigned_object_id ?? null, null);
    const { ipaddress_count: left } = await admin.read(`/api/tenancy/tenants/${owner.id}/`);
    equal(left, (await admin.read(`/api/ipam/ip-addresses/?tenant_id=${owner.id}`)).count);
  },
  async 'an AS number shows at its site at once, under the name of its new owner'(admin) {
    const rir = await admin.make('/api/ipam/rirs/', { name: unique(), slug: unique() });
    const asn = await admin.make('/api/ipam/asns/', { asn: nextAsn(), rir: rir.id });
    const at = await site(admin, { asns: [asn.id] });
    const other = nextAsn();
    await ok(admin.patch(`/api/ipam/asns/${asn.id}/`, { asn: other }));
    equal((await admin.read(`/api/dcim/sites/${at.id}/`)).asns[0].asn, other);
  },
  async 'a journal entry shows the new name of what it is about'(admin) {
    const at = await site(admin);
    const entry = await admin.make('/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: at.id,
      comments: 'x',
    });
    const name = unique();
    await ok(admin.patch(`/api/dcim/sites/${at.id}/`, { name }));
    equal((await admin.read(`/api/extras/journal-entries/${entry.id}/`)).assigned_object.name, name);
  },
  async 'many at once are seen at once'(admin) {
    const owner = await tenant(admin);
    await ok(
      admin.post(
        '/api/dcim/sites/',
        Array.from({ length: 500 }, () => ({ name: unique(), slug: unique(), tenant: owner.id })),
      ),
      201,
    );
    equal((await admin.read(`/api/tenancy/tenants/${owner.id}/`)).site_count, 500);
  },
  async 'a permission counts for the next request in every service, and so does its end'(admin) {
    const user = await userWith(admin);
    const paths = [
      '/api/dcim/sites/',
      '/api/tenancy/tenants/',
      '/api/ipam/prefixes/',
      '/api/extras/tags/',
      '/api/circuits/providers/',
    ];
    const types = ['dcim.site', 'tenancy.tenant', 'ipam.prefix', 'extras.tag', 'circuits.provider'];
    const statuses = async () => [
      ...new Set(await Promise.all(paths.map(async (path) => (await user.client.get(path)).status))),
    ];
    equal(await statuses(), [403]);
    const group = await admin.make('/api/users/groups/', { name: unique() });
    const permission = await admin.make('/api/users/permissions/', {
      name: unique(),
      object_types: types,
      actions: ['view'],
      groups: [group.id],
    });
    await ok(admin.patch(`/api/users/users/${user.id}/`, { groups: [group.id] }));
    equal(await statuses(), [200]);
    await ok(admin.patch(`/api/users/permissions/${permission.id}/`, { constraints: { id: 0 } }));
    equal(
      await Promise.all(paths.map(async (path) => (await user.client.get(path)).body.count)),
      paths.map(() => 0),
    );
    await ok(admin.patch(`/api/users/users/${user.id}/`, { groups: [] }));
    equal(await statuses(), [403]);
  },
};

/**
 * Clients rename tenants, one after the other and without a pause, while others read sites, in which another service
 * shows them. An answer shows every name that had been confirmed before the request was sent, or a later one.
 * @returns how many requests were sent
 */
export async function hammer(admin: Client, ms: number, { writers = 3, readers = 4 } = {}): Promise<number> {
  const until = Date.now() + ms;
  const pairs = await Promise.all(
    Array.from({ length: writers }, async () => {
      const owner = await tenant(admin);
      return {
        owner: owner.id as number,
        site: (await site(admin, { tenant: owner.id })).id as number,
        confirmed: 0,
      };
    }),
  );
  let asked = 0;
  const write = async (pair: (typeof pairs)[number]): Promise<void> => {
    for (let n = 1; Date.now() < until; n++) {
      await ok(admin.patch(`/api/tenancy/tenants/${pair.owner}/`, { description: String(n) }));
      pair.confirmed = n;
    }
  };
  const read = async (): Promise<void> => {
    for (let i = 0; Date.now() < until; i++) {
      const pair = pairs[i % pairs.length]!;
      const { confirmed } = pair;
      const shown = Number((await admin.read(`/api/dcim/sites/${pair.site}/`)).tenant.description);
      if (shown < confirmed)
        throw new Error(
          `the site shows ${shown} of its tenant, and ${confirmed} had been confirmed before it was asked for`,
        );
      asked++;
    }
  };
  await Promise.all([...pairs.map(write), ...Array.from({ length: readers }, read)]);
  return asked;
}
