// Each column that the import page of a list accepts is imported through that page: the object is the same as the one
// that the API creates. Columns, their values and the objects that they refer to are derived from the declarations.
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiPath, type Catalogue, isDict, type Json, loadCatalogue, type Model, webPath } from '@cadastre/model';
import { PASSWORD, startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { type Beside, type ImportRow, ImportRows, removeAll } from '../support/objects/importRows.ts';
import { type Body, Client } from '../support/client.ts';
import { Maker } from '../support/objects/maker.ts';
import { nextNetwork } from '../support/unique.ts';
import { logIn, type Session, type Visited } from '../support/pages/visitor.ts';

const catalogue: Catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
const models = [...catalogue.models.values()].filter(
  ({ readOnly, fromEvents, fields, ...model }) =>
    webPath({ ...model, fields } as Model) !== undefined &&
    !readOnly &&
    !fromEvents &&
    // A required picture is a separate file.
    !Object.values(fields).some(({ upload, required }) => upload && required),
);

/** Other values that rules require with a column. */
const BESIDE: Beside = {
  'users.token allowed_ips': { allowed_ips: ['192.0.2.0/24'] },
  'users.objectpermission constraints': { constraints: { id: 1 } },
  'circuits.circuit distance': { distance_unit: 'km' },
  'circuits.virtualcircuit provider_account': async (maker) => {
    const account = await part(maker, 'circuits.provideraccount');
    const network = await part(maker, 'circuits.providernetwork', { provider: account.provider.id });
    return { provider_network: network.id, provider_account: account.id };
  },
  'circuits.virtualcircuittermination interface': async (maker) => ({
    interface: (await part(maker, 'dcim.interface', { type: 'virtual' })).id,
  }),
  'dcim.cable length': { length_unit: 'm' },
  ...Object.fromEntries(
    ['a', 'b'].flatMap((side) =>
      ['site', 'device'].map((one) => [`dcim.cable side_${side}_${one}`, { [`side_${side}_type`]: 'dcim.frontport' }]),
    ),
  ),
  ...Object.fromEntries(
    ['a', 'b'].flatMap((side) =>
      ['type', 'name'].map((one) => [
        `dcim.cable side_${side}_${one}`,
        async (maker: Maker) => ({
          [`side_${side}_type`]: 'dcim.frontport',
          [`side_${side}_name`]: (await part(maker, 'dcim.frontport')).id,
        }),
      ]),
    ),
  ),
  'dcim.device parent': inBay,
  'dcim.device device_bay': inBay,
  'dcim.device position': inRack,
  'dcim.device face': inRack,
  ...Object.fromEntries(
    ['dcim.frontport', 'dcim.rearport', 'dcim.frontporttemplate', 'dcim.rearporttemplate'].map((type) => [
      `${type} ${type.includes('front') ? 'rear' : 'front'}_ports`,
      (maker: Maker) => mapped(maker, type),
    ]),
  ),
  'dcim.cable side_a_power_panel': (maker) => powerPort(maker, 'b'),
  'dcim.cable side_b_power_panel': (maker) => powerPort(maker, 'a'),
  'dcim.devicetype weight': { weight_unit: 'kg' },
  'dcim.moduletype weight': { weight_unit: 'kg' },
  ...Object.fromEntries(
    ['dcim.rack', 'dcim.racktype'].flatMap((type) => [
      ...['weight', 'max_weight'].map((one) => [`${type} ${one}`, { weight_unit: 'kg' }]),
      ...['width', 'height', 'depth'].map((one) => [`${type} outer_${one}`, { outer_unit: 'mm' }]),
    ]),
  ),
  'dcim.moduletypeprofile schema': { schema: { properties: { a: { type: 'integer' } } } },
  'dcim.interface lag': { type: '1000base-t' },
  'dcim.interface poe_mode': { type: '1000base-t' },
  'dcim.interface poe_type': { type: '1000base-t', poe_mode: 'pse' },
  'dcim.interface mark_connected': { type: '1000base-t' },
  ...Object.fromEntries(
    ['rf_role', 'rf_channel', 'rf_channel_frequency', 'rf_channel_width'].map((one) => [
      `dcim.interface ${one}`,
      { type: 'ieee802.11ac' },
    ]),
  ),
  'dcim.interfacetemplate rf_role': { type: 'ieee802.11ac' },
  ...Object.fromEntries(
    ['dcim.interface', 'virtualization.vminterface'].flatMap((type) => [
      [`${type} untagged_vlan`, { mode: 'access' }],
      [`${type} vlan_group`, { mode: 'access' }],
      [`${type} tagged_vlans`, { mode: 'tagged' }],
      [`${type} qinq_svlan`, { mode: 'q-in-q' }],
    ]),
  ),
  'ipam.vlan qinq_svlan': { qinq_role: 'cvlan' },
  'ipam.vlangroup vid_ranges': { vid_ranges: [[100, 199]] },
  'extras.customfield related_object_type': { type: 'object' },
  'extras.customfield related_object_filter': {
    type: 'object',
    related_object_type: 'dcim.site',
    related_object_filter: { id: 1 },
  },
  'extras.customfield default': { default: 'word' },
  'extras.customfield validation_minimum': { type: 'integer' },
  'extras.customfield validation_maximum': { type: 'integer' },
  'extras.customfield validation_schema': {
    type: 'json',
    validation_schema: { properties: { a: { type: 'integer' } } },
  },
  'extras.customfield choice_set': { type: 'select' },
  'extras.customfieldchoiceset choice_colors': { choice_colors: { a: 'green' } },
  'extras.eventrule conditions': { conditions: { and: [{ attr: 'name', value: 'a' }] } },
  'extras.webhook additional_headers': { additional_headers: 'X-One: 1' },
  'dcim.virtualdevicecontext primary_ip6': async (maker) => {
    const { id, device } = await part(maker, 'dcim.interface');
    const pair = { assigned_object_type: 'dcim.interface', assigned_object_id: id };
    const { id: primary_ip6 } = await part(maker, 'ipam.ipaddress', { address: `${nextNetwork().six}::1/64`, ...pair });
    return { device: device.id, primary_ip6 };
  },
  'users.token token': { token: randomBytes(20).toString('hex') },
  'extras.webhook secrets': { secrets: { one: 'Correct-Horse-9' } },
  'extras.webhook secret': { secret: 'Correct-Horse-9' },
};

const part = async (maker: Maker, type: string, given: Record<string, Json> = {}): Promise<Body> =>
  (await maker.make(catalogue.get(type), { full: false, given })).made;

/** A cable from a power feed ends at a power port. */
async function powerPort(maker: Maker, side: string): Promise<Record<string, Json>> {
  const { id } = await part(maker, 'dcim.powerport');
  return { [`${side}_terminations`]: [{ object_type: 'dcim.powerport', object_id: id }] };
}

/** A device in a bay has no height. */
async function inBay(maker: Maker): Promise<Record<string, Json>> {
  const { id: device_bay, device } = await part(maker, 'dcim.devicebay');
  const { id: device_type } = await part(maker, 'dcim.devicetype', { u_height: 0, subdevice_role: 'child' });
  return { site: (await admin.read(device.url)).site.id, device_type, parent: device.id, device_bay };
}

async function inRack(maker: Maker): Promise<Record<string, Json>> {
  const { id: rack, site } = await part(maker, 'dcim.rack');
  return { site: site.id, rack, face: 'front', position: 1 };
}

/** A port on the other side, of the same device or type. */
async function mapped(maker: Maker, type: string): Promise<Record<string, Json>> {
  const [here, there] = type.includes('front') ? ['front', 'rear'] : ['rear', 'front'];
  const { id, device, device_type } = await part(maker, type.replace(here!, there!));
  const row = { position: 1, [`${there}_port`]: id, [`${there}_port_position`]: 1 };
  return { [`${there}_ports`]: [row], ...(device ? { device: device.id } : { device_type: device_type.id }) };
}

/** Columns that cannot be tested this way, and why. */
const UNTOLD: Readonly<Record<string, string>> = {
  'circuits.provider accounts': 'what the API made of it cannot be removed, as the account is that of its provider',
  ...Object.fromEntries(
    ['dcim.device primary_ip4', 'dcim.device primary_ip6', 'dcim.device oob_ip'].map((one) => [
      one,
      'an address is assigned to an interface, which a new device does not have yet',
    ]),
  ),
  'virtualization.virtualmachine primary_ip4':
    'an address is assigned to an interface, which a new machine does not have yet',
  'virtualization.virtualmachine primary_ip6':
    'an address is assigned to an interface, which a new machine does not have yet',
  'dcim.interface primary_mac_address': 'the address goes with the interface that the API made of it',
  'virtualization.vminterface primary_mac_address': 'the address goes with the interface that the API made of it',
  'ipam.asn sites': 'the API takes it from the other side only',
  'extras.customfieldchoiceset base_choices': 'there are no such lists in a fresh system',
};

let system: System;
let admin: Client;
let session: Session;
let maker: Maker;
beforeAll(async () => {
  system = await startSystem();
  admin = new Client(system.base, `Token ${system.token}`);
  session = await logIn(system.base, 'admin', PASSWORD);
  maker = new Maker(catalogue, admin);
});
afterAll(() => system?.stop());

const inTable = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

async function imported(model: Model, rows: readonly Record<string, string>[], more = {}): Promise<Visited> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => inTable(row[name] ?? '')))];
  const path = `${webPath(model)}import/`;
  const text = lines.map((line) => line.join(',')).join('\n');
  return session.post(path, { csrf_token: await session.csrfToken(path), text, format: 'csv', ...more });
}

