import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Body } from './support/client.ts';
import { Equipment } from './support/equipment.ts';
import { eventually } from './support/eventually.ts';
import { useSystem } from './support/system.ts';
import { nextNetwork, unique } from './support/unique.ts';
import { userWith } from './support/users.ts';

// What administrators see of the copies that services keep of each other's objects, and what becomes of copies that are
// damaged.

const used = useSystem();
const replicas = '/api/core/replicas/';
const tenants = '/api/tenancy/tenants/';
const sites = '/api/dcim/sites/';
const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};
const pools = new Map<string, pg.Pool>();
afterAll(async () => {
  for (const pool of pools.values()) await pool.end();
});

async function sql(service: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  let pool = pools.get(service);
  if (!pool) {
    const url = new URL(used.system.postgres);
    url.pathname = `/cadastre_${service}`;
    pools.set(service, (pool = new pg.Pool({ connectionString: url.toString(), max: 1 })));
    pool.on('error', () => undefined);
  }
  return (await pool.query<Record<string, unknown>>(text, values)).rows;
}

const verify = async (service: string, type: string): Promise<Body> =>
  (await used.admin.post(`${replicas}${service}/${type}/verify/`, {})).body;
const find = async (service: string, type: string): Promise<Body> =>
  (await used.admin.read(`${replicas}?service=${service}&type=${type}`)).results[0];
async function rebuild(service: string, type: string): Promise<Body> {
  const before = await find(service, type);
  expect((await used.admin.post(`${replicas}${service}/${type}/rebuild/`, {})).status).toBe(202);
  return eventually(async () => {
    const replica = await find(service, type);
    // Another time, not a later one: the clock of a virtual machine may be set back.
    const again = replica.filled !== before.filled;
    expect({ again, before, replica }).toMatchObject({ again: true, replica: { state: 'current' } });
    return replica;
  });
}

/**
 * Until a service is done with what was told of an object: before, it may be told once more. It may know of it before the
 * log does, as it asks the owner for what a client has written.
 */
const told = (service: string, key: string): Promise<void> =>
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

test('all copies are listed: of whom, how many, how late, and that they are filled', async () => {
  await used.admin.make(tenants, named('listed'));
  const replica = await eventually(async () => {
    const one = await find('dcim', 'tenancy.tenant');
    expect(one).toMatchObject({
      service: 'dcim',
      type: 'tenancy.tenant',
      owner: 'tenancy',
      state: 'current',
      error: null,
    });
    // What was made above may still be on its way.
    expect(one.rows).toBeGreaterThan(0);
    return one;
  });
  expect(replica.lag).toBeGreaterThanOrEqual(0);
  const { results, unavailable } = await used.admin.read(`${replicas}?limit=1000`);
  expect(unavailable).toEqual([]);
  expect(new Set((results as Body[]).map(({ service }) => service)).size).toBeGreaterThan(6);
  expect(
    (results as Body[])
      .filter(({ owner, service }) => owner === service)
      .every(({ service }) => ['extras', 'tenancy'].includes(service)),
  ).toBe(true);
});

