import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { typeId } from '@cadastre/model';
import { PNG } from '../packages/rest/src/testing/images.ts';
import type { Answer, Body } from './support/client.ts';
import { Equipment } from './support/equipment.ts';
import { eventually } from './support/eventually.ts';
import { useSystem } from './support/system.ts';
import { nextVid, unique } from './support/unique.ts';
import { userWith } from './support/users.ts';

const used = useSystem();
const lab = new Equipment(() => used.admin);
const api = (path: string): string => `/api/${path}/`;
const remove = (path: string, { id }: Body): Promise<Answer> => used.admin.delete(api(`${path}/${id}`));
const status = async (path: string, { id }: Body): Promise<number> =>
  (await used.admin.get(api(`${path}/${id}`))).status;
const gone = (path: string, what: Body) => eventually(async () => expect(await status(path, what)).toBe(404));

const databases = new Map<string, pg.Pool>();
/** Rows of a service's own database. */
async function sql(service: string, text: string, values: unknown[] = []): Promise<Body[]> {
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

const vlan = (group: Body) => lab.make('ipam/vlans', { vid: nextVid(), name: unique('vlan'), group: group.id });
const vlanGroup = (type: string, { id }: Body) =>
  lab.make('ipam/vlan-groups', lab.named('group', { scope_type: type, scope_id: id }));

describe('what some objects differ by', () => {
  const alike = (...tenants: Body[]) => [
    409,
    {
      detail: `Unable to delete object. Without it, these objects would no longer be unique: ${tenants.map(({ name, id }) => `${name} (${id})`).join(', ')}`,
    },
  ];
  const refused = async (answer: Promise<Answer>) => {
    const { status: code, body } = await answer;
    return [code, body];
  };
  const groups = '/api/tenancy/tenant-groups/';

  test('stays, and they are named', async () => {
    const [group, above] = [
        await lab.make('tenancy/tenant-groups', lab.named('group')),
        await lab.make('tenancy/tenant-groups', lab.named('group')),
      ],
      name = unique('tenant');
    const [inside, outside] = [
      await lab.make('tenancy/tenants', { name, slug: name, group: group.id }),
      await lab.make('tenancy/tenants', { name, slug: `${name}-2` }),
    ];
    expect(await refused(remove('tenancy/tenant-groups', group))).toEqual(alike(inside, outside));
    expect(await refused(used.admin.delete(groups, [{ id: above.id }, { id: group.id }]))).toEqual(
      alike(inside, outside),
    );
    await lab.patch(`tenancy/tenant-groups/${group.id}`, { parent: above.id });
    expect(await refused(remove('tenancy/tenant-groups', above))).toEqual(alike(inside, outside));
    expect([
      await status('tenancy/tenant-groups', group),
      (await lab.read(`tenancy/tenants/${inside.id}`)).group.id,
    ]).toEqual([200, group.id]);
    await lab.patch(`tenancy/tenants/${outside.id}`, { name: `${name} 2` });
    expect((await remove('tenancy/tenant-groups', above)).status).toBe(204);
    expect((await lab.read(`tenancy/tenants/${inside.id}`)).group).toBeNull();
  });

  test('stays where only several deletions of one request make them the same', async () => {
    const made = [
        await lab.make('tenancy/tenant-groups', lab.named('group')),
        await lab.make('tenancy/tenant-groups', lab.named('group')),
      ],
      slug = unique('tenant');
    const tenants = [];
    for (const [i, { id }] of made.entries())
      tenants.push(await lab.make('tenancy/tenants', { name: `${slug} ${i}`, slug, group: id }));
    expect(
      await refused(
        used.admin.delete(
          groups,
          made.map(({ id }) => ({ id })),
        ),
      ),
    ).toEqual(alike(...tenants));
    expect((await remove('tenancy/tenant-groups', made[0]!)).status).toBe(204);
    expect(await refused(remove('tenancy/tenant-groups', made[1]!))).toEqual(alike(...tenants));
  });
});

describe('what protects something that would go along in another service', () => {
  test('protects the object too', async () => {
    const site = await lab.site(),
      group = await vlanGroup('dcim.site', site),
      inside = await vlan(group);
    const refused = await remove('dcim/sites', site);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        detail: `Unable to delete object. 1 dependent objects were found: ${inside.name} (${inside.vid}) (${inside.id})`,
      },
    ]);
    expect([await status('dcim/sites', site), await status('ipam/vlan-groups', group)]).toEqual([200, 200]);
    // Nothing is left marked by what was refused.
    const another = await vlan(group);
    for (const one of [inside, another]) expect((await remove('ipam/vlans', one)).status).toBe(204);
    expect((await remove('dcim/sites', site)).status).toBe(204);
    await gone('ipam/vlan-groups', group);
  });

  test('over three services', async () => {
    const region = await lab.make('dcim/regions', lab.named('region')),
      type = await lab.make('virtualization/cluster-types', lab.named('type'));
    const cluster = await lab.make('virtualization/clusters', {
      name: unique('cluster'),
      type: type.id,
      scope_type: 'dcim.region',
      scope_id: region.id,
    });
    const group = await vlanGroup('virtualization.cluster', cluster),
      inside = await vlan(group);
    const refused = await remove('dcim/regions', region);
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      `Unable to delete object. 1 dependent objects were found: ${inside.name} (${inside.vid}) (${inside.id})`,
    ]);
    expect((await remove('ipam/vlans', inside)).status).toBe(204);
    const machine = await lab.make('virtualization/virtual-machines', { name: unique('vm'), cluster: cluster.id });
    expect((await remove('dcim/regions', region)).body.detail).toBe(
      `Unable to delete object. 1 dependent objects were found: ${machine.name} (${machine.id})`,
    );
    expect((await remove('virtualization/virtual-machines', machine)).status).toBe(204);
    expect((await remove('dcim/regions', region)).status).toBe(204);
    await gone('virtualization/clusters', cluster);
    await gone('ipam/vlan-groups', group);
  });
});

