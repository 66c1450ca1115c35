import { describe, expect, test } from '@jest/globals';
import { expectAlike } from '../../../support/objects/alike.ts';
import type { Body } from '../../../support/client.ts';
import { eventually } from '../../../support/eventually.ts';
import { endOf } from '../../../support/objects/plant.ts';
import { unique } from '../../../support/unique.ts';
import { used, bench, again, ids, traced, pathsOver, endpoints } from '../../../support/objects/paths.ts';

describe('a path', () => {
  test('leads over one cable', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const cable = await bench.cable(a, b, { type: 'smf', length: 2.5, length_unit: 'km', label: unique('L') });
    expect(await again(a)).toMatchObject({
      connected_endpoints_type: 'dcim.interface',
      connected_endpoints: [{ id: b.id, cable: { id: cable.id }, _occupied: true }],
      connected_endpoints_reachable: true,
    });
    const [[near, over, far]] = await used.admin.read(`${a.url}trace/`);
    expect([ids(near), ids(far)]).toEqual([[a.id], [b.id]]);
    expect(over).toEqual({
      id: cable.id,
      url: cable.url,
      display_url: cable.display_url,
      type: 'smf',
      status: 'connected',
      label: cable.label,
      color: '',
      length: 2.5,
      length_unit: 'km',
      description: '',
    });
    expect(await used.admin.read(`${(await bench.port()).url}trace/`)).toEqual([]);
    expect((await used.admin.get('/api/dcim/interfaces/999999999/trace/')).status).toBe(404);
  });

  test('is no connection while it leads nowhere', async () => {
    const [
      one,
      other,
      {
        front: [front],
        rear: [rear],
      },
    ] = [await bench.port(), await bench.port(), await bench.panel(1)];
    const connected = (truth: boolean) =>
      used.admin.column(`/api/dcim/interfaces/?connected=${truth}&id=${one.id}&id=${other.id}&ordering=id`, 'id');
    await bench.cable(one, front!);
    expect([await connected(true), await connected(false)]).toEqual([[], [one.id, other.id]]);
    await bench.cable(rear!, other);
    expect([await connected(true), await connected(false)]).toEqual([[one.id, other.id], []]);
  });

  test('is there, but not to be relied on, while a cable is only planned', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const cable = await bench.cable(a, b, { status: 'planned' });
    expect(await endpoints(a)).toEqual([[b.id], false]);
    await used.admin.patch(cable.url, { status: 'connected' });
    expect(await endpoints(a)).toEqual([[b.id], true]);
    expect(await used.admin.column(`/api/dcim/interfaces/?connected=true&id=${a.id}&id=${b.id}`, 'id')).toHaveLength(2);
    await used.admin.patch(cable.url, { status: 'decommissioning' });
    expect(await used.admin.column(`/api/dcim/interfaces/?connected=true&id=${a.id}&id=${b.id}`, 'id')).toEqual([]);
  });

  test('leads through panels, whatever is laid first', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    const [left, right] = [await bench.panel(1), await bench.panel(1)];
    const patch = await bench.cable(a, left.front[0]!);
    const far = await bench.cable(right.front[0]!, b);
    expect(await traced(a)).toEqual([`${a.id} > ${patch.id} > ${left.front[0]!.id}`, `${left.rear[0]!.id} > - > `]);
    expect(await endpoints(a)).toEqual([null, false]);
    const [{ id: first }] = await pathsOver(left.front[0]!);
    const trunk = await bench.cable(left.rear[0]!, right.rear[0]!);
    expect(await traced(a)).toEqual([
      `${a.id} > ${patch.id} > ${left.front[0]!.id}`,
      `${left.rear[0]!.id} > ${trunk.id} > ${right.rear[0]!.id}`,
      `${right.front[0]!.id} > ${far.id} > ${b.id}`,
    ]);
    expect([await endpoints(a), await endpoints(b)]).toEqual([
      [[b.id], true],
      [[a.id], true],
    ]);
    const over = await pathsOver(left.rear[0]!);
    expect(over).toMatchObject([
      { id: first, is_active: true, is_complete: true, is_split: false },
      { is_complete: true },
    ]);
    expect(over[0].path.map(ids)).toEqual([
      [a.id],
      [patch.id],
      [left.front[0]!.id],
      [left.rear[0]!.id],
      [trunk.id],
      [right.rear[0]!.id],
      [right.front[0]!.id],
      [far.id],
      [b.id],
    ]);
    await used.admin.delete(trunk.url);
    expect([await endpoints(a), await endpoints(b)]).toEqual([
      [null, false],
      [null, false],
    ]);
    expect(await pathsOver(right.front[0]!)).toMatchObject([{ is_complete: false }]);
  });

  test('comes out of a trunk at the position where it went in', async () => {
    const [left, right] = [await bench.panel(3, { trunk: true }), await bench.panel(3, { trunk: true })];
    const near = await Promise.all([0, 1, 2].map(() => bench.port()));
    const far = await Promise.all([0, 1, 2].map(() => bench.port()));
    for (const i of [0, 2]) {
      await bench.cable(near[i]!, left.front[i]!);
      await bench.cable(right.front[i]!, far[i]!);
    }
    await bench.cable(left.rear[0]!, right.rear[0]!);
    expect([await endpoints(near[0]!), await endpoints(far[2]!)]).toEqual([
      [[far[0]!.id], true],
      [[near[2]!.id], true],
    ]);
    expect(await pathsOver(left.rear[0]!)).toHaveLength(4);
    // A port behind all of them is at the end of none of them.
    const behind = await bench.port();
    const panel = await bench.panel(2, { trunk: true });
    await bench.cable(behind, panel.rear[0]!);
    expect(await endpoints(behind)).toEqual([null, false]);
    expect(await pathsOver(panel.rear[0]!)).toMatchObject([{ is_split: true, is_complete: false }]);
  });

  test('follows ports that are wired anew', async () => {
    const [a, b, c] = [await bench.port(), await bench.port(), await bench.port()];
    const panel = await bench.panel(2);
    await bench.cable(a, panel.front[0]!);
    await bench.cable(panel.rear[0]!, b);
    await bench.cable(panel.rear[1]!, c);
    expect(await endpoints(a)).toEqual([[b.id], true]);
    await used.admin.patch(panel.front[1]!.url, { rear_ports: [] });
    await used.admin.patch(panel.front[0]!.url, {
      rear_ports: [{ position: 1, rear_port: panel.rear[1]!.id, rear_port_position: 1 }],
    });
    expect([await endpoints(a), await endpoints(b), await endpoints(c)]).toEqual([
      [[c.id], true],
      [null, false],
      [[a.id], true],
    ]);
    await used.admin.delete(panel.rear[1]!.url);
    expect([await endpoints(a), await endpoints(c)]).toEqual([
      [null, false],
      [null, false],
    ]);
  });

  test('may begin and end at several things', async () => {
    const [a, b, c] = [await bench.port(), await bench.port(), await bench.port()];
    await bench.cable(a, [b, c]);
    expect([await endpoints(a), await endpoints(b), await endpoints(c)]).toEqual([
      [[b.id, c.id], true],
      [[a.id], true],
      [[a.id], true],
    ]);
    expect(await traced(c)).toEqual(await traced(b));
  });

  test('does not lead through panels of several devices at once', async () => {
    const [left, right] = [await bench.panel(1), await bench.panel(1)];
    const ends = [left.front[0]!, right.front[0]!].map(endOf);
    const { status, body } = await used.admin.post('/api/dcim/cables/', {
      a_terminations: [endOf(await bench.port())],
      b_terminations: ends,
    });
    expect([status, body]).toEqual([400, { detail: 'All mid-span terminations must have the same parent object' }]);
    expect(await again(left.front[0]!)).toMatchObject({ cable: null, link_peers: [] });
  });

  test('goes on at the interface to which its end is bridged', async () => {
    const device = await bench.device();
    const [a, b] = [await bench.port(), await bench.port()];
    const one = await bench.part(device, 'interfaces');
    const two = await bench.part(device, 'interfaces', { bridge: one.id });
    await used.admin.patch(one.url, { bridge: two.id });
    const [first, second] = [await bench.cable(a, one), await bench.cable(two, b)];
    expect(await traced(a)).toEqual([`${a.id} > ${first.id} > ${one.id}`, `${two.id} > ${second.id} > ${b.id}`]);
  });
});

