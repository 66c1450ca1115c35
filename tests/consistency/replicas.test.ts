import { describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { find, kit, rebuild, replicas, sql, tenants, told, used, verify } from '../support/consistency/replicas.ts';
import { userWith } from '../support/users.ts';

// What administrators see of the copies that services keep of each other's objects, and how damaged copies are
// repaired. damaged.

const sites = '/api/dcim/sites/';

test('all copies are listed: of whom, how many, how late, and that they are filled', async () => {
  await used.admin.make(tenants, kit.named('listed'));
  const replica = await eventually(async () => {
    const one = await find('dcim', 'tenancy.tenant');
    expect(one).toMatchObject({
      service: 'dcim',
      type: 'tenancy.tenant',
      owner: 'tenancy',
      state: 'current',
      error: null,
    });
    // The copies of the objects created above may still be on their way.
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
    const [lost, altered] = (await used.admin.make(tenants, [kit.named('lost'), kit.named('altered')])) as [Body, Body];
    const site = await used.admin.make(sites, { ...kit.named('s'), tenant: altered.id });
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
        const one = await used.admin.make(tenants, kit.named('meanwhile'));
        await used.admin.patch(`${tenants}${one.id}/`, { description: 'x' });
        if (writing.made % 2) await used.admin.delete(`${tenants}${one.id}/`);
      }
    })();
    try {
      // A repeated event, or another test that rebuilds the copy, may repair the damage meanwhile.
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
    const tenant = await used.admin.make(tenants, kit.named('pointed'));
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

  test('applies the effects of deletions whose events were lost', async () => {
    const tag = await used.admin.make('/api/extras/tags/', kit.named('unheard'));
    const site = await used.admin.make(sites, { ...kit.named('s'), tags: [tag.id] });
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
  const tenant = await used.admin.make(tenants, kit.named('narrow'));
  await eventually(async () => {
    expect(await sql('circuits', 'select id from replica.tenancy_tenant where id = $1', [tenant.id])).toHaveLength(1);
  });
  await eventually(async () => {
    expect(await find('circuits', 'tenancy.tenant')).toMatchObject({ state: 'current' });
  });
  await told('circuits', `tenancy.tenant:${tenant.id}`);
  // As after an upgrade to a version that keeps one more column: the row has its version, and null in that column.
  await sql('circuits', 'update replica.tenancy_tenant set name = null where id = $1', [tenant.id]);
  await sql('circuits', `update replica_state set contents = 'id bigint' where type = 'tenancy.tenant'`);
  expect((await verify('circuits', 'tenancy.tenant')).examples).toEqual([
    expect.objectContaining({ id: tenant.id, problem: 'different', columns: ['name'] }),
  ]);
  // The service checks at each rebuild that is asked for, besides at its start.
  await rebuild('circuits', 'tenancy.tenantgroup');
  await eventually(async () => {
    expect(await sql('circuits', 'select name from replica.tenancy_tenant where id = $1', [tenant.id])).toEqual([
      { name: tenant.name },
    ]);
  });
  expect((await verify('circuits', 'tenancy.tenant')).matches).toBe(true);
});

test('replicas are shown to superusers only', async () => {
  const { client } = await userWith(used.admin, { types: ['tenancy.tenant'], actions: ['view'] });
  expect((await client.get(replicas)).status).toBe(403);
  for (const what of ['verify', 'rebuild'])
    expect((await client.post(`${replicas}dcim/tenancy.tenant/${what}/`, {})).status).toBe(403);
  expect((await used.admin.post(`${replicas}dcim/no.such/verify/`, {})).status).toBe(404);
});