describe('a copy that is damaged', () => {
  test('is found out, object by object, and mended while clients go on writing', async () => {
    const [lost, altered] = (await used.admin.make(tenants, [named('lost'), named('altered')])) as [Body, Body];
    const site = await used.admin.make(sites, { ...named('s'), tenant: altered.id });
    await eventually(async () => {
      expect(
        await sql('ipam', 'select id from replica.tenancy_tenant where id = any($1)', [[lost.id, altered.id]]),
      ).toHaveLength(2);
    });
    for (const { id } of [lost, altered]) await told('ipam', `tenancy.tenant:${id}`);
    const damage = async () => {
      await sql('ipam', 'delete from replica.tenancy_tenant where id = $1', [lost.id]);
      await sql('ipam', `update replica.tenancy_tenant set name = 'not its name' where id = $1`, [altered.id]);
      await sql(
        'ipam',
        `insert into replica.tenancy_tenant (id, name, slug, _version) values (987654321, 'nobody', 'nobody', 1) on conflict do nothing`,
      );
    };
    const writing = { on: true, made: 0 };
    const writer = (async () => {
      for (; writing.on; writing.made++) {
        const one = await used.admin.make(tenants, named('meanwhile'));
        await used.admin.patch(`${tenants}${one.id}/`, { description: 'x' });
        if (writing.made % 2) await used.admin.delete(`${tenants}${one.id}/`);
      }
    })();
    try {
      // An event that comes again, or a copy that another test has filled anew, mends what is damaged meanwhile.
      const report = await eventually(async () => {
        await damage();
        const found = await verify('ipam', 'tenancy.tenant');
        expect(found).toMatchObject({
          service: 'ipam',
          type: 'tenancy.tenant',
          matches: false,
          missing: 1,
          extra: 1,
          different: 1,
          partial: false,
        });
        return found;
      });
      expect(report.examples).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: lost.id, problem: 'missing', version: 1, kept_version: null }),
          expect.objectContaining({ id: altered.id, problem: 'different', columns: ['name'] }),
          expect.objectContaining({ id: 987654321, problem: 'extra', version: null }),
        ]),
      );
      expect((await verify('dcim', 'tenancy.tenant')).matches).toBe(true);
      const replica = await rebuild('ipam', 'tenancy.tenant');
      expect(replica.last_fill).toMatchObject({ removed: expect.any(Number), stuck: 0 });
      expect(await verify('ipam', 'tenancy.tenant')).toMatchObject({ matches: true, examples: [] });
    } finally {
      writing.on = false;
      await writer;
    }
    expect(writing.made).toBeGreaterThan(0);
    expect((await used.admin.read(`${sites}${site.id}/`)).tenant.id).toBe(altered.id);
    expect(await verify('ipam', 'tenancy.tenant')).toMatchObject({ matches: true });
  });

  test('also among the brief forms of objects of any type', async () => {
    const tenant = await used.admin.make(tenants, named('pointed'));
    await eventually(async () => {
      expect((await verify('extras', 'tenancy.tenant')).matches).toBe(true);
    });
    await told('extras', `tenancy.tenant:${tenant.id}`);
    await sql(
      'extras',
      `update replica.any_object set display = 'x', brief = brief || '{"display": "x", "slug": "y"}' where id = $1 and display = $2`,
      [tenant.id, tenant.display],
    );
    expect((await verify('extras', 'tenancy.tenant')).examples).toEqual([
      expect.objectContaining({ id: tenant.id, problem: 'different', kept_in: 'brief' }),
    ]);
    await rebuild('extras', 'tenancy.tenant');
    expect((await verify('extras', 'tenancy.tenant')).matches).toBe(true);
  });

  test('mends what followed from deletions that were never heard of', async () => {
    const tag = await used.admin.make('/api/extras/tags/', named('unheard'));
    const site = await used.admin.make(sites, { ...named('s'), tags: [tag.id] });
    await eventually(async () => {
      expect(await sql('dcim', 'select id from replica.extras_tag where id = $1', [tag.id])).toHaveLength(1);
    });
    await told('dcim', `extras.tag:${tag.id}`);
    // As if its event had been lost.
    await sql('extras', 'delete from extras_tag where id = $1', [tag.id]);
    expect(await verify('dcim', 'extras.tag')).toMatchObject({ matches: false, extra: 1 });
    await rebuild('dcim', 'extras.tag');
    expect((await used.admin.read(`${sites}${site.id}/`)).tags).toEqual([]);
    expect((await verify('dcim', 'extras.tag')).matches).toBe(true);
  });
});

test('a copy that holds less than its service needs by now is filled by itself', async () => {
  const tenant = await used.admin.make(tenants, named('narrow'));
  await eventually(async () => {
    expect(await sql('circuits', 'select id from replica.tenancy_tenant where id = $1', [tenant.id])).toHaveLength(1);
  });
  await eventually(async () => {
    expect(await find('circuits', 'tenancy.tenant')).toMatchObject({ state: 'current' });
  });
  await told('circuits', `tenancy.tenant:${tenant.id}`);
  // As it is when a new version keeps one more column: the row is there in its version, and empty in that column.
  await sql('circuits', 'update replica.tenancy_tenant set name = null where id = $1', [tenant.id]);
  await sql('circuits', `update replica_state set contents = 'id bigint' where type = 'tenancy.tenant'`);
  expect((await verify('circuits', 'tenancy.tenant')).examples).toEqual([
    expect.objectContaining({ id: tenant.id, problem: 'different', columns: ['name'] }),
  ]);
  // It looks whenever somebody asks for anything, besides when it starts.
  await rebuild('circuits', 'tenancy.tenantgroup');
  await eventually(async () => {
    expect(await sql('circuits', 'select name from replica.tenancy_tenant where id = $1', [tenant.id])).toEqual([
      { name: tenant.name },
    ]);
  });
  expect((await verify('circuits', 'tenancy.tenant')).matches).toBe(true);
});