describe('over circuits', () => {
  const circuit = async (): Promise<Body> => {
    const slug = unique('c');
    const named = (path: string) => used.admin.make(path, { name: slug, slug });
    return used.admin.make('/api/circuits/circuits/', {
      cid: slug,
      provider: (await named('/api/circuits/providers/')).id,
      type: (await named('/api/circuits/circuit-types/')).id,
    });
  };
  const end = (of: Body, side: string, more: object = {}): Promise<Body> =>
    used.admin.make('/api/circuits/circuit-terminations/', {
      circuit: of.id,
      term_side: side,
      termination_type: 'dcim.site',
      termination_id: bench.site.id,
      ...more,
    });

  test('a path leads from one end to the other', async () => {
    const link = await circuit();
    const [a, z] = [await end(link, 'A'), await end(link, 'Z')];
    const [near, far] = [await bench.port(), await bench.port()];
    const first = await bench.cable(near, a);
    // dcim learns of circuits by events.
    await eventually(async () => {
      expect((await traced(near))[1]).toBe(`${z.id} > - > ${bench.site.id}`);
    });
    const second = await bench.cable(z, far);
    await eventually(async () => {
      expect(await traced(near)).toEqual([`${near.id} > ${first.id} > ${a.id}`, `${z.id} > ${second.id} > ${far.id}`]);
    });
    expect([await endpoints(near), await endpoints(far)]).toEqual([
      [[far.id], true],
      [[near.id], true],
    ]);
    expect(await pathsOver(a)).toMatchObject([
      {
        is_complete: true,
        path: [
          [{ id: near.id }],
          [{ id: first.id }],
          [{ id: a.id }],
          [{ id: z.id }],
          [{ id: second.id }],
          [{ id: far.id }],
        ],
      },
      { is_complete: true },
    ]);
    await eventually(async () => {
      expect(await again(a)).toMatchObject({
        cable: { id: first.id },
        cable_end: 'B',
        link_peers: [{ id: near.id }],
        link_peers_type: 'dcim.interface',
        _occupied: true,
      });
    });
    expect((await used.admin.delete(z.url)).status).toBe(204);
    await eventually(async () => {
      expect(await endpoints(near)).toEqual([null, false]);
    });
  });

  test('a path ends in the network of a provider, where no cable can be', async () => {
    const link = await circuit();
    const network = await used.admin.make('/api/circuits/provider-networks/', {
      provider: link.provider.id,
      name: unique('net'),
    });
    const a = await end(link, 'A');
    const z = await end(link, 'Z', { termination_type: 'circuits.providernetwork', termination_id: network.id });
    const near = await bench.port();
    await bench.cable(near, a);
    await eventually(async () => {
      expect(await again(near)).toMatchObject({
        connected_endpoints_type: 'circuits.providernetwork',
        connected_endpoints: [{ id: network.id, name: network.name }],
        connected_endpoints_reachable: true,
      });
    });
    const { status, body } = await used.admin.post('/api/dcim/cables/', {
      a_terminations: [{ object_type: 'dcim.interface', object_id: (await bench.port()).id }],
      b_terminations: [{ object_type: 'circuits.circuittermination', object_id: z.id }],
    });
    expect([status, body]).toEqual([
      400,
      { __all__: ['Circuit terminations attached to a provider network may not be cabled.'] },
    ]);
  });
});