/** The errors, by the row of the file. */
function problemsIn({ html }: Visited): Map<number, string> {
  const found = new Map<number, string>();
  for (const [, cells] of html.matchAll(/<tr>((?:<td[^>]*>[^<]*<\/td>)+)<\/tr>/g)) {
    const [place, ...said] = [...cells!.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell]) => cell!);
    const row = Number(place!.split(':')[0]) - 2;
    found.set(row, [found.get(row), said.join(': ')].filter(Boolean).join(' '));
  }
  return found;
}

/** The members of the body as the object shows them. */
const told = (model: Model, object: Body, body: Record<string, Json>): Record<string, Json> =>
  Object.fromEntries(
    Object.keys(body).flatMap((name) => {
      const field = model.fields[name];
      return !field || field.writeOnly || field.secret ? [] : [[name, alike(body[name]!, object[name])]];
    }),
  );

/**
 * Other objects by their ids, and of rows inside an object only the members that were sent: rows have ids of their own.
 */
function alike(said: Json, shown: Json): Json {
  if (Array.isArray(shown)) return shown.map((one, i) => alike(Array.isArray(said) ? (said[i] ?? null) : null, one));
  if (!isDict(shown)) return shown;
  if (isDict(said) && !('id' in said)) return Object.fromEntries(Object.keys(said).map((name) => [name, shown[name]!]));
  return shown['id'] ?? shown;
}

