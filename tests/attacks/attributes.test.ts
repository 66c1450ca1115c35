// A user tries to find out, letter by letter, values that they may not view: by the attributes that references are
// given by, and by filters and orders.
import { describe, expect, test } from '@jest/globals';
import type { Answer, Body, Client } from '../support/client.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { type Grant, userWith } from '../support/users.ts';

const used = useSystem();
const sites = '/api/dcim/sites/';
const named = (path: string, more: object = {}): Promise<Body> => {
  const slug = unique('n');
  return used.admin.make(path, { name: slug, slug, ...more });
};
const mayAdd: Grant = { actions: ['view', 'add'] };
const mayView = (...types: string[]): Grant => ({ types, actions: ['view'] });
const siteWith = (client: Client, more: object): Promise<Answer> => {
  const slug = unique('site');
  return client.post(sites, { name: slug, slug, ...more });
};
/** An owner that refers to several users together. */
const ownerOf = async (...users: number[]): Promise<Body> =>
  used.admin.make('/api/users/owners/', {
    name: unique('owner'),
    group: (await used.admin.make('/api/users/owner-groups/', { name: unique('group') })).id,
    users,
  });
/** What a refusal says, without what the client had sent. */
const said = ({ status, body }: Answer) => [status, JSON.stringify(body).replace(/\{'.*'\}|\{'.*\}/, '{…}')];

describe('attributes of a reference', () => {
  test('do not lead over objects that the requester may not view', async () => {
    const group = await named('/api/tenancy/tenant-groups/');
    const tenant = await named('/api/tenancy/tenants/', { group: group.id });
    const right = { slug: tenant.slug, group: { name: group.name } };
    const begins = { slug: tenant.slug, group__name__startswith: group.name.slice(0, 4) };
    const wrong = { slug: tenant.slug, group: { name: 'nothing' } };
    const { client } = await userWith(used.admin, mayAdd, mayView('tenancy.tenant'));
    expect((await siteWith(client, { tenant: { slug: tenant.slug } })).status).toBe(201);
    for (const guess of [right, begins])
      expect(said(await siteWith(client, { tenant: guess }))).toEqual(said(await siteWith(client, { tenant: wrong })));
    const { client: other } = await userWith(used.admin, mayAdd, mayView('tenancy.tenant'), {
      types: ['tenancy.tenantgroup'],
      actions: ['view'],
      constraints: { name: unique() },
    });
    for (const guess of [right, begins]) expect((await siteWith(other, { tenant: guess })).status).toBe(400);
    const { client: both } = await userWith(used.admin, mayAdd, mayView('tenancy.tenant'), {
      types: ['tenancy.tenantgroup'],
      actions: ['view'],
      constraints: { name: group.name },
    });
    for (const guess of [right, begins]) expect((await siteWith(both, { tenant: guess })).status).toBe(201);
  });

  test('within one service as between services, and over lists of references', async () => {
    const region = await named('/api/dcim/regions/');
    const below = await named('/api/dcim/regions/', { parent: region.id });
    const { client } = await userWith(used.admin, mayAdd, {
      types: ['dcim.region'],
      actions: ['view'],
      constraints: { name: below.name },
    });
    expect((await siteWith(client, { region: { slug: below.slug } })).status).toBe(201);
    expect(
      (await siteWith(client, { region: { slug: below.slug, parent__name__startswith: region.name.slice(0, 3) } }))
        .status,
    ).toBe(400);
    const user = await used.admin.make('/api/users/users/', {
      username: unique('user'),
      password: 'Correct-Horse-9',
      email: `${unique('mail')}@example.com`,
    });
    const owner = await ownerOf(user.id);
    const { client: owners } = await userWith(used.admin, mayAdd, mayView('users.owner'));
    expect((await siteWith(owners, { owner: { name: owner.name } })).status).toBe(201);
    const asked = (prefix: string) =>
      siteWith(owners, { owner: { name: owner.name, users__email__startswith: prefix } });
    expect(said(await asked(user.email.slice(0, 6)))).toEqual(said(await asked('zzz')));
  });

  test('are what the API shows, nothing else', async () => {
    const tag = await named('/api/extras/tags/');
    const { client } = await userWith(used.admin, mayAdd, mayView('users.owner', 'users.user'));
    const owner = await ownerOf(1);
    for (const hidden of ['users__password__startswith', 'users__is_superuser', 'users__password']) {
      const { status, body } = await siteWith(client, { owner: { name: owner.name, [hidden]: 'a' } });
      expect([hidden, status, body.owner?.[0]]).toEqual([
        hidden,
        400,
        expect.stringMatching(/^Cannot resolve keyword/),
      ]);
      expect(body.owner[0]).not.toMatch(/is_superuser.*Choices.*is_superuser/);
    }
    expect((await siteWith(used.admin, { tags: [{ slug: tag.slug, owner__name__startswith: 'a' }] })).status).toBe(400);
  });

  test('are no regular expressions, here and at other services', async () => {
    const region = await named('/api/dcim/regions/');
    for (const [field, attributes, name] of [
      ['region', { name__regex: '^n' }, 'name__regex'],
      ['region', { slug: region.slug, parent: { name__iregex: 'x' } }, 'parent__name__iregex'],
      ['tenant', { name__regex: '^n' }, 'name__regex'],
      ['tenant', { group: { name: { regex: '^n' } } }, 'group__name__regex'],
    ] as const) {
      const { status, body } = await siteWith(used.admin, { [field]: attributes });
      expect([status, body]).toEqual([
        400,
        { [field]: [`Regular expressions cannot be used to reference related objects: '${name}'.`] },
      ]);
    }
  });

  test('are refused as quickly as they miss: nothing is looked for without the permission', async () => {
    const hidden = await named('/api/tenancy/tenants/');
    const { client } = await userWith(used.admin, mayAdd);
    const time = async (slug: string) => {
      const from = performance.now();
      expect((await siteWith(client, { tenant: { slug } })).status).toBe(400);
      return performance.now() - from;
    };
    const best = async (slug: string) => {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 12; i += 1) least = Math.min(least, await time(slug));
      return least;
    };
    const [there, missing] = [await best(hidden.slug), await best(unique('missing'))];
    expect(Math.abs(there - missing)).toBeLessThan(Math.max(15, missing));
    // Nor does the answer reveal that two objects match.
    expect(said(await siteWith(client, { tenant: { id__gte: 1 } }))).toEqual(
      said(await siteWith(client, { tenant: { id__gte: 1e9 } })),
    );
  });
});

describe('filters over relations', () => {
  const rack = async () => {
    const site = await named(sites);
    const name = unique('rack');
    return used.admin.make('/api/dcim/racks/', { name, site: site.id, facility_id: unique('fac') });
  };

  test('compare hidden columns of related objects only where those may be viewed', async () => {
    const there = await rack();
    const reservation = await used.admin.make('/api/dcim/rack-reservations/', {
      rack: there.id,
      units: [1],
      user: 1,
      description: unique(),
    });
    const list = '/api/dcim/rack-reservations/';
    const found = async (client: Client, query: string) =>
      (await client.read(`${list}?id=${reservation.id}&${query}`)).count;
    const { client } = await userWith(used.admin, mayView('dcim.rackreservation'));
    // The facility's number of the rack is not shown with a reservation; its name is.
    for (const query of [`q=${there.facility_id}`, `q=${there.facility_id.slice(0, 8)}`])
      expect([await found(used.admin, query), await found(client, query)]).toEqual([1, 0]);
    expect(await found(client, `q=${there.name.slice(0, 8)}`)).toBe(1);
    const { client: viewer } = await userWith(used.admin, mayView('dcim.rackreservation'), {
      types: ['dcim.rack'],
      actions: ['view'],
      constraints: { name: there.name },
    });
    expect(await found(viewer, `q=${there.facility_id.slice(0, 8)}`)).toBe(1);
    const { client: other } = await userWith(used.admin, mayView('dcim.rackreservation'), {
      types: ['dcim.rack'],
      actions: ['view'],
      constraints: { name: unique() },
    });
    expect(await found(other, `q=${there.facility_id.slice(0, 8)}`)).toBe(0);
  });

  test('with lookups, over every type that they lead over', async () => {
    const manufacturer = await named('/api/dcim/manufacturers/');
    const role = await named('/api/dcim/device-roles/', { color: 'ff0000' });
    const model = unique('model');
    const type = await used.admin.make('/api/dcim/device-types/', {
      manufacturer: manufacturer.id,
      model,
      slug: model,
    });
    const site = await named(sites);
    const device = await used.admin.make('/api/dcim/devices/', {
      name: unique('device'),
      device_type: type.id,
      role: role.id,
      site: site.id,
      status: 'staged',
    });
    const port = await used.admin.make('/api/dcim/interfaces/', { device: device.id, name: 'eth0', type: 'virtual' });
    await used.admin.make('/api/dcim/mac-addresses/', {
      mac_address: '02:00:5E:10:20:30',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });
    const count = async (client: Client, path: string) => (await client.read(path)).count;
    const { client } = await userWith(used.admin, mayView('dcim.interface', 'dcim.device'));
    const { client: viewer } = await userWith(used.admin, mayView('dcim.interface', 'dcim.device', 'dcim.macaddress'));
    const { client: portsOnly } = await userWith(used.admin, mayView('dcim.interface'));
    const byMac = `/api/dcim/devices/?id=${device.id}&mac_address__isw=02:00:5e`;
    const byStatus = `/api/dcim/interfaces/?id=${port.id}&device_status__isw=staged`;
    expect([await count(used.admin, byMac), await count(viewer, byMac), await count(client, byMac)]).toEqual([1, 1, 0]);
    expect([
      await count(used.admin, byStatus),
      await count(client, byStatus),
      await count(portsOnly, byStatus),
    ]).toEqual([1, 1, 0]);
    // A negated filter reveals as little: whatever it asks for, the object is found.
    for (const begin of ['staged', 'active'])
      expect(await count(portsOnly, `/api/dcim/interfaces/?id=${port.id}&device_status__nisw=${begin}`)).toBe(1);
  });

  test('and orders by no more than what a list shows', async () => {
    const [low, high] = [unique('a'), unique('b')];
    const prefix = async (name: string) => {
      const group = await used.admin.make('/api/ipam/vlan-groups/', { name, slug: name });
      const vlan = await used.admin.make('/api/ipam/vlans/', { name: unique('v'), vid: 7, group: group.id });
      return used.admin.make('/api/ipam/prefixes/', {
        prefix: `10.${Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 250)}.0/24`,
        vlan: vlan.id,
      });
    };
    // The prefix that was made first is last when ordered by the name of the VLAN's group.
    const [first, second] = [await prefix(high), await prefix(low)];
    const list = `/api/ipam/prefixes/?id=${first.id}&id=${second.id}&ordering=vlan`;
    const { client } = await userWith(used.admin, mayView('ipam.prefix'));
    expect(await used.admin.column(list, 'id')).toEqual([second.id, first.id]);
    expect(await client.column(list, 'id')).toEqual([first.id, second.id]);
    const { client: viewer } = await userWith(used.admin, mayView('ipam.prefix', 'ipam.vlan', 'ipam.vlangroup'));
    expect(await viewer.column(list, 'id')).toEqual([second.id, first.id]);
  });
});