test('a refusal names what depends on the object in every service', async () => {
  const tenant = await lab.make('tenancy/tenants', lab.named('tenant')),
    of = { tenant: tenant.id };
  const site = await lab.site(of),
    vrf = await lab.make('ipam/vrfs', { name: unique('vrf'), ...of });
  const [provider, kind] = [
    await lab.make('circuits/providers', lab.named('provider')),
    await lab.make('circuits/circuit-types', lab.named('kind')),
  ];
  const circuit = await lab.make('circuits/circuits', {
    cid: unique('c'),
    provider: provider.id,
    type: kind.id,
    ...of,
  });
  const machine = await lab.make('virtualization/virtual-machines', { name: unique('vm'), site: site.id, ...of });
  const refused = await remove('tenancy/tenants', tenant),
    [, count, names] = /^Unable to delete object\. (\d+) dependent objects were found: (.*)$/.exec(
      refused.body.detail,
    )!;
  expect([refused.status, count, names!.split(', ').sort()]).toEqual([
    409,
    '4',
    [
      `${site.name} (${site.id})`,
      `${vrf.name} (${vrf.id})`,
      `${circuit.cid} (${circuit.id})`,
      `${machine.name} (${machine.id})`,
    ].sort(),
  ]);
  // The owner's own dependents and those of others, in one answer.
  const rack = await lab.rack(site);
  expect((await remove('dcim/sites', site)).body.detail).toBe(
    `Unable to delete object. 2 dependent objects were found: ${rack.name} (${rack.id}), ${machine.name} (${machine.id})`,
  );
});

