import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { unique } from '../../support/unique.ts';
import {
  used,
  providers,
  accounts,
  virtualTypes,
  virtuals,
  ends,
  named,
  network,
  interfaces,
  refused,
} from '../../support/objects/circuits.ts';

describe('virtual circuits', () => {
  test('are billed by the provider of their network', async () => {
    const [one, other, type] = [await named(providers), await named(providers), await named(virtualTypes)];
    const cloud = await network(one.id);
    const [right, wrong] = [
      await used.admin.make(accounts, { provider: one.id, account: unique('A') }),
      await used.admin.make(accounts, { provider: other.id, account: unique('A') }),
    ];
    const body = { cid: unique('V'), provider_network: cloud.id, type: type.id };
    expect(await refused(virtuals, { ...body, provider_account: wrong.id })).toEqual([
      400,
      { provider_account: ['The assigned account must belong to the provider of the assigned network.'] },
    ]);
    const made = await used.admin.make(virtuals, { ...body, provider_account: right.id });
    expect(await refused(virtuals, body)).toEqual([
      400,
      { __all__: ['Virtual circuit with this Provider network and Circuit ID already exists.'] },
    ]);
    expect(await used.admin.column(`${virtuals}?provider=${one.slug}&provider_account=${right.account}`, 'id')).toEqual(
      [made.id],
    );
    expect((await used.admin.read(`${virtualTypes}${type.id}/`)).virtual_circuit_count).toBe(1);
  });

  test('end at virtual interfaces, each of which ends one', async () => {
    const [one, other, port] = (await interfaces('virtual', 'virtual', '1000base-t')) as [Body, Body, Body];
    const provider = await named(providers);
    const cloud = await network(provider.id);
    const type = await named(virtualTypes);
    const line = await used.admin.make(virtuals, { cid: unique('V'), provider_network: cloud.id, type: type.id });
    const made = await used.admin.make(ends, { virtual_circuit: line.id, interface: one.id });
    expect(Object.keys(made)).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'virtual_circuit',
      'role',
      'interface',
      'description',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
    ]);
    expect(made).toMatchObject({
      display: `${line.cid}: Peer termination`,
      role: { value: 'peer', label: 'Peer' },
      interface: { id: one.id, name: 'if0' },
      virtual_circuit: { id: line.id, cid: line.cid, provider_network: { id: cloud.id } },
    });
    expect(await refused(ends, { virtual_circuit: line.id, interface: one.id })).toEqual([
      400,
      { interface: ['virtual circuit termination with this interface already exists.'] },
    ]);
    expect(await refused(ends, { virtual_circuit: line.id, interface: port.id })).toEqual([
      400,
      { __all__: ['Virtual circuits may be terminated only to virtual interfaces.'] },
    ]);
    const second = await used.admin.make(ends, { virtual_circuit: line.id, interface: other.id, role: 'hub' });
    for (const [filter, ids] of [
      [`interface_id=${one.id}`, [made.id]],
      [`provider=${provider.slug}`, [second.id, made.id]],
      [`provider_network_id=${cloud.id}&role=hub`, [second.id]],
      [`q=${line.cid}`, [second.id, made.id]],
    ] as const) {
      expect([filter, await used.admin.column(`${ends}?${filter}`, 'id')]).toEqual([filter, ids]);
    }
    expect(await used.admin.read(`${ends}${made.id}/paths/`)).toEqual([
      {
        id: line.id,
        path: [[expect.objectContaining({ id: one.id })], [expect.objectContaining({ id: made.id })]],
        is_active: true,
        is_complete: false,
        is_split: false,
      },
    ]);
    expect((await used.admin.patch(`${ends}${made.id}/`, { role: 'spoke' })).status).toBe(200);
    expect(await used.admin.read(`${ends}${made.id}/paths/`)).toMatchObject([
      {
        path: [
          [{ id: one.id, name: 'if0' }],
          [{ id: made.id }],
          [{ id: second.id, role: { value: 'hub' } }],
          [{ id: other.id, name: 'if1' }],
        ],
        is_complete: true,
      },
    ]);
    await eventually(async () => {
      expect(await used.admin.read(`/api/dcim/interfaces/${one.id}/`)).toMatchObject({
        connected_endpoints: [
          {
            id: second.id,
            url: second.url,
            virtual_circuit: { id: line.id },
            role: { value: 'hub' },
            interface: { id: other.id },
          },
        ],
        connected_endpoints_type: 'circuits.virtualcircuittermination',
      });
    });
    expect((await used.admin.get(`${ends}999999/paths/`)).status).toBe(404);
    expect((await used.admin.delete(`/api/dcim/interfaces/${one.id}/`)).status).toBe(204);
    await eventually(async () => {
      expect((await used.admin.get(`${ends}${made.id}/`)).status).toBe(404);
    });
    expect((await used.admin.delete(`${virtuals}${line.id}/`)).status).toBe(204);
    expect((await used.admin.get(`${ends}${second.id}/`)).status).toBe(404);
  });
});
