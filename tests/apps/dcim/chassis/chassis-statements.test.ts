// The number of SQL statements for members of virtual chassis is the same for many as for one.
import { expect, test } from '@jest/globals';
import { ask, costOf } from '../../../support/statements.ts';

const make = async <T extends object | object[]>(
  path: string,
  body: T,
): Promise<{ [K in keyof T]: { id: number } } & { id: number }> =>
  JSON.parse((await ask('POST', `/api/dcim/${path}/`, body)).body);

test('members with interfaces across cost the same to link and to let go, however many', async () => {
  const { id: manufacturer } = await make('manufacturers', { name: 'Maker', slug: 'maker' });
  const { id: role } = await make('device-roles', { name: 'Role', slug: 'role' });
  const { id: device_type } = await make('device-types', { manufacturer, model: 'Box', slug: 'box', u_height: 0 });
  const costs: Record<string, number>[] = [];
  for (const n of [1, 4, 12]) {
    const { id: virtual_chassis } = await make('virtual-chassis', { name: `vc${n}` });
    const [first, ...others] = await make(
      'devices',
      Array.from({ length: n + 1 }, (_, i) => ({
        name: `d${n}-${i}`,
        site: 1,
        role,
        device_type,
        virtual_chassis,
        vc_position: i,
      })),
    );
    const bridge = await make('interfaces', { device: first!.id, name: 'br0', type: 'bridge' });
    const bridged = others.map(({ id: device }) => ({ device, name: 'x', type: 'virtual', bridge: bridge.id }));
    const linked = await costOf('POST', '/api/dcim/interfaces/', bridged);
    const ports = JSON.parse((await ask('GET', `/api/dcim/interfaces/?bridge_id=${bridge.id}&limit=0`)).body)
      .results as { id: number }[];
    expect(ports).toHaveLength(n);
    const leaving = others.map(({ id }) => ({ id, virtual_chassis: null, vc_position: null }));
    await expect(ask('PATCH', '/api/dcim/devices/', leaving)).rejects.toThrow('400');
    const ended = await costOf('DELETE', `/api/dcim/virtual-chassis/${virtual_chassis}/`);
    const { id: next } = await make('virtual-chassis', { name: `vc${n}-next` });
    await ask(
      'PATCH',
      '/api/dcim/devices/',
      others.map(({ id }, i) => ({ id, virtual_chassis: next, vc_position: i })),
    );
    costs.push({
      linked: linked.length,
      ended: ended.length,
      left: (await costOf('PATCH', '/api/dcim/devices/', leaving)).length,
    });
  }
  expect(costs).toEqual(costs.map(() => costs[0]));
});
