import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../../support/client.ts';
import { kit, used } from '../../../support/objects/components.ts';
import { eventually } from '../../../support/eventually.ts';
import { nextNetwork, unique } from '../../../support/unique.ts';

const chassis = (more: object = {}): Promise<Body> => kit.make('dcim/virtual-chassis', { name: unique('vc'), ...more });
const leaving = (device: Body, to: Body | null = null) => ({
  id: device.id,
  virtual_chassis: to && to.id,
  vc_position: to && device.vc_position,
});

/** A chassis of two devices. */
async function pair(): Promise<{ vc: Body; first: Body; second: Body }> {
  const vc = await chassis();
  const [first, second] = [
    await kit.device({ virtual_chassis: vc.id, vc_position: 1 }),
    await kit.device({ virtual_chassis: vc.id, vc_position: 2 }),
  ];
  return { vc, first: first!, second: second! };
}

const KINDS = {
  lag: { far: 'lag', near: '1000base-t', called: 'LAG' },
  bridge: { far: 'bridge', near: '1000base-t', called: 'bridge' },
  parent: { far: '1000base-t', near: 'virtual', called: 'parent interface' },
};
type Kind = keyof typeof KINDS;
async function linked(kind: Kind, first: Body, second: Body): Promise<{ far: Body; near: Body }> {
  const far = await kit.interface(first, { type: KINDS[kind].far });
  return { far, near: await kit.interface(second, { type: KINDS[kind].near, [kind]: far.id }) };
}
const refusal = (kind: Kind, near: Body, second: Body, far: Body, first: Body) => ({
  virtual_chassis: [
    `${near.name} of ${second.name} has its ${KINDS[kind].called} (${far.name}) on ${first.name}, so both devices must be in the same virtual chassis.`,
  ],
});
const of = async (kind: Kind, { id }: Body): Promise<number | undefined> =>
  (await kit.read(`dcim/interfaces/${id}`))[kind]?.id;