describe('custom fields that point at objects', () => {
  test('let go of them, in every service', async () => {
    const name = `f_${unique('').replaceAll('-', '')}`,
      list = `g_${unique('').replaceAll('-', '')}`;
    const field = (more: object) =>
      lab.make('extras/custom-fields', {
        related_object_type: 'tenancy.tenant',
        object_types: ['dcim.site', 'ipam.vrf', 'tenancy.contact'],
        ...more,
      });
    const fields = [await field({ name, type: 'object' }), await field({ name: list, type: 'multiobject' })];
    const [tenant, other] = [
      await lab.make('tenancy/tenants', lab.named('tenant')),
      await lab.make('tenancy/tenants', lab.named('tenant')),
    ];
    const values = { custom_fields: { [name]: tenant.id, [list]: [tenant.id, other.id] } };
    const holders: [string, Body][] = [
      ['dcim/sites', await lab.site(values)],
      ['ipam/vrfs', await lab.make('ipam/vrfs', { name: unique('vrf'), ...values })],
      ['tenancy/contacts', await lab.make('tenancy/contacts', { name: unique('c'), ...values })],
    ];
    const deleted = await remove('tenancy/tenants', tenant);
    expect(deleted.status).toBe(204);
    await eventually(async () => {
      for (const [service, table, { id }] of [
        ['dcim', 'dcim_site', holders[0]![1]],
        ['ipam', 'ipam_vrf', holders[1]![1]],
        ['tenancy', 'tenancy_contact', holders[2]![1]],
      ] as const) {
        expect(
          (
            await sql(
              service,
              `select custom_fields -> $2 as one, custom_fields -> $3 as many from ${table} where id = $1`,
              [id, name, list],
            )
          )[0],
        ).toEqual({ one: null, many: [other.id] });
      }
    });
    for (const [path, { id }] of holders) {
      expect((await used.admin.read(api(`${path}/${id}`))).custom_fields).toMatchObject({
        [name]: null,
        [list]: [{ id: other.id }],
      });
      const { results } = await used.admin.read(
        `/api/core/object-changes/?request_id=${deleted.headers.get('x-request-id')}&changed_object_id=${id}&action=update`,
      );
      expect(results).toHaveLength(1);
    }
    for (const one of fields) expect((await remove('extras/custom-fields', one)).status).toBe(204);
  });
});

