import { describe, expect, test } from '@jest/globals';
import type { Answer, Body } from '../../support/client.ts';
import { Equipment } from '../../support/objects/equipment.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';
import { userWith } from '../../support/users.ts';

const used = useSystem();
const lab = new Equipment(() => used.admin);
const CHANGES = '/api/extras/object-changes/';
const ALL = '&limit=1000';

/** The change records of a request, each as `<action> <type> <id>`, sorted. */
async function changesOf({ headers }: Answer): Promise<string[]> {
  const { results } = await used.admin.read(`${CHANGES}?request_id=${headers.get('x-request-id')}${ALL}`);
  return (results as Body[])
    .map(({ action, changed_object_type: type, changed_object_id: id }) => `${action.value} ${type} ${id}`)
    .sort();
}

describe('a client that reads the change records right after writing', () => {
  /** An object of each service that has change records, and something to change in it. */
  const kinds: [path: string, type: string, body: () => object, change: object][] = [
    ['dcim/sites', 'dcim.site', () => lab.named('log'), { description: 'x' }],
    ['tenancy/tenants', 'tenancy.tenant', () => lab.named('log'), { description: 'x' }],
    ['ipam/vrfs', 'ipam.vrf', () => ({ name: unique('log') }), { description: 'x' }],
    ['circuits/providers', 'circuits.provider', () => lab.named('log'), { description: 'x' }],
    ['virtualization/cluster-types', 'virtualization.clustertype', () => lab.named('log'), { description: 'x' }],
    ['extras/tags', 'extras.tag', () => lab.named('log'), { description: 'x' }],
    [
      'extras/webhooks',
      'extras.webhook',
      () => ({ name: unique('log'), payload_url: 'http://localhost:9000/' }),
      { description: 'x' },
    ],
  ];

  test('finds what was written, in whatever service, 50 times in a row', async () => {
    for (let round = 0; round < 50; round++) {
      const [path, type, body, change] = kinds[round % kinds.length]!;
      const made = await used.admin.make(`/api/${path}/`, body());
      const address = `/api/${path}/${made.id}/`;
      const last = async () =>
        (
          await used.admin.read(
            `${round % 2 ? CHANGES : '/api/core/object-changes/'}?changed_object_type=${type}&changed_object_id=${made.id}`,
          )
        ).results.map((r: Body) => r.action.value);
      if (round % 3 === 0) expect(await last()).toEqual(['create']);
      await used.admin.patch(address, change);
      if (round % 3 === 1) expect(await last()).toEqual(['update', 'create']);
      if (round % 3 !== 2) continue;
      expect((await used.admin.delete(address)).status).toBe(204);
      expect(await last()).toEqual(['delete', 'update', 'create']);
    }
  });

  test('finds the record by its address, too', async () => {
    const made = await used.admin.post('/api/dcim/sites/', lab.named('log'));
    const {
      results: [record],
    } = await used.admin.read(`${CHANGES}?request_id=${made.headers.get('x-request-id')}`);
    expect(await used.admin.read(`${CHANGES}${record.id}/`)).toEqual(record);
  });

  test('finds what carries a tag', async () => {
    const tag = await used.admin.make('/api/extras/tags/', lab.named('log'));
    for (let round = 0; round < 10; round++) {
      const site = await used.admin.make('/api/dcim/sites/', lab.named('log', { tags: [tag.id] }));
      expect(
        await used.admin.column(`/api/extras/tagged-objects/?object_type=dcim.site&object_id=${site.id}`, 'object_id'),
      ).toEqual([site.id]);
    }
  });
});