describe.each(Object.keys(KINDS) as Kind[])('a member with a %s on another member, or the other way round', (kind) => {
  test('does not leave, nor go to another chassis, alone or among many', async () => {
    const { first, second } = await pair();
    const { far, near } = await linked(kind, first, second);
    const right = refusal(kind, near, second, far, first);
    const elsewhere = await chassis();
    const lonely = await kit.device();
    for (const device of [first, second])
      for (const to of [null, elsewhere]) {
        const path = `/api/dcim/devices/${device.id}/`;
        const { id: _, ...body } = leaving(device, to);
        const patched = await used.admin.patch(path, body);
        expect([patched.status, patched.body]).toEqual([400, right]);
        const whole = { name: device.name, role: device.role.id, device_type: device.device_type.id };
        const put = await used.admin.put(path, { ...whole, site: device.site.id, ...body });
        expect([put.status, put.body]).toEqual([400, right]);
        const bulk = await used.admin.patch('/api/dcim/devices/', [
          { id: lonely.id, serial: 'x' },
          { id: device.id, ...body },
        ]);
        expect([bulk.status, bulk.body]).toEqual([400, [{}, right]]);
      }
    expect(await of(kind, near)).toBe(far.id);
    expect((await kit.read(`dcim/devices/${lonely.id}`)).serial).toBe('');
  });

  test('goes with it, and leaves once they have nothing of each other', async () => {
    const { first, second } = await pair();
    const { far, near } = await linked(kind, first, second);
    const elsewhere = await chassis();
    const together = await used.admin.patch(
      '/api/dcim/devices/',
      [first, second].map((device) => leaving(device, elsewhere)),
    );
    expect([together.status, await of(kind, near)]).toEqual([200, far.id]);
    const apart = await used.admin.patch(
      '/api/dcim/devices/',
      [first, second].map((device) => leaving(device)),
    );
    expect([apart.status, Object.keys(apart.body[0])]).toEqual([400, ['virtual_chassis']]);
    await kit.patch(`dcim/interfaces/${near.id}`, { [kind]: null });
    await kit.patch(`dcim/devices/${second.id}`, leaving(second));
  });

  test('does not become the master of a new chassis', async () => {
    const { first, second } = await pair();
    const { far, near } = await linked(kind, first, second);
    const body = { name: unique('vc'), master: second.id };
    const right = { master: refusal(kind, near, second, far, first).virtual_chassis };
    expect(await kit.refused('post', 'dcim/virtual-chassis', body)).toEqual([400, right]);
    expect(await kit.refused('post', 'dcim/virtual-chassis', [{ name: unique('vc') }, body])).toEqual([
      400,
      [{}, right],
    ]);
    expect((await kit.read(`dcim/devices/${second.id}`)).virtual_chassis.id).toBe(first.virtual_chassis.id);
  });

  test('meets who gives it one at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { first, second } = await pair();
      const far = await kit.interface(first, { type: KINDS[kind].far });
      const near = await kit.interface(second, { type: KINDS[kind].near });
      const gone = round % 2 ? first : second;
      const answers = await Promise.all([
        used.admin.patch(`/api/dcim/interfaces/${near.id}/`, { [kind]: far.id }),
        used.admin.patch(`/api/dcim/devices/${gone.id}/`, { virtual_chassis: null, vc_position: null }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const isAway = (await kit.read(`dcim/devices/${gone.id}`)).virtual_chassis === null;
      expect(isAway).toBe((await of(kind, near)) === undefined);
    }
  });
});

describe('the end of a chassis', () => {
  test('is refused while interfaces of one member are in the LAG of another', async () => {
    const { vc, first, second } = await pair();
    const { near } = await linked('lag', first, second);
    const [status, { detail }] = await kit.refused('delete', `dcim/virtual-chassis/${vc.id}`);
    expect([status, detail]).toEqual([409, expect.stringContaining(near.name)]);
  });

  test('ends their bridges and parents, and says so', async () => {
    const { vc, first, second } = await pair();
    const links = [await linked('bridge', first, second), await linked('parent', second, first)] as const;
    const same = await linked('bridge', first, first);
    const { status, headers } = await used.admin.delete(`/api/dcim/virtual-chassis/${vc.id}/`);
    expect(status).toBe(204);
    expect([await of('bridge', links[0].near), await of('parent', links[1].near)]).toEqual([undefined, undefined]);
    expect(await of('bridge', same.near)).toBe(same.far.id);
    const records = await used.admin.read(
      `/api/core/object-changes/?request_id=${headers.get('x-request-id')}&changed_object_type=dcim.interface`,
    );
    expect(records.results.map((r: Body) => [r.changed_object_id, r.action.value]).sort()).toEqual(
      links.map(({ near }) => [near.id, 'update']).sort(),
    );
  });
});

describe('an address on an interface of another member', () => {
  const addressOn = (port: Body): Promise<Body> =>
    kit.make('ipam/ip-addresses', {
      address: `${nextNetwork().four}.1/24`,
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });

  test('that stands for a device keeps both in the chassis', async () => {
    const { first, second } = await pair();
    const port = await kit.interface(second);
    const address = await addressOn(port);
    const context = await kit.make('dcim/virtual-device-contexts', {
      name: unique('vdc'),
      device: first.id,
      status: 'active',
    });
    const left = () => kit.refused('patch', `dcim/devices/${second.id}`, leaving(second));
    const rest = `on ${second.name}, so both devices must be in the same virtual chassis.`;
    for (const [path, field, called] of [
      [`dcim/devices/${first.id}`, 'primary_ip4', `${first.name} has its primary IPv4 address`],
      [`dcim/devices/${first.id}`, 'oob_ip', `${first.name} has its OOB IP address`],
      [
        `dcim/virtual-device-contexts/${context.id}`,
        'primary_ip4',
        `${context.name} of ${first.name} has its primary IPv4 address`,
      ],
    ] as const) {
      await kit.patch(path, { [field]: address.id });
      expect(await left()).toEqual([400, { virtual_chassis: [`${called} (${address.address}) ${rest}`] }]);
      await kit.patch(path, { [field]: null });
    }
    expect((await used.admin.patch(`/api/dcim/devices/${second.id}/`, leaving(second))).status).toBe(200);
  });

  test('is nobody’s primary address once the chassis is gone', async () => {
    const { vc, first, second } = await pair();
    const [own, others] = [await addressOn(await kit.interface(first)), await addressOn(await kit.interface(second))];
    await kit.patch(`dcim/devices/${first.id}`, { primary_ip4: others.id, oob_ip: own.id });
    expect((await used.admin.delete(`/api/dcim/virtual-chassis/${vc.id}/`)).status).toBe(204);
    await eventually(async () =>
      expect(await kit.read(`dcim/devices/${first.id}`)).toMatchObject({ primary_ip4: null, oob_ip: { id: own.id } }),
    );
    await kit.patch(`dcim/devices/${first.id}`, { description: 'can be changed' });
  });
});

test('a virtual context keeps its device while interfaces there are part of it', async () => {
  const { first, second } = await pair();
  const context = await kit.make('dcim/virtual-device-contexts', {
    name: unique('vdc'),
    device: first.id,
    status: 'active',
  });
  const port = await kit.interface(first, { vdcs: [context.id] });
  const path = `dcim/virtual-device-contexts/${context.id}`;
  expect(await kit.refused('patch', path, { device: second.id })).toEqual([
    400,
    { device: [`Interface ${port.name} of ${first.name} is part of this virtual device context.`] },
  ]);
  await kit.patch(`dcim/interfaces/${port.id}`, { vdcs: [] });
  expect((await kit.patch(path, { device: second.id })).device.id).toBe(second.id);
});