describe('nothing dangles', () => {
  test('of what is kept about an object, wherever that is', async () => {
    const site = await lab.site(),
      about = { object_type: 'dcim.site', object_id: site.id };
    const { id: user } = await userWith(used.admin);
    const attachment = await fetch(`${used.system.base}/api/extras/image-attachments/`, {
      method: 'POST',
      headers: { Authorization: used.admin.authorization! },
      body: (() => {
        const form = new FormData();
        form.set('object_type', 'dcim.site');
        form.set('object_id', String(site.id));
        form.set('image', new Blob([PNG], { type: 'image/png' }), 'x.png');
        return form;
      })(),
    }).then((answer) => answer.json() as Promise<Body>);
    const image = await fetch(attachment.image, { headers: { Authorization: used.admin.authorization! } });
    expect(image.status).toBe(200);
    const kept: [string, Body][] = [
      ['extras/image-attachments', attachment],
      ['extras/bookmarks', await lab.make('extras/bookmarks', { ...about, user })],
      ['extras/subscriptions', await lab.make('extras/subscriptions', { ...about, user })],
      [
        'extras/journal-entries',
        await lab.make('extras/journal-entries', {
          assigned_object_type: 'dcim.site',
          assigned_object_id: site.id,
          comments: 'x',
        }),
      ],
      [
        'tenancy/contact-assignments',
        await lab.make('tenancy/contact-assignments', {
          ...about,
          contact: (await lab.make('tenancy/contacts', { name: unique('c') })).id,
          role: (await lab.make('tenancy/contact-roles', lab.named('role'))).id,
        }),
      ],
    ];
    const context = await lab.make('extras/config-contexts', {
      name: unique('ctx'),
      is_active: false,
      sites: [site.id],
      data: { a: 1 },
    });
    expect((await remove('dcim/sites', site)).status).toBe(204);
    for (const [path, one] of kept) await gone(path, one);
    await eventually(async () => expect((await lab.read(`extras/config-contexts/${context.id}`)).sites).toEqual([]));
    await eventually(async () =>
      expect((await fetch(attachment.image, { headers: { Authorization: used.admin.authorization! } })).status).toBe(
        404,
      ),
    );
    expect(
      await sql('extras', 'select 1 from replica.any_object where type = $1 and id = $2', [
        typeId('dcim.site'),
        site.id,
      ]),
    ).toEqual([]);
  });

  test('of a tag', async () => {
    const tag = await lab.make('extras/tags', lab.named('tag')),
      kept = await lab.make('extras/tags', lab.named('tag')),
      carried = { tags: [tag.id, kept.id] };
    const holders: [string, string, string, Body][] = [
      ['dcim', 'dcim_site', 'dcim/sites', await lab.site(carried)],
      ['ipam', 'ipam_vrf', 'ipam/vrfs', await lab.make('ipam/vrfs', { name: unique('vrf'), ...carried })],
      ['tenancy', 'tenancy_tenant', 'tenancy/tenants', await lab.make('tenancy/tenants', lab.named('t', carried))],
      [
        'circuits',
        'circuits_provider',
        'circuits/providers',
        await lab.make('circuits/providers', lab.named('p', carried)),
      ],
    ];
    const deleted = await remove('extras/tags', tag);
    expect(deleted.status).toBe(204);
    for (const [service, table, path, { id }] of holders) {
      await eventually(async () =>
        expect((await sql(service, `select tags::text from ${table} where id = $1`, [id]))[0].tags).toBe(
          `{${kept.id}}`,
        ),
      );
      await eventually(async () =>
        expect((await lab.read(`${path}/${id}`)).tags.map((t: Body) => t.id)).toEqual([kept.id]),
      );
    }
    await eventually(async () =>
      expect(
        await used.admin.column(`/api/extras/tagged-objects/?limit=1000&tag_id=${kept.id}`, 'object_id'),
      ).toHaveLength(4),
    );
    expect(await sql('extras', 'select 1 from extras_taggeditem where tag_id = $1', [tag.id])).toEqual([]);
  });

  test('of a user, whose own things go and whose words stay', async () => {
    const { id, client } = await userWith(
      used.admin,
      { actions: ['view'] },
      { types: ['extras.savedfilter', 'extras.journalentry'], actions: ['view', 'add'] },
    );
    const site = await lab.site();
    const filter = await client.make(
      '/api/extras/saved-filters/',
      lab.named('filter', { object_types: ['dcim.site'], parameters: { status: ['active'] }, user: id }),
    );
    const entry = await client.make('/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: site.id,
      comments: 'x',
    });
    const bookmark = await lab.make('extras/bookmarks', { object_type: 'dcim.site', object_id: site.id, user: id });
    const unit = await lab.make('dcim/rack-reservations', {
      rack: (await lab.rack(site)).id,
      units: [1],
      user: id,
      description: 'x',
    });
    const refused = await used.admin.delete(`/api/users/users/${id}/`);
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('1 dependent objects were found'),
    ]);
    expect((await remove('dcim/rack-reservations', unit)).status).toBe(204);
    expect((await used.admin.delete(`/api/users/users/${id}/`)).status).toBe(204);
    await gone('extras/bookmarks', bookmark);
    await eventually(async () => expect((await lab.read(`extras/saved-filters/${filter.id}`)).user).toBeNull());
    await eventually(async () => expect((await lab.read(`extras/journal-entries/${entry.id}`)).created_by).toBeNull());
  });

  test('of a device, whose addresses, services and places in groups are elsewhere', async () => {
    const device = await lab.device(),
      port = await lab.interface(device),
      of = { assigned_object_type: 'dcim.interface', assigned_object_id: port.id };
    const address = await lab.make('ipam/ip-addresses', { address: '203.0.113.9/24', ...of });
    await lab.patch(`dcim/devices/${device.id}`, { primary_ip4: address.id });
    const group = await lab.make('ipam/fhrp-groups', { protocol: 'vrrp2', group_id: 7 });
    const kept: [string, Body][] = [
      ['ipam/ip-addresses', address],
      [
        'ipam/services',
        await lab.make('ipam/services', {
          name: unique('s'),
          protocol: 'tcp',
          ports: [1],
          parent_object_type: 'dcim.device',
          parent_object_id: device.id,
        }),
      ],
      [
        'ipam/fhrp-group-assignments',
        await lab.make('ipam/fhrp-group-assignments', {
          group: group.id,
          interface_type: 'dcim.interface',
          interface_id: port.id,
          priority: 1,
        }),
      ],
    ];
    expect((await remove('dcim/devices', device)).status).toBe(204);
    for (const [path, one] of kept) await gone(path, one);
    expect(await status('ipam/fhrp-groups', group)).toBe(200);
  });
});

