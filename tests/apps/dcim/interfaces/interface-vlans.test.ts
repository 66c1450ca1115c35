import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../../support/client.ts';
import { device, kit, used } from '../../../support/objects/components.ts';
import { nextVid, unique } from '../../../support/unique.ts';
import { machine } from '../../../support/objects/virtualization.ts';

const ids = (vlans: Body[]): number[] => vlans.map((vlan) => vlan.id);
const REFUSED = { tagged_vlans: ['Interface mode does not support tagged vlans'] };

let vm: Body;
let one: Body;
let two: Body;
beforeAll(async () => {
  vm = await machine();
  [one, two] = await kit.make('ipam/vlans', [
    { vid: nextVid(), name: unique('vlan') },
    { vid: nextVid(), name: unique('vlan') },
  ]);
});

const KINDS = {
  'dcim/interfaces': () => ({ device: device.id, name: unique('eth'), type: '1000base-t' }),
  'virtualization/interfaces': () => ({ virtual_machine: vm.id, name: unique('eth') }),
};
type Kind = keyof typeof KINDS;
const make = (kind: Kind, more: object): Promise<Body> => kit.make(kind, { ...KINDS[kind](), ...more });
const keptBy: [Kind, string | null][] = [
  ['dcim/interfaces', 'tagged'],
  ['dcim/interfaces', 'q-in-q'],
  ...['tagged', 'q-in-q', 'access', 'tagged-all', null].map((mode): [Kind, string | null] => [
    'virtualization/interfaces',
    mode,
  ]),
];

describe.each(keptBy)('tagged VLANs of %s in mode %s', (kind, mode) => {
  const shown = async (id: number) => ids((await kit.read(`${kind}/${id}`)).tagged_vlans);

  test('are kept when an interface comes with them', async () => {
    const port = await make(kind, { mode, tagged_vlans: [one.id] });
    expect([ids(port.tagged_vlans), await shown(port.id)]).toEqual([[one.id], [one.id]]);
  });

  test('are kept when a change names them, and told', async () => {
    const [port, other] = [await make(kind, { mode: 'tagged', tagged_vlans: [two.id] }), await make(kind, {})];
    const { headers, status, body } = await used.admin.patch(`/api/${kind}/${port.id}/`, {
      mode,
      tagged_vlans: [one.id],
    });
    expect([status, ids(body.tagged_vlans)]).toEqual([200, [one.id]]);
    const records = await used.admin.read(
      `/api/core/object-changes/?request_id=${headers.get('x-request-id')}&changed_object_id=${port.id}`,
    );
    expect(records.results.map((r: Body) => r.postchange_data.tagged_vlans)).toEqual([[one.id]]);
    expect(
      (await used.admin.put(`/api/${kind}/${other.id}/`, { ...KINDS[kind](), mode, tagged_vlans: [one.id] })).status,
    ).toBe(200);
    const bulk = await used.admin.patch(`/api/${kind}/`, [
      { id: port.id, tagged_vlans: [two.id] },
      { id: other.id, description: 'left alone' },
    ]);
    expect([bulk.status, await shown(port.id), await shown(other.id)]).toEqual([
      200,
      [two.id],
      mode === 'tagged' ? [one.id] : [],
    ]);
  });

  test('go with a change that does not name them, unless the mode is tagged', async () => {
    for (const change of ['patch', 'put'] as const) {
      const port = await make(kind, { mode, tagged_vlans: [one.id] });
      const body = change === 'put' ? { ...KINDS[kind](), name: port.name } : {};
      expect((await used.admin[change](`/api/${kind}/${port.id}/`, { ...body, description: 'x' })).status).toBe(200);
      expect(await shown(port.id)).toEqual(mode === 'tagged' ? [one.id] : []);
    }
  });
});

describe.each(['access', 'tagged-all', null])('an interface of a device in mode %s', (mode) => {
  test('is refused with tagged VLANs, also those that it has', async () => {
    const body = { ...KINDS['dcim/interfaces'](), mode, tagged_vlans: [one.id] };
    expect(await kit.refused('post', 'dcim/interfaces', body)).toEqual([400, REFUSED]);
    const port = await make('dcim/interfaces', { mode: 'tagged', tagged_vlans: [one.id] });
    expect(await kit.refused('patch', `dcim/interfaces/${port.id}`, { mode })).toEqual([400, REFUSED]);
    expect(await kit.refused('post', 'dcim/interfaces', [KINDS['dcim/interfaces'](), body])).toEqual([
      400,
      [{}, REFUSED],
    ]);
    expect(ids((await kit.read(`dcim/interfaces/${port.id}`)).tagged_vlans)).toEqual([one.id]);
    expect((await kit.patch(`dcim/interfaces/${port.id}`, { mode, tagged_vlans: [] })).tagged_vlans).toEqual([]);
  });
});