test("copies are nobody's business but the superusers'", async () => {
  const { client } = await userWith(used.admin, { types: ['tenancy.tenant'], actions: ['view'] });
  expect((await client.get(replicas)).status).toBe(403);
  for (const what of ['verify', 'rebuild'])
    expect((await client.post(`${replicas}dcim/tenancy.tenant/${what}/`, {})).status).toBe(403);
  expect((await used.admin.post(`${replicas}dcim/no.such/verify/`, {})).status).toBe(404);
});

describe('of addresses', () => {
  const addresses = '/api/ipam/ip-addresses/';
  const devices = '/api/dcim/devices/';
  const TYPE = 'ipam.ipaddress';
  const kit = new Equipment(() => used.admin);
  const copies = async (service: string, ...all: Body[]) =>
    (
      await sql(service, 'select id::int from replica.ipam_ipaddress where id = any($1) order by id', [
        all.map(({ id }) => id),
      ])
    ).map(({ id }) => id);
  const make = (more: object = {}) => used.admin.make(addresses, { address: `${nextNetwork().four}.1/32`, ...more });
  /** When a service has followed what was written before. */
  const followed = async (service: string): Promise<void> => {
    await eventually(async () => {
      expect(await verify(service, TYPE)).toMatchObject({ matches: true, partial: false });
    });
  };

  test('a service keeps those that have to do with its own objects', async () => {
    const device = await kit.device();
    const port = await kit.interface(device);
    const [loose, assigned, rented] = [
      await make(),
      await make({ assigned_object_type: 'dcim.interface', assigned_object_id: port.id }),
      await make({ tenant: (await used.admin.make(tenants, named('rents'))).id }),
    ];
    await eventually(async () => {
      expect(await copies('dcim', loose, assigned, rented)).toEqual([assigned.id]);
    });
    await eventually(async () => {
      expect(await copies('tenancy', loose, assigned, rented)).toEqual([rented.id]);
    });
    for (const service of ['dcim', 'tenancy', 'virtualization']) await followed(service);
    expect([await copies('virtualization', loose, assigned, rented), await copies('dcim', loose, rented)]).toEqual([
      [],
      [],
    ]);
    expect([await find('dcim', TYPE), await find('dcim', 'ipam.vlan')]).toEqual([
      expect.objectContaining({ in_part: true }),
      expect.objectContaining({ in_part: false }),
    ]);
    // What begins to, it has by then, and follows for good.
    await used.admin.patch(`${addresses}${loose.id}/`, {
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });
    await eventually(async () => {
      expect((await used.admin.read(`/api/dcim/interfaces/${port.id}/`)).count_ipaddresses).toBe(2);
    });
    await used.admin.patch(`${addresses}${loose.id}/`, { assigned_object_type: null, assigned_object_id: null });
    await eventually(async () => {
      expect((await used.admin.read(`/api/dcim/interfaces/${port.id}/`)).count_ipaddresses).toBe(1);
    });
    await followed('dcim');
    expect(await copies('dcim', loose)).toEqual([loose.id]);
  });

  test('an address that it shows is shown as it is, with those that it translates', async () => {
    const device = await kit.device();
    const port = await kit.interface(device);
    const far = await make({ description: 'of nobody' });
    const inside = await make({
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
      nat_inside: far.id,
    });
    const outside = await make({ nat_inside: inside.id });
    expect((await used.admin.patch(`${devices}${device.id}/`, { primary_ip4: outside.id })).status).toBe(200);
    expect((await used.admin.read(`${devices}${device.id}/`)).primary_ip4).toMatchObject({
      id: outside.id,
      nat_inside: { id: inside.id, address: inside.address },
    });
    expect(await used.admin.column(`${devices}?primary_ip4=${encodeURIComponent(outside.address)}`, 'id')).toEqual([
      device.id,
    ]);
    await used.admin.patch(`${devices}${device.id}/`, { primary_ip4: inside.id });
    expect((await used.admin.read(`${devices}${device.id}/`)).primary_ip4).toMatchObject({
      id: inside.id,
      nat_inside: { id: far.id, address: far.address },
      nat_outside: [{ id: outside.id }],
    });
    // That belongs to nothing of the service's, and is shown all the same.
    const moved = `${nextNetwork().four}.1/32`;
    await used.admin.patch(`${addresses}${far.id}/`, { address: moved });
    await eventually(async () => {
      expect((await used.admin.read(`${devices}${device.id}/`)).primary_ip4.nat_inside.address).toBe(moved);
    });
    await followed('dcim');
  });

  test('an address that it has nothing of is found, chosen and refused like any other', async () => {
    const loose = await make();
    const device = await kit.device();
    await followed('dcim');
    expect(await copies('dcim', loose)).toEqual([]);
    expect(await used.admin.column(`${devices}?primary_ip4_id=${loose.id}`, 'id')).toEqual([]);
    expect((await used.admin.get(`${devices}?primary_ip4_id=987654321`)).status).toBe(400);
    expect((await used.admin.patch(`${devices}${device.id}/`, { primary_ip4: loose.id })).body).toEqual({
      primary_ip4: [`The specified IP address (${loose.address}) is not assigned to this device.`],
    });
    const field = await used.admin.make('/api/extras/custom-fields/', {
      name: unique('field').replaceAll('-', '_'),
      type: 'object',
      related_object_type: TYPE,
      object_types: ['dcim.device'],
    });
    expect(
      (await used.admin.patch(`${devices}${device.id}/`, { custom_fields: { [field.name]: loose.id } })).body
        .custom_fields[field.name],
    ).toMatchObject({ id: loose.id, address: loose.address });
    await used.admin.patch(`${addresses}${loose.id}/`, { description: 'changed since' });
    await eventually(async () => {
      expect((await used.admin.read(`${devices}${device.id}/`)).custom_fields[field.name].description).toBe(
        'changed since',
      );
    });
    await used.admin.delete(`/api/extras/custom-fields/${field.id}/`);
  });

  test("a permission may go by what its own objects' addresses say, and by which others have", async () => {
    const permit = async (type: string, constraints: object) => {
      const { status, body } = await used.admin.post('/api/users/permissions/', {
        name: unique('may'),
        object_types: [type],
        actions: ['view'],
        constraints,
      });
      return status === 201 ? 201 : body;
    };
    expect(
      await permit('virtualization.virtualmachine', {
        primary_ip4__dns_name: 'a',
        device__primary_ip4__isnull: true,
        device__primary_ip4_id: 1,
      }),
    ).toBe(201);
    expect(await permit('dcim.device', { primary_ip4__nat_inside__dns_name: 'a' })).toBe(201);
    // Of devices' addresses virtual machines' service has none.
    expect(
      JSON.stringify(await permit('virtualization.virtualmachine', { device__primary_ip4__dns_name: 'a' })),
    ).toContain("Unsupported lookup 'dns_name' for primary_ip4.");
  });

  test('a copy that has lost some is found out and mended', async () => {
    const device = await kit.device();
    const port = await kit.interface(device);
    const far = await make();
    const inside = await make({
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
      nat_inside: far.id,
    });
    const [loose, chosen] = [await make(), await make()];
    const field = await used.admin.make('/api/extras/custom-fields/', {
      name: unique('field').replaceAll('-', '_'),
      type: 'multiobject',
      related_object_type: TYPE,
      object_types: ['dcim.device'],
    });
    await used.admin.patch(`${devices}${device.id}/`, { custom_fields: { [field.name]: [chosen.id] } });
    const all = [far.id, inside.id, chosen.id].sort((a, b) => a - b);
    await eventually(async () => {
      expect(await copies('dcim', inside, far, loose, chosen)).toEqual(all);
    });
    // The field and the object that names them are two events: the second to be followed may bring them here again.
    await eventually(async () => {
      await sql('dcim', 'delete from replica.ipam_ipaddress where id = any($1)', [all]);
      expect((await verify('dcim', TYPE)).examples).toEqual(
        expect.arrayContaining([inside, chosen].map(({ id }) => expect.objectContaining({ id, problem: 'missing' }))),
      );
    });
    await rebuild('dcim', TYPE);
    await followed('dcim');
    expect(await copies('dcim', inside, far, loose, chosen)).toEqual(all);
    await used.admin.delete(`/api/extras/custom-fields/${field.id}/`);
  });
});