describe('a mark', () => {
  test('keeps new references and other deletions away, until its time is over', async () => {
    const tenant = await lab.make('tenancy/tenants', lab.named('tenant'));
    // As a process leaves it that dies between marking and deleting.
    await sql(
      'tenancy',
      `insert into being_deleted (type, id, until, by) values ($1, $2, now() + interval '30 seconds', gen_random_uuid())`,
      [typeId('tenancy.tenant'), tenant.id],
    );
    expect((await used.admin.post('/api/ipam/vrfs/', { name: unique('vrf'), tenant: tenant.id })).body).toEqual({
      tenant: [`Related object not found using the provided numeric ID: ${tenant.id}`],
    });
    const refused = await remove('tenancy/tenants', tenant);
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'Unable to delete object. It is being deleted by another request.' },
    ]);
    await sql('tenancy', `update being_deleted set until = now() - interval '1 second' where id = $1`, [tenant.id]);
    expect((await used.admin.post('/api/ipam/vrfs/', { name: unique('vrf'), tenant: tenant.id })).status).toBe(201);
    expect((await remove('tenancy/tenants', tenant)).body.detail).toMatch(/^Unable to delete object\. 1 dependent/);
    expect(await sql('tenancy', 'select 1 from being_deleted where id = $1', [tenant.id])).toEqual([]);
  });
});

describe('many at once', () => {
  test('go together, with all that hangs on them in other services', async () => {
    const made: Body[] = await (
      await used.admin.post(
        '/api/dcim/sites/',
        Array.from({ length: 1000 }, () => lab.named('many')),
      )
    ).body;
    const groups: Body[] = (
      await used.admin.post(
        '/api/ipam/vlan-groups/',
        made.map(({ id }) => lab.named('many', { scope_type: 'dcim.site', scope_id: id })),
      )
    ).body;
    expect([made.length, groups.length]).toEqual([1000, 1000]);
    const inside = await vlan(groups[500]);
    const refused = await used.admin.delete(
      '/api/dcim/sites/',
      made.map(({ id }) => ({ id })),
    );
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringMatching(/^Unable to delete object\. 1 dependent/),
    ]);
    expect(
      (await used.admin.read(`/api/dcim/sites/?limit=1&id__gte=${made[0].id}&id__lte=${made[999].id}`)).count,
    ).toBe(1000);
    expect((await remove('ipam/vlans', inside)).status).toBe(204);
    const deleted = await used.admin.delete(
      '/api/dcim/sites/',
      made.map(({ id }) => ({ id })),
    );
    expect(deleted.status).toBe(204);
    await eventually(async () =>
      expect(
        (await used.admin.read(`/api/ipam/vlan-groups/?limit=1&id__gte=${groups[0].id}&id__lte=${groups[999].id}`))
          .count,
      ).toBe(0),
    );
    await eventually(async () =>
      expect(
        (await used.admin.read(`/api/core/object-changes/?limit=1&request_id=${deleted.headers.get('x-request-id')}`))
          .count,
      ).toBe(2000),
    );
    expect(await sql('ipam', 'select count(*)::int as n from being_deleted where until > now()')).toEqual([{ n: 0 }]);
  });
});
