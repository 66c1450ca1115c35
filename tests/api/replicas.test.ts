import { describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { nextAsn, unique } from '../support/unique.ts';

// How one service shows the objects of another, and what happens when those change or are deleted.

const used = useSystem();
const sites = '/api/dcim/sites/';
const regions = '/api/dcim/regions/';
const tenants = '/api/tenancy/tenants/';
const tags = '/api/extras/tags/';
const named = (prefix: string) => {
  const name = unique(prefix);
  return { name, slug: name };
};

describe('a tenant', () => {
  test('is seen at once by who has just referred to it, and under its new name soon', async () => {
    const tenant = await used.admin.make(tenants, named('t'));
    const site = await used.admin.make(sites, { ...named('s'), tenant: tenant.id });
    expect(site.tenant).toEqual({
      id: tenant.id,
      url: `${used.system.base}${tenants}${tenant.id}/`,
      display: tenant.name,
      name: tenant.name,
      slug: tenant.slug,
      description: '',
    });
    expect(await used.admin.column(`${sites}?tenant=${tenant.slug}`, 'id')).toEqual([site.id]);
    const name = unique('renamed');
    await used.admin.patch(`${tenants}${tenant.id}/`, { name, slug: name });
    await eventually(async () => {
      expect((await used.admin.read(`${sites}${site.id}/`)).tenant.name).toBe(name);
      expect(await used.admin.column(`${sites}?tenant=${name}`, 'id')).toEqual([site.id]);
    });
    expect((await used.admin.get(`${sites}?tenant=${tenant.slug}`)).status).toBe(400);
  });

  test('counts the sites that refer to it', async () => {
    const [one, two] = (await used.admin.make(tenants, [named('t'), named('t')])) as [Body, Body];
    const counts = async () => [
      (await used.admin.read(`${tenants}${one.id}/`)).site_count,
      (await used.admin.read(`${tenants}?id=${two.id}`)).results[0].site_count,
    ];
    expect(await counts()).toEqual([0, 0]);
    const made = (await used.admin.make(
      sites,
      [1, 2, 3].map(() => ({ ...named('s'), tenant: one.id })),
    )) as Body[];
    await eventually(async () => {
      expect(await counts()).toEqual([3, 0]);
    });
    await used.admin.patch(
      sites,
      made.slice(0, 2).map(({ id }) => ({ id, tenant: two.id })),
    );
    await eventually(async () => {
      expect(await counts()).toEqual([1, 2]);
    });
    await used.admin.delete(
      sites,
      made.map(({ id }) => ({ id })),
    );
    await eventually(async () => {
      expect(await counts()).toEqual([0, 0]);
    });
  });

  test('is not deleted while something elsewhere refers to it; the answer names what', async () => {
    const [tenant, other] = (await used.admin.make(tenants, [named('t'), named('t')])) as [Body, Body];
    const site = await used.admin.make(sites, { ...named('s'), tenant: tenant.id });
    const refusal = await used.admin.delete(`${tenants}${tenant.id}/`);
    expect([refusal.status, refusal.body]).toEqual([
      409,
      { detail: `Unable to delete object. 1 dependent objects were found: ${site.name} (${site.id})` },
    ]);
    expect((await used.admin.delete(tenants, [{ id: other.id }, { id: tenant.id }])).status).toBe(409);
    expect((await used.admin.get(`${tenants}${other.id}/`)).status).toBe(200);
    // The refusal leaves nothing behind: it can be referred to again, and deleted when free.
    await used.admin
      .make(sites, { ...named('s'), tenant: tenant.id })
      .then(({ id }) => used.admin.delete(`${sites}${id}/`));
    await used.admin.patch(`${sites}${site.id}/`, { tenant: null });
    expect((await used.admin.delete(`${tenants}${tenant.id}/`)).status).toBe(204);
    expect((await used.admin.patch(`${sites}${site.id}/`, { tenant: tenant.id })).body).toEqual({
      tenant: [expect.stringContaining('not found')],
    });
  });

  test('is never referred to after it was deleted, however close the requests', async () => {
    for (let round = 0; round < 15; round++) {
      const tenant = await used.admin.make(tenants, named('t'));
      const [gone, ...made] = await Promise.all([
        used.admin.delete(`${tenants}${tenant.id}/`),
        ...Array.from({ length: 4 }, () => used.admin.post(sites, { ...named('s'), tenant: tenant.id })),
      ]);
      const referring = made.filter((answer) => answer.status === 201).length;
      if (gone.status === 204) expect(referring).toBe(0);
      else expect([gone.status, referring > 0]).toEqual([409, true]);
    }
  });
});

describe('a tag', () => {
  test('changes its name everywhere, and goes from everything with itself', async () => {
    const [tag, kept] = (await used.admin.make(tags, [named('tag'), named('tag')])) as [Body, Body];
    const both = [tag.id, kept.id];
    const site = await used.admin.make(sites, { ...named('s'), tags: both });
    const tenant = await used.admin.make(tenants, { ...named('t'), tags: both });
    await eventually(async () => {
      expect((await used.admin.read(`${tags}${tag.id}/`)).tagged_items).toBe(2);
    });
    const name = unique('renamed');
    await used.admin.patch(`${tags}${tag.id}/`, { name, color: '00ff00' });
    for (const path of [`${sites}${site.id}/`, `${tenants}${tenant.id}/`]) {
      await eventually(async () => {
        expect((await used.admin.read(path)).tags.map((t: Body) => [t.name, t.color]).sort()).toEqual(
          [
            [name, '00ff00'],
            [kept.name, kept.color],
          ].sort(),
        );
      });
    }
    const deletion = await used.admin.delete(`${tags}${tag.id}/`);
    expect(deletion.status).toBe(204);
    await eventually(async () => {
      expect((await used.admin.read(`/api/extras/tagged-objects/?tag_id=${kept.id}`)).count).toBe(2);
    });
    expect((await used.admin.get(`/api/extras/tagged-objects/?tag_id=${tag.id}`)).status).toBe(400);
    for (const path of [`${sites}${site.id}/`, `${tenants}${tenant.id}/`])
      await eventually(async () => {
        expect((await used.admin.read(path)).tags.map((t: Body) => t.id)).toEqual([kept.id]);
      });
    expect((await used.admin.get(`${sites}?tag=${tag.slug}`)).status).toBe(400);
    expect((await used.admin.read(`${tags}${kept.id}/`)).tagged_items).toBe(2);
  });
});

describe('a region', () => {
  test('goes with all below it; sites stay without one', async () => {
    const top = await used.admin.make(regions, named('top'));
    const below = await used.admin.make(regions, { ...named('below'), parent: top.id });
    const site = await used.admin.make(sites, { ...named('s'), region: below.id });
    const deletion = await used.admin.delete(`${regions}${top.id}/`, { changelog_message: 'sunk' });
    expect(deletion.status).toBe(204);
    expect((await used.admin.get(`${regions}${below.id}/`)).status).toBe(404);
    expect((await used.admin.read(`${sites}${site.id}/`)).region).toBeNull();
    const request = deletion.headers.get('x-request-id');
    await eventually(async () => {
      const { results } = await used.admin.read(`/api/extras/object-changes/?request_id=${request}&ordering=id`);
      expect(
        (results as Body[]).map((c) => [c.changed_object_type, c.changed_object_id, c.action.value]).sort(),
      ).toEqual(
        [
          ['dcim.region', top.id, 'delete'],
          ['dcim.region', below.id, 'delete'],
          ['dcim.site', site.id, 'update'],
        ].sort(),
      );
    });
  });

  test('counts the sites in it and below', async () => {
    const top = await used.admin.make(regions, named('top'));
    const below = await used.admin.make(regions, { ...named('below'), parent: top.id });
    const site = await used.admin.make(sites, { ...named('s'), region: below.id });
    const counts = async () => [
      (await used.admin.read(`${regions}${top.id}/`)).site_count,
      (await used.admin.read(`${regions}?id=${below.id}`)).results[0].site_count,
      (await used.admin.read(`${sites}${site.id}/`)).region?.site_count,
    ];
    expect(await counts()).toEqual([1, 1, 1]);
    await used.admin.make(sites, { ...named('s'), region: top.id });
    expect(await counts()).toEqual([2, 1, 1]);
    await used.admin.patch(`${regions}${below.id}/`, { parent: null });
    expect(await counts()).toEqual([1, 1, 1]);
    await used.admin.patch(`${sites}${site.id}/`, { region: top.id });
    expect(await counts()).toEqual([2, 0, 2]);
  });

  test('shows its new place below another, with all below it', async () => {
    const [a, b] = (await used.admin.make(regions, [named('a'), named('b')])) as [Body, Body];
    const child = await used.admin.make(regions, { ...named('c'), parent: a.id });
    const grandchild = await used.admin.make(regions, { ...named('d'), parent: child.id });
    const site = await used.admin.make(sites, { ...named('s'), region: grandchild.id });
    await used.admin.patch(`${regions}${a.id}/`, { parent: b.id });
    expect((await used.admin.read(`${regions}${grandchild.id}/`))._depth).toBe(3);
    expect((await used.admin.read(`${sites}${site.id}/`)).region._depth).toBe(3);
    expect(await used.admin.column(`${sites}?region=${b.slug}`, 'id')).toEqual([site.id]);
  });
});

test('an AS number elsewhere: many at once, filtered and counted on both sides', async () => {
  const rir = await used.admin.make('/api/ipam/rirs/', { ...named('rir'), is_private: true });
  const first = nextAsn();
  const second = nextAsn();
  const [one, two] = (await used.admin.make(
    '/api/ipam/asns/',
    [first, second].map((asn) => ({ asn, rir: rir.id })),
  )) as [Body, Body];
  const site = await used.admin.make(sites, { ...named('s'), asns: [one.id, { asn: second }] });
  expect(site.asns.map((a: Body) => a.asn)).toEqual([first, second]);
  expect(await used.admin.column(`${sites}?asn=${first}`, 'id')).toEqual([site.id]);
  await eventually(async () => {
    expect((await used.admin.read(`/api/ipam/asns/${one.id}/`)).site_count).toBe(1);
  });
  await used.admin.patch(`${sites}${site.id}/`, { asns: [two.id] });
  await eventually(async () => {
    expect((await used.admin.read(`/api/ipam/asns/${one.id}/`)).site_count).toBe(0);
  });
});
