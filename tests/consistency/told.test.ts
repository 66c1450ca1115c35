import { expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

// Objects of one service that are shown inside those of another that keeps no copy of them: after any change they
// look the same everywhere.

const used = useSystem();
const lab = new Equipment(() => used.admin);
const journal = (type: string, { id }: Body) =>
  lab.make('extras/journal-entries', { assigned_object_type: type, assigned_object_id: id, comments: 'x' });
/** The brief form of an object, as its own service shows it. */
const brief = (path: string, { id }: Body) => used.admin.read(`/api/${path}/${id}/?brief=true`);
/** Waits until a member of another object shows an object as its own service does. */
const shows = (holder: string, { id }: Body, member: string, path: string, object: Body) =>
  eventually(async () => {
    const expected = await brief(path, object);
    expect((await lab.read(`${holder}/${id}`))[member]).toEqual(expected);
    const { results } = await used.admin.read(`/api/${holder}/?id=${id}`);
    expect(results[0][member]).toEqual(expected);
  });

test('a device without a name follows its type and the maker of that, wherever it is shown', async () => {
  const maker = await lab.make('dcim/manufacturers', lab.named('maker'));
  const type = await lab.deviceType({ manufacturer: maker.id });
  const device = await lab.device({ name: null, device_type: type.id });
  const about = { object_type: 'dcim.device', object_id: device.id };
  const { id: user } = await userWith(used.admin);
  const tag = await lab.make('extras/tags', lab.named('tag'));
  await lab.patch(`dcim/devices/${device.id}`, { tags: [tag.id] });
  const holders: [string, Body, string][] = [
    ['extras/journal-entries', await journal('dcim.device', device), 'assigned_object'],
    ['extras/bookmarks', await lab.make('extras/bookmarks', { ...about, user }), 'object'],
    ['extras/subscriptions', await lab.make('extras/subscriptions', { ...about, user }), 'object'],
    [
      'tenancy/contact-assignments',
      await lab.make('tenancy/contact-assignments', {
        ...about,
        contact: (await lab.make('tenancy/contacts', { name: unique('c') })).id,
        role: (await lab.make('tenancy/contact-roles', lab.named('role'))).id,
      }),
      'object',
    ],
    [
      'extras/tagged-objects',
      await eventually(async () => {
        const { results } = await used.admin.read(`/api/extras/tagged-objects/?tag_id=${tag.id}`);
        expect(results).toHaveLength(1);
        return results[0];
      }),
      'object',
    ],
  ];
  for (const [path, made, member] of holders)
    expect([path, (await lab.read(`${path}/${made.id}`))[member].display]).toEqual([
      path,
      `${maker.name} ${type.model} (${device.id})`,
    ]);
  const model = unique('renamed');
  await lab.patch(`dcim/device-types/${type.id}`, { model });
  for (const [path, made, member] of holders) await shows(path, made, member, 'dcim/devices', device);
  await lab.patch(`dcim/manufacturers/${maker.id}`, { name: unique('another') });
  for (const [path, made, member] of holders) await shows(path, made, member, 'dcim/devices', device);
  expect((await brief('dcim/devices', device)).display).toContain(model);
});

test('what is shown inside the object follows, and so do its counts and its place', async () => {
  const device = await lab.device();
  const type = await lab.moduleType();
  const port = await lab.interface(device);
  const prefix = await lab.make('ipam/prefixes', {
    prefix: '10.7.7.0/24',
    vrf: (await lab.make('ipam/vrfs', { name: unique('vrf') })).id,
  });
  const holders: [string, Body, Body][] = [];
  for (const [path, of, object] of [
    ['dcim/interfaces', 'dcim.interface', port],
    ['dcim/module-types', 'dcim.moduletype', type],
    ['ipam/prefixes', 'ipam.prefix', prefix],
  ] as const)
    holders.push([path, await journal(of, object), object]);
  for (const [path, entry, object] of holders)
    await shows('extras/journal-entries', entry, 'assigned_object', path, object);
  await lab.patch(`dcim/devices/${device.id}`, { name: unique('renamed') });
  const bay = await lab.make('dcim/module-bays', { device: device.id, name: unique('bay') });
  await lab.make('dcim/modules', { device: device.id, module_bay: bay.id, module_type: type.id });
  await lab.make('ipam/prefixes', { prefix: '10.7.0.0/16', vrf: prefix.vrf.id });
  for (const [path, entry, object] of holders)
    await shows('extras/journal-entries', entry, 'assigned_object', path, object);
  expect([
    (await brief('dcim/module-types', type)).module_count,
    (await brief('ipam/prefixes', prefix))._depth,
  ]).toEqual([1, 1]);
});

test('what it shows of a third service follows', async () => {
  const site = await lab.site();
  const provider = await lab.make('circuits/providers', lab.named('provider'));
  const kind = await lab.make('circuits/circuit-types', lab.named('kind'));
  const circuit = await lab.make('circuits/circuits', { cid: unique('c'), provider: provider.id, type: kind.id });
  const end = await lab.make('circuits/circuit-terminations', {
    circuit: circuit.id,
    term_side: 'A',
    termination_type: 'dcim.site',
    termination_id: site.id,
    tags: [(await lab.make('extras/tags', lab.named('tag'))).id],
  });
  const held = await eventually(async () => {
    const { results } = await used.admin.read(`/api/extras/tagged-objects/?tag_id=${end.tags[0].id}`);
    expect(results).toHaveLength(1);
    return results[0];
  });
  await shows('extras/tagged-objects', held, 'object', 'circuits/circuit-terminations', end);
  const port = await lab.interface(await lab.device({ site: site.id }));
  await lab.make('dcim/cables', {
    a_terminations: [{ object_type: 'circuits.circuittermination', object_id: end.id }],
    b_terminations: [{ object_type: 'dcim.interface', object_id: port.id }],
  });
  await eventually(async () => expect((await brief('circuits/circuit-terminations', end))._occupied).toBe(true));
  await shows('extras/tagged-objects', held, 'object', 'circuits/circuit-terminations', end);
});

test('custom fields show objects of any type, in every service, as they are', async () => {
  const provider = await lab.make('circuits/providers', lab.named('provider'));
  const kind = await lab.make('circuits/circuit-types', lab.named('kind'));
  const circuit = await lab.make('circuits/circuits', { cid: unique('c'), provider: provider.id, type: kind.id });
  const type = await lab.moduleType();
  const name = `f_${unique('').replaceAll('-', '')}`;
  const list = `g_${unique('').replaceAll('-', '')}`;
  const fields = [
    await lab.make('extras/custom-fields', {
      name,
      type: 'object',
      related_object_type: 'circuits.circuit',
      object_types: ['ipam.vrf'],
    }),
    await lab.make('extras/custom-fields', {
      name: list,
      type: 'multiobject',
      related_object_type: 'dcim.moduletype',
      object_types: ['ipam.vrf'],
    }),
  ];
  const vrf = await lab.make('ipam/vrfs', {
    name: unique('vrf'),
    custom_fields: { [name]: circuit.id, [list]: [type.id] },
  });
  expect(vrf.custom_fields).toMatchObject({
    [name]: await brief('circuits/circuits', circuit),
    [list]: [await brief('dcim/module-types', type)],
  });
  await lab.patch(`circuits/providers/${provider.id}`, { name: unique('renamed') });
  await lab.patch(`dcim/module-types/${type.id}`, { model: unique('renamed') });
  // No event is waited for here: the owner is asked.
  expect((await lab.read(`ipam/vrfs/${vrf.id}`)).custom_fields).toMatchObject({
    [name]: await brief('circuits/circuits', circuit),
    [list]: [await brief('dcim/module-types', type)],
  });
  for (const { id } of fields) expect((await used.admin.delete(`/api/extras/custom-fields/${id}/`)).status).toBe(204);
});