describe('the device at the other end', () => {
  const ask = (device: string, port: string) =>
    used.admin.get(`/api/dcim/connected-device/?${new URLSearchParams({ peer_device: device, peer_interface: port })}`);
  test('is found by the names of device and interface', async () => {
    const [a, b] = [await bench.port(), await bench.port()];
    await bench.cable(a, b);
    const { status, body } = await ask(a.device.name, a.name);
    expect([status, body.id, body.name, body.device_type !== undefined]).toEqual([
      200,
      b.device.id,
      b.device.name,
      true,
    ]);
    expectAlike(body, await used.admin.read(`/api/dcim/devices/${b.device.id}/?exclude=config_context`));
  });
  test('is empty where nothing is connected, and must be asked for with both names', async () => {
    const alone = await bench.port();
    expect([
      (await ask(alone.device.name, alone.name)).status,
      (await ask(unique(), 'x')).status,
      (await ask(alone.device.name, unique())).status,
    ]).toEqual([404, 404, 404]);
    expect((await ask(alone.device.name, alone.name)).body).toEqual({ detail: 'Not found.' });
    expect((await ask('', 'x')).body).toEqual({
      detail: 'Request must include "peer_device" and "peer_interface" filters.',
    });
  });
  test.each(['', '?peer_device=x', '?peer_interface=x', '?peer_device=x&peer_interface=', '?limit=0'])(
    'is asked for in vain with “%s” alone, and what it answers can be asked',
    async (search) => {
      const path = `/api/dcim/connected-device/${search}`;
      const { status, body } = await used.admin.get(path);
      expect([status, body]).toEqual([
        400,
        { detail: 'Request must include "peer_device" and "peer_interface" filters.' },
      ]);
      const asked = await used.admin.ask('OPTIONS', path);
      expect([asked.status, asked.body.name]).toEqual([200, 'Connected Device Locator']);
    },
  );
  test('says in the API document that it refuses', async () => {
    const { paths } = await used.admin.read('/api/schema/?format=json');
    const { parameters, responses } = paths['/api/dcim/connected-device/'].get;
    expect(parameters.map((p: Body) => [p.name, p.required])).toEqual([
      ['peer_device', true],
      ['peer_interface', true],
    ]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '404']));
  });
});
