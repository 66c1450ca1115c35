// Lists of objects inside an object have the order of the list of these objects, whatever the order in which they were
// given, in every answer and record, also after one of them has moved: for every relation that shows a list.
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { apiPath, type Field, listedBy, loadCatalogue, type Model, orderingOf, orderTerm } from '@cadastre/model';
import type { Body } from '../support/client.ts';
import { FITTING } from '../support/objects/letting.ts';
import { Maker } from '../support/objects/maker.ts';
import { useSystem } from '../support/system.ts';
import { nextAsn, unique } from '../support/unique.ts';

const used = useSystem();
const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));

let known: Maker | undefined;
const maker = () => (known ??= new Maker(catalogue, used.admin));
const at = (model: Model, { id }: Body): string => `${apiPath(model)}${id}/`;

interface Shown {
  model: Model;
  name: string;
  field: Field;
  of: Model;
}

const shown: Shown[] = [...catalogue.models.values()]
  .filter(({ readOnly, part, fromEvents }) => !readOnly && !part && !fromEvents)
  .flatMap((model) =>
    Object.entries(model.fields).flatMap(([name, field]) => {
      const type = field.hidden ? undefined : listedBy(field);
      return type && catalogue.has(type) ? [{ model, name, field, of: catalogue.get(type) }] : [];
    }),
  );
const named = (lists: readonly Shown[]) => lists.map((one) => [`${one.model.name}.${one.name}`, one] as const);

const change = async (model: Model, object: Body, body: object): Promise<Body> => {
  const answer = await used.admin.patch(at(model, object), body);
  expect([answer.status, answer.status === 200 || answer.text]).toEqual([200, true]);
  return answer.body;
};

/** Three objects, created one after the other with random names. */
async function made(of: Model): Promise<Body[]> {
  const objects: Body[] = [];
  for (let i = 0; i < 3; i++) objects.push((await maker().make(of, { full: false })).made);
  return objects;
}

let tags: Promise<Body[]> | undefined;
/** Three objects for a list. Every type has tags, and all may share the same ones. */
const three = (of: Model): Promise<Body[]> => (of.name === 'extras.tag' ? (tags ??= made(of)) : made(of));

/** The ids of objects in the order of their list. */
const listed = async (of: Model, objects: readonly Body[]): Promise<number[]> =>
  used.admin.column(`${apiPath(of)}?${objects.map(({ id }) => `id=${id}`).join('&')}`, 'id');

/** The ids of a list inside an object. */
const idsOf = (list: Body[], objects: readonly Body[]): number[] =>
  list.map((one) => one.id ?? objects.find(({ slug }) => slug === one)?.id);

/** The list inside an object, when the object is read directly and in its list. */
async function seen({ model, name }: Shown, object: Body, objects: readonly Body[]): Promise<number[][]> {
  const alone = await used.admin.read(at(model, object));
  const { results } = await used.admin.read(`${apiPath(model)}?id=${object.id}`);
  return [alone, results[0]].map((one) => idsOf(one[name], objects));
}

/** Moves the first of some objects behind the others, by changing a field that they are sorted by. */
async function moved(of: Model, objects: readonly Body[]): Promise<boolean> {
  const [first] = await listed(of, objects);
  const terms = orderingOf(of).map((term) => orderTerm(of, term).field.replace(/^_sort$|^_name$/, 'name'));
  const term = terms.find((one) => ['text', 'integer'].includes(of.fields[one]?.kind ?? ''));
  if (!term || of.fields[term]!.readOnly) return false;
  const value = of.fields[term]!.kind === 'text' ? unique('zz') : term === 'asn' ? nextAsn() : 4000;
  const { status } = await used.admin.patch(at(of, { id: first }), { [term]: value });
  return status === 200;
}

describe('references to several', () => {
  const many = shown.filter(({ field }) => field.relation);
  test.each(named(many))('%s', async (label, one) => {
    const { model, name, of, field } = one;
    const objects = await three(of);
    const { made } = await maker().make(model, { full: false });
    const order = await listed(of, objects);
    const along = (await FITTING[label]?.(used.admin, made, objects[0])) ?? {};
    const answer = await change(model, made, { ...along, [name]: order.toReversed() });
    expect(idsOf(answer[name], objects)).toEqual(order);
    expect(await seen(one, made, objects)).toEqual([order, order]);
    if (model.features.has('changeLogging') && !field.special) {
      const { results } = await used.admin.read(
        `/api/core/object-changes/?changed_object_type=${model.name}&changed_object_id=${made.id}&action=update`,
      );
      expect(results[0].postchange_data[name]).toEqual(order);
    }
    if (!(await moved(of, objects))) return;
    const after = await listed(of, objects);
    expect(await seen(one, made, objects)).toEqual([after, after]);
  });
});

