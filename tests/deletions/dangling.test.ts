import { describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import { PNG } from '@cadastre/rest/testing/images';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { used, lab, api, remove, status, gone, sql } from '../support/consistency/deletions.ts';

describe('custom fields that point at objects', () => {
  test('let go of them, in every service', async () => {
    const name = `f_${unique('').replaceAll('-', '')}`;
    const list = `g_${unique('').replaceAll('-', '')}`;
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
    const holders: [string, string, Body][] = [
      ['dcim/sites', 'dcim.site', await lab.site(values)],
      ['ipam/vrfs', 'ipam.vrf', await lab.make('ipam/vrfs', { name: unique('vrf'), ...values })],
      ['tenancy/contacts', 'tenancy.contact', await lab.make('tenancy/contacts', { name: unique('c'), ...values })],
    ];
    const deleted = await remove('tenancy/tenants', tenant);
    expect(deleted.status).toBe(204);
    await eventually(async () => {
      for (const [service, table, { id }] of [
        ['dcim', 'dcim_site', holders[0]![2]],
        ['ipam', 'ipam_vrf', holders[1]![2]],
        ['tenancy', 'tenancy_contact', holders[2]![2]],
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
    for (const [path, type, { id }] of holders) {
      expect((await used.admin.read(api(`${path}/${id}`))).custom_fields).toMatchObject({
        [name]: null,
        [list]: [{ id: other.id }],
      });
      const { results } = await used.admin.read(
        `/api/core/object-changes/?request_id=${deleted.headers.get('x-request-id')}&changed_object_type=${type}&changed_object_id=${id}&action=update`,
      );
      expect(results).toHaveLength(1);
    }
    for (const one of fields) expect((await remove('extras/custom-fields', one)).status).toBe(204);
  });
});

describe('nothing dangles', () => {
  test('of what is kept about an object, wherever that is', async () => {
    const site = await lab.site();
    const about = { object_type: 'dcim.site', object_id: site.id };
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
    const tag = await lab.make('extras/tags', lab.named('tag'));
    const kept = await lab.make('extras/tags', lab.named('tag'));
    const carried = { tags: [tag.id, kept.id] };
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
    const device = await lab.device();
    const port = await lab.interface(device);
    const of = { assigned_object_type: 'dcim.interface', assigned_object_id: port.id };
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