describe('a change record', () => {
  test('says who, by which request, with what message, and what was before and after', async () => {
    const site = await used.admin.make('/api/dcim/sites/', lab.named('log'));
    const { id, name, client } = await userWith(used.admin, { actions: ['view', 'change'] });
    const changed = await client.patch(`/api/dcim/sites/${site.id}/`, {
      description: 'new',
      changelog_message: 'why not',
    });
    const request = changed.headers.get('x-request-id')!;
    const { results } = await used.admin.read(`${CHANGES}?request_id=${request}`);
    expect(results).toEqual([
      expect.objectContaining({
        user: expect.objectContaining({ id }),
        user_name: name,
        request_id: request,
        message: 'why not',
        action: { value: 'update', label: 'Updated' },
        object_repr: site.name,
        changed_object_type: 'dcim.site',
        changed_object_id: site.id,
        changed_object: expect.objectContaining({ id: site.id }),
        prechange_data: expect.objectContaining({ description: '' }),
        postchange_data: expect.objectContaining({ description: 'new' }),
      }),
    ]);
    expect(results[0].prechange_data).not.toHaveProperty('last_updated');
  });

  test('keeps the name of a deleted user', async () => {
    const { id, name, client } = await userWith(used.admin, { actions: ['view', 'add'] });
    const made = await client.post('/api/dcim/sites/', lab.named('log'));
    const list = `${CHANGES}?request_id=${made.headers.get('x-request-id')}`;
    expect((await used.admin.read(list)).results[0]).toMatchObject({ user: { id }, user_name: name });
    expect((await used.admin.delete(`/api/users/users/${id}/`)).status).toBe(204);
    expect((await used.admin.read(list)).results[0]).toMatchObject({ user: null, user_name: name });
  });

  test('is about what the object belongs to as well', async () => {
    const device = await lab.device();
    const port = await lab.interface(device);
    const address = await used.admin.make('/api/ipam/ip-addresses/', {
      address: '192.0.2.7/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });
    const about = async (type: string, id: number) =>
      (await used.admin.read(`${CHANGES}?related_object_type=${type}&related_object_id=${id}`)).results.map(
        (r: Body) => [r.changed_object_type, r.changed_object_id],
      );
    expect(await about('dcim.device', device.id)).toEqual([['dcim.interface', port.id]]);
    expect(await about('dcim.interface', port.id)).toEqual([['ipam.ipaddress', address.id]]);
  });

  test('is for those who may see it', async () => {
    const [site, other] = [await lab.site(), await lab.site()];
    const nobody = await userWith(used.admin, { actions: ['view'] });
    const some = await userWith(used.admin, {
      types: ['core.objectchange'],
      actions: ['view'],
      constraints: { changed_object_id: site.id, changed_object_type: 'dcim.site' },
    });
    for (const path of [CHANGES, '/api/core/object-changes/']) {
      expect((await nobody.client.get(path)).status).toBe(403);
      expect(await some.client.column(path, 'changed_object_id')).toEqual([site.id]);
      const {
        results: [hidden],
      } = await used.admin.read(`${path}?changed_object_type=dcim.site&changed_object_id=${other.id}`);
      expect((await some.client.get(`${path}${hidden.id}/`)).status).toBe(404);
      expect((await used.admin.post(path, {})).status).toBe(405);
    }
  });
});

describe('each object that a request touches has exactly one record', () => {
  test('when many are made, changed and deleted at once', async () => {
    const made = await used.admin.post(
      '/api/dcim/sites/',
      Array.from({ length: 30 }, (_, i) => lab.named('log', { changelog_message: `m${i}` })),
    );
    const ids = (made.body as Body[]).map(({ id }) => id as number);
    const named = (action: string) => ids.map((id) => `${action} dcim.site ${id}`).sort();
    expect(await changesOf(made)).toEqual(named('create'));
    expect(
      await changesOf(
        await used.admin.patch(
          '/api/dcim/sites/',
          ids.map((id) => ({ id, description: 'x' })),
        ),
      ),
    ).toEqual(named('update'));
    const deleted = await used.admin.delete(
      '/api/dcim/sites/',
      ids.map((id, i) => ({ id, changelog_message: `d${i}` })),
    );
    expect(await changesOf(deleted)).toEqual(named('delete'));
    const { results } = await used.admin.read(`${CHANGES}?request_id=${deleted.headers.get('x-request-id')}${ALL}`);
    expect(new Set((results as Body[]).map(({ message }) => message)).size).toBe(30);
  });

  test('when a tree goes, with what it took along and what it let go of', async () => {
    const top = await used.admin.make('/api/dcim/regions/', lab.named('log'));
    const below = await used.admin.make('/api/dcim/regions/', lab.named('log', { parent: top.id }));
    const site = await lab.site({ region: below.id });
    expect(await changesOf(await used.admin.delete(`/api/dcim/regions/${top.id}/`))).toEqual(
      [`delete dcim.region ${top.id}`, `delete dcim.region ${below.id}`, `update dcim.site ${site.id}`].sort(),
    );
  });

  test('in all services: what goes with a device, and what loses it', async () => {
    const device = await lab.device();
    const port = await lab.interface(device);
    const address = await used.admin.make('/api/ipam/ip-addresses/', {
      address: '198.51.100.9/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });
    const service = await used.admin.make('/api/ipam/services/', {
      name: unique('svc'),
      protocol: 'tcp',
      ports: [80],
      parent_object_type: 'dcim.device',
      parent_object_id: device.id,
    });
    const entry = await used.admin.make('/api/extras/journal-entries/', {
      assigned_object_type: 'dcim.device',
      assigned_object_id: device.id,
      comments: 'x',
    });
    const type = device.device_type.id as number;
    const deleted = await used.admin.delete(`/api/dcim/devices/${device.id}/`);
    expect(deleted.status).toBe(204);
    const expected = [
      `delete dcim.device ${device.id}`,
      `delete dcim.interface ${port.id}`,
      `delete ipam.ipaddress ${address.id}`,
      `delete ipam.service ${service.id}`,
      `delete extras.journalentry ${entry.id}`,
    ].sort();
    await eventually(async () => expect(await changesOf(deleted)).toEqual(expected));
    const { results } = await used.admin.read(`${CHANGES}?request_id=${deleted.headers.get('x-request-id')}${ALL}`);
    expect(new Set((results as Body[]).map(({ user_name: user }) => user))).toEqual(new Set(['admin']));
    expect((await used.admin.get(`/api/dcim/device-types/${type}/`)).body.device_count).toBe(0);
  });

  test('when it is written and nothing changes: none', async () => {
    const site = await lab.site();
    expect(await changesOf(await used.admin.patch(`/api/dcim/sites/${site.id}/`, { description: '' }))).toEqual([]);
  });
});