describe('what points here', () => {
  const back = shown.filter(({ field }) => field.reverse);
  test.each(named(back))('%s', async (_, one) => {
    const { model, field, of } = one;
    const by = of.fields[field.reverse!.field]!;
    const objects = await three(of);
    const { made } = await maker().make(model, { full: false });
    for (const [i, object] of objects.entries())
      await change(of, object, {
        ...(by.generic
          ? { [by.generic.typeField]: model.name, [by.generic.idField]: made.id }
          : { [field.reverse!.field]: by.relation!.many ? [made.id] : made.id }),
        // Each member of a chassis has a place of its own.
        ...(field.reverse!.field === 'virtual_chassis' ? { vc_position: 9 - i } : {}),
      });
    const order = await listed(of, objects);
    expect(await seen(one, made, objects)).toEqual([order, order]);
    if (!(await moved(of, objects))) return;
    const after = await listed(of, objects);
    expect(await seen(one, made, objects)).toEqual([after, after]);
  });
});

test('VLANs are sorted by their groups, which are another service’s to rename', async () => {
  const group = (name: string) => used.admin.make('/api/ipam/vlan-groups/', { name, slug: name });
  const [h, g] = [await group(unique('h')), await group(unique('g'))];
  const vlan = (vid: number, more: object) => used.admin.make('/api/ipam/vlans/', { vid, name: unique('v'), ...more });
  const vlans = [
    await vlan(4, {}),
    await vlan(10, { group: h.id }),
    await vlan(5, { group: h.id }),
    await vlan(6, { group: g.id }),
  ];
  const { made: machine } = await maker().make(catalogue.get('virtualization.virtualmachine'), { full: false });
  const { made: device } = await maker().make(catalogue.get('dcim.device'), { full: false });
  const given = { name: unique('eth'), mode: 'tagged', tagged_vlans: vlans.map(({ id }) => id) };
  const ports = [
    await used.admin.make('/api/virtualization/interfaces/', { ...given, virtual_machine: machine.id }),
    await used.admin.make('/api/dcim/interfaces/', { ...given, device: device.id, type: '1000base-t' }),
  ];
  const vids = async () =>
    Promise.all(
      ports.map(async ({ url }: Body) =>
        (await used.admin.read(new URL(url).pathname)).tagged_vlans.map(({ vid }: Body) => vid),
      ),
    );
  expect(await vids()).toEqual([
    [6, 5, 10, 4],
    [6, 5, 10, 4],
  ]);
  await used.admin.patch(`/api/ipam/vlan-groups/${g.id}/`, { name: unique('i') });
  expect(await vids()).toEqual([
    [5, 10, 6, 4],
    [5, 10, 6, 4],
  ]);
});

test('custom fields that name several objects show them in order', async () => {
  const field = unique('sites').replace('-', '_');
  const definition = await used.admin.make('/api/extras/custom-fields/', {
    name: field,
    type: 'multiobject',
    object_types: ['dcim.rack', 'ipam.rir'],
    related_object_type: 'dcim.site',
  });
  const site = (name: string) => used.admin.make('/api/dcim/sites/', { name, slug: unique() });
  const word = unique('s');
  const sites = [await site(`${word} 10`), await site(`${word} 9`)];
  const value = { custom_fields: { [field]: sites.map(({ id }) => id) } };
  const slug = unique('rir');
  const { made: rack } = await maker().make(catalogue.get('dcim.rack'), { full: false });
  await used.admin.patch(`/api/dcim/racks/${rack.id}/`, value);
  const rir = await used.admin.make('/api/ipam/rirs/', { name: slug, slug, ...value });
  for (const path of [`/api/dcim/racks/${rack.id}/`, `/api/ipam/rirs/${rir.id}/`]) {
    const { custom_fields } = await used.admin.read(path);
    expect(custom_fields[field].map(({ name }: Body) => name)).toEqual([`${word} 9`, `${word} 10`]);
  }
  await used.admin.delete(`/api/extras/custom-fields/${definition.id}/`);
});

test('addresses are sorted as addresses, and interfaces as people read them', async () => {
  const { made: device } = await maker().make(catalogue.get('dcim.device'), { full: false });
  const port = (name: string, more: object = {}) =>
    used.admin.make('/api/dcim/interfaces/', { device: device.id, name, type: 'virtual', ...more });
  const bridge = await port('br');
  for (const name of ['eth10', 'eth9', 'Eth1']) await port(name, { bridge: bridge.id });
  const { bridge_interfaces } = await used.admin.read(`/api/dcim/interfaces/${bridge.id}/`);
  expect(bridge_interfaces.map(({ name }: Body) => name)).toEqual(
    await used.admin.column(`/api/dcim/interfaces/?device_id=${device.id}&bridge_id=${bridge.id}`),
  );
  const inside = await used.admin.make('/api/ipam/ip-addresses/', { address: '198.18.7.1/24' });
  const outside = ['198.18.7.100/24', '198.18.7.20/32', '198.18.7.9/16'];
  for (const address of outside) await used.admin.make('/api/ipam/ip-addresses/', { address, nat_inside: inside.id });
  const { nat_outside } = await used.admin.read(`/api/ipam/ip-addresses/${inside.id}/`);
  expect(nat_outside.map(({ address }: Body) => address)).toEqual(outside.toReversed());
});
