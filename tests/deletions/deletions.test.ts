import { describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Answer, Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { unique } from '../support/unique.ts';
import { used, lab, remove, status, gone, sql, vlan, vlanGroup } from '../support/consistency/deletions.ts';

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
    ];
    const name = unique('tenant');
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
    ];
    const slug = unique('tenant');
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
    const site = await lab.site();
    const group = await vlanGroup('dcim.site', site);
    const inside = await vlan(group);
    const refused = await remove('dcim/sites', site);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        detail: `Unable to delete object. 1 dependent objects were found: ${inside.name} (${inside.vid}) (${inside.id})`,
      },
    ]);
    expect([await status('dcim/sites', site), await status('ipam/vlan-groups', group)]).toEqual([200, 200]);
    // The refused deletion leaves no mark.
    const another = await vlan(group);
    for (const one of [inside, another]) expect((await remove('ipam/vlans', one)).status).toBe(204);
    expect((await remove('dcim/sites', site)).status).toBe(204);
    await gone('ipam/vlan-groups', group);
  });

  test('over three services', async () => {
    const region = await lab.make('dcim/regions', lab.named('region'));
    const type = await lab.make('virtualization/cluster-types', lab.named('type'));
    const cluster = await lab.make('virtualization/clusters', {
      name: unique('cluster'),
      type: type.id,
      scope_type: 'dcim.region',
      scope_id: region.id,
    });
    const group = await vlanGroup('virtualization.cluster', cluster);
    const inside = await vlan(group);
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
  const tenant = await lab.make('tenancy/tenants', lab.named('tenant'));
  const of = { tenant: tenant.id };
  const site = await lab.site(of);
  const vrf = await lab.make('ipam/vrfs', { name: unique('vrf'), ...of });
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
  const refused = await remove('tenancy/tenants', tenant);
  const [, count, names] = /^Unable to delete object\. (\d+) dependent objects were found: (.*)$/.exec(
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
  // Dependents in the owner's service and in others, in one answer.
  const rack = await lab.rack(site);
  expect((await remove('dcim/sites', site)).body.detail).toBe(
    `Unable to delete object. 2 dependent objects were found: ${rack.name} (${rack.id}), ${machine.name} (${machine.id})`,
  );
});

describe('a mark', () => {
  test('keeps new references and other deletions away, until its time is over', async () => {
    const tenant = await lab.make('tenancy/tenants', lab.named('tenant'));
    // As a process leaves it that dies between marking and deleting.
    await sql(
      'tenancy',
      `insert into deletion_mark (type, id, until, by) values ($1, $2, now() + interval '30 seconds', gen_random_uuid())`,
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
    await sql('tenancy', `update deletion_mark set until = now() - interval '1 second' where id = $1`, [tenant.id]);
    expect((await used.admin.post('/api/ipam/vrfs/', { name: unique('vrf'), tenant: tenant.id })).status).toBe(201);
    expect((await remove('tenancy/tenants', tenant)).body.detail).toMatch(/^Unable to delete object\. 1 dependent/);
    expect(await sql('tenancy', 'select 1 from deletion_mark where id = $1', [tenant.id])).toEqual([]);
  });
});

describe('many at once', () => {
  test('go together, with all that hangs on them in other services', async () => {
    const prefix = unique('many');
    const count = async (path: string) => (await used.admin.read(`${path}?limit=1&name__isw=${prefix}`)).count;
    const made: Body[] = (
      await used.admin.post(
        '/api/dcim/sites/',
        Array.from({ length: 1000 }, () => lab.named(prefix)),
      )
    ).body;
    const groups: Body[] = (
      await used.admin.post(
        '/api/ipam/vlan-groups/',
        made.map(({ id }) => lab.named(prefix, { scope_type: 'dcim.site', scope_id: id })),
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
    expect(await count('/api/dcim/sites/')).toBe(1000);
    expect((await remove('ipam/vlans', inside)).status).toBe(204);
    const deleted = await used.admin.delete(
      '/api/dcim/sites/',
      made.map(({ id }) => ({ id })),
    );
    expect(deleted.status).toBe(204);
    await eventually(async () => expect(await count('/api/ipam/vlan-groups/')).toBe(0));
    await eventually(async () =>
      expect(
        (await used.admin.read(`/api/core/object-changes/?limit=1&request_id=${deleted.headers.get('x-request-id')}`))
          .count,
      ).toBe(2000),
    );
    expect(await sql('ipam', 'select count(*)::int as n from deletion_mark where until > now()')).toEqual([{ n: 0 }]);
  });
});