/** Imports rows; those that are refused are left out and reported. */
async function written(model: Model, rows: readonly ImportRow[], untold: Map<string, string>): Promise<ImportRow[]> {
  let left = [...rows];
  while (left.length) {
    const answer = await imported(
      model,
      left.map(({ cells }) => cells),
    );
    if (answer.status === 200) return left;
    const problems = problemsIn(answer);
    for (const [i, text] of problems) untold.set(left[i]?.column ?? `row ${i}`, text);
    const now = left.filter((_, i) => !problems.has(i));
    if (now.length === left.length) throw new Error(answer.html.replaceAll(/<[^>]+>/g, ' '));
    left = now;
  }
  return left;
}

/** The objects of a list that were created after a given one, in that order. */
const madeSince = async (model: Model, id: number): Promise<Body[]> =>
  (await admin.read(`${apiPath(model)}?id__gt=${id}&limit=1000`)).results.toSorted((a: Body, b: Body) => a.id - b.id);

const lastOf = async (model: Model): Promise<number> =>
  (await admin.read(`${apiPath(model)}?ordering=-id&limit=1`)).results[0]?.id ?? 0;

describe.each(models.map((model) => [model.name, model] as const))('%s', (name, model) => {
  test('every column says what the API would be told', async () => {
    const untold = new Map<string, string>();
    const making = new ImportRows(model, catalogue, admin, maker, BESIDE);
    const rows = await making.rows((column, why) => untold.set(column, why));
    const last = await lastOf(model);
    const done = await written(model, rows, untold);
    const objects = await madeSince(model, last);
    const marks = done.flatMap(({ column, marked }, i) =>
      marked ? [{ column, object: objects[i], ...marked(objects[i]) }] : [],
    );
    for (const { column, path, field, object } of marks)
      expect([column, (await admin.read(path))[field]?.id]).toEqual([column, object.id]);
    expect(done.map(({ column, body }, i) => [column, told(model, objects[i], body)])).toEqual(
      done.map(({ column, body, made }) => [column, told(model, made, body)]),
    );
    if (objects.length) await removeAll(admin, model, objects);

    const places = done.filter(({ elsewhere }) => elsewhere);
    const refused = places.length
      ? problemsIn(
          await imported(
            model,
            places.map(({ elsewhere }) => elsewhere!),
            { _check: '' },
          ),
        )
      : new Map<number, string>();
    expect(places.map(({ column }, i) => [column, refused.get(i)])).toEqual(
      places.map(({ column }) => [column, expect.stringContaining('There is no object')]),
    );

    const reasons = Object.keys(UNTOLD).flatMap((one) =>
      one.startsWith(`${name} `) ? [one.slice(name.length + 1)] : [],
    );
    expect([...untold].filter(([column]) => !reasons.includes(column))).toEqual([]);
    expect(reasons.filter((column) => !untold.has(column))).toEqual([]);
  });
});
