import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);
const PATH = '/api/dcim/device-types/documents/';
const all = async (path: string): Promise<Body[]> => (await used.admin.read(`/api/dcim/${path}`)).results;
const ofType = (list: string, type: Body): Promise<Body[]> => all(`${list}/?device_type_id=${type.id}&limit=1000`);
const count = async (slug: string): Promise<number> => (await all(`device-types/?slug=${slug}`)).length;

let maker: Body;
beforeAll(async () => {
  maker = await kit.manufacturer();
});

/** A document with parts of every kind, which refer to each other in an order in which they cannot be created. */
const whole = (slug: string, more: object = {}): Body & { 'power-outlets': Body[]; interfaces: Body[] } =>
  ({
    manufacturer: { name: maker['name'] },
    model: slug,
    slug,
    u_height: 4,
    subdevice_role: 'parent',
    front_image: true,
    is_powered: true,
    comments: '',
    airflow: null,
    'inventory-items': [
      { name: 'chip', parent: 'card', component_name: 'lan1' },
      { name: 'card', manufacturer: { slug: maker['slug'] }, part_id: 7 },
    ],
    'front-ports': [
      { name: 'left', type: 'lc' },
      { name: 2, type: 'lc', rear_port: 'trunk', rear_port_position: 3 },
    ],
    'port-mappings': [{ front_port: 'left', front_port_position: 1, rear_port: 'trunk', rear_port_position: 2 }],
    'rear-ports': [{ name: 'trunk', type: 'mpo', positions: 12, color: '' }],
    interfaces: [
      { name: 'lan1', type: '1000base-t', bridge: 'br', poe_mode: 'pse', poe_type: 'type2-ieee802.3at' },
      { name: 'lan2', type: '1000base-t', bridge: 'lan1', enabled: false },
      { name: 'br', type: 'bridge', mgmt_only: 'yes' },
      { name: 'radio', type: 'ieee802.11ax', rf_role: 'ap' },
    ],
    'power-outlets': [{ name: 1, type: 'iec-60320-c13', power_port: 'PSU', feed_leg: 'A' }],
    'power-ports': [{ name: 'PSU', type: 'iec-60320-c14', maximum_draw: 100, allocated_draw: 50 }],
    'console-ports': [{ name: 'con', type: 'rj-45' }],
    'console-server-ports': [{ name: 'srv' }],
    'module-bays': [{ name: 'slot', position: 1, enabled: false }],
    'device-bays': [{ name: 'bay', description: 'for a blade' }],
    ...more,
  }) as never;

describe('a document', () => {
  test('becomes a type with all its parts, in whatever order they stand', async () => {
    const slug = unique('whole');
    const type = await used.admin.make(PATH, whole(slug));
    expect(type).toEqual({
      id: type.id,
      url: expect.stringContaining(`/dcim/device-types/${type.id}/`),
      display: slug,
    });
    expect(await kit.read(`dcim/device-types/${type.id}`)).toMatchObject({
      u_height: 4,
      front_image: null,
      interface_template_count: 4,
      inventory_item_template_count: 2,
    });
    const [trunk] = await ofType('rear-port-templates', type);
    expect(await ofType('front-port-templates', type)).toMatchObject([
      { name: '2', rear_ports: [{ position: 1, rear_port: trunk!.id, rear_port_position: 3 }] },
      { name: 'left', rear_ports: [{ position: 1, rear_port: trunk!.id, rear_port_position: 2 }] },
    ]);
    const ports = await ofType('interface-templates', type);
    expect(ports).toMatchObject([
      { name: 'br', bridge: null, mgmt_only: true },
      { name: 'lan1', bridge: { name: 'br' }, poe_mode: { value: 'pse' } },
      { name: 'lan2', bridge: { name: 'lan1' }, enabled: false },
      { name: 'radio', rf_role: { value: 'ap' } },
    ]);
    expect(await ofType('power-outlet-templates', type)).toMatchObject([{ name: '1', power_port: { name: 'PSU' } }]);
    expect(await ofType('module-bay-templates', type)).toMatchObject([{ position: '1', enabled: false }]);
    expect(await ofType('device-bay-templates', type)).toMatchObject([{ description: 'for a blade' }]);
    const [card, chip] = await ofType('inventory-item-templates', type);
    expect(card).toMatchObject({ name: 'card', parent: null, _depth: 0, part_id: '7', manufacturer: { id: maker.id } });
    expect(chip).toMatchObject({
      name: 'chip',
      parent: card!.id,
      _depth: 1,
      component_type: 'dcim.interfacetemplate',
      component: { id: ports[1]!.id },
    });
    // Each part has one change record: of its final state.
    const told = (
      await used.admin.read(
        `/api/extras/object-changes/?changed_object_type=dcim.interfacetemplate&changed_object_id=${ports[1]!.id}`,
      )
    ).results as Body[];
    expect(told).toMatchObject([{ action: { value: 'create' }, postchange_data: { bridge: ports[0]!.id } }]);
  });

  test('may have ports that are bridged to each other', async () => {
    const slug = unique('mutual');
    const interfaces = ['a', 'b'].map((name, i) => ({ name, type: 'virtual', bridge: ['b', 'a'][i] }));
    const type = await used.admin.make(PATH, { manufacturer: maker.id, model: slug, slug, interfaces });
    expect((await ofType('interface-templates', type)).map(({ bridge }) => (bridge as Body)['name'])).toEqual([
      'b',
      'a',
    ]);
  });

  test('of several is made or refused with all others', async () => {
    const [one, other] = [unique('one'), unique('other')];
    const made = await used.admin.make(PATH, [whole(one), whole(other)]);
    expect((made as unknown as Body[]).map(({ display }) => display)).toEqual([one, other]);
    const fresh = unique('fresh');
    const refused = await used.admin.post(PATH, [whole(fresh), whole(other)]);
    expect([refused.status, (refused.body as unknown as object[])[0], await count(fresh)]).toEqual([400, {}, 0]);
    expect(Object.keys((refused.body as unknown as object[])[1]!)).toEqual(['__all__']);
  });

  test('is refused with all that is wrong, in its own form, and nothing stays', async () => {
    const slug = unique('wrong');
    const document = whole(slug, {
      interfaces: [
        { name: 'x', type: 'no such type' },
        { name: 'y', type: 'virtual', bridge: 'z' },
      ],
      'port-mappings': [
        { front_port: 'left', front_port_position: 1, rear_port: 'nowhere', rear_port_position: 2 },
        { front_port: 'left', front_port_position: 7, rear_port: 'trunk', rear_port_position: 1 },
      ],
      'inventory-items': [
        { name: 'a', parent: 'b' },
        { name: 'b', parent: 'a' },
        { name: 'c', role: { name: 'no such role' } },
      ],
    });
    const { status, body } = await used.admin.post(PATH, document);
    expect([status, body]).toEqual([
      400,
      {
        interfaces: [{ type: ['no such type is not a valid choice.'] }, {}],
        'port-mappings': [{ rear_port: ['There is no “nowhere” among the rear-ports.'] }, expect.anything()],
        'inventory-items': [{}, {}, { role: [expect.any(String)] }],
      },
    ]);
    expect(await count(slug)).toBe(0);
    const next = await used.admin.post(PATH, {
      ...document,
      interfaces: [{ name: 'y', type: 'virtual', bridge: 'z' }],
      'inventory-items': [
        { name: 'a', parent: 'b' },
        { name: 'b', parent: 'a' },
        { name: 'a', parent: 'a' },
      ],
      'port-mappings': [{ front_port: 'left', front_port_position: 7, rear_port: 'trunk', rear_port_position: 1 }],
    });
    expect(next.body).toEqual({
      interfaces: [{ bridge: ['There is no “z” among the interfaces.'] }],
      'port-mappings': [
        {
          non_field_errors: ['Invalid front port position (7): Front port left has only 1 positions.'],
        },
      ],
      'inventory-items': [{ parent: ['It would lie in itself.'] }, { parent: ['It would lie in itself.'] }, {}],
    });
  });

  test('is refused where rows say the same, and where a part names itself', async () => {
    const slug = unique('twice');
    const { status, body } = await used.admin.post(PATH, {
      manufacturer: maker.id,
      model: slug,
      slug,
      constructor: 7,
      interfaces: [{ name: ' a ', type: 'virtual', bridge: 'a' }],
      'rear-ports': [{ name: 'R', type: 'lc', positions: 2 }],
      'front-ports': [
        { name: 'A', type: 'lc', rear_port: 'R' },
        { name: 'B', type: 'lc' },
      ],
      'port-mappings': [
        { front_port: 'A', rear_port: 'R' },
        { front_port: 'A', rear_port: 'R', rear_port_position: 2 },
        { front_port: 'B', rear_port: 'R' },
      ],
    });
    const same = (what: string) => ({ __all__: [`Port template mapping with this ${what} already exists.`] });
    expect([status, body]).toEqual([
      400,
      {
        interfaces: [{ bridge: ['An interface cannot be bridged to itself.'] }],
        'port-mappings': [{}, same('Front port and Front port position'), same('Rear port and Rear port position')],
      },
    ]);
  });

  test('is tried without being kept', async () => {
    const slug = unique('tried');
    expect(await used.admin.post(`${PATH}?dry_run=true`, whole(slug))).toMatchObject({ status: 204 });
    expect((await used.admin.post(`${PATH}?dry_run=true`, whole(slug, { u_height: 1.3 }))).status).toBe(400);
    expect(await count(slug)).toBe(0);
  });

  test('may have hundreds of ports', async () => {
    const slug = unique('big');
    const interfaces = Array.from({ length: 600 }, (_, i) => ({
      name: `e${i}`,
      type: 'virtual',
      bridge: i ? 'e0' : null,
    }));
    const type = await used.admin.make(PATH, { manufacturer: maker.id, model: slug, slug, interfaces });
    expect(await kit.read(`dcim/device-types/${type.id}`)).toMatchObject({ interface_template_count: 600 });
  });

  test.each([
    ['no object', 7, 'non_field_errors'],
    ['a list that is none', { interfaces: { name: 'x' } }, 'interfaces'],
    ['a list of something else', { interfaces: [1] }, 'interfaces'],
    ['nothing', {}, 'manufacturer'],
  ])('that is %s is refused by name', async (_, document, field) => {
    const { status, body } = await used.admin.post(PATH, document);
    expect([status, Object.keys(body)]).toEqual([400, expect.arrayContaining([field])]);
  });

  test('with more parts than a request may bring is too large', async () => {
    const slug = unique('huge');
    const interfaces = Array.from({ length: 10_000 }, (_, i) => ({ name: `e${i}`, type: 'virtual' }));
    const { status } = await used.admin.post(PATH, { manufacturer: maker.id, model: slug, slug, interfaces });
    expect(status).toBe(413);
  });
});

describe('a picture', () => {
  /** One pixel. */
  const GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
  const form = (document: object, bytes: Buffer): FormData => {
    const data = new FormData();
    data.append('document', JSON.stringify(document));
    data.append('front_image', new Blob([new Uint8Array(bytes)], { type: 'image/gif' }), 'front.gif');
    return data;
  };
  const send = (data: FormData) =>
    fetch(`${used.system.base}${PATH}`, {
      method: 'POST',
      headers: { authorization: used.admin.authorization! },
      body: data,
    });

  test('comes beside the document, and belongs to the type', async () => {
    const slug = unique('pictured');
    const answer = await send(form(whole(slug), GIF));
    expect(answer.status).toBe(201);
    const [type] = await all(`device-types/?slug=${slug}`);
    expect(type).toMatchObject({ front_image: expect.stringContaining('devicetype-images/'), rear_image: null });
  });

  test('that is none refuses the type as well', async () => {
    const slug = unique('unpictured');
    const answer = await send(form(whole(slug), Buffer.from('no picture')));
    expect([answer.status, await answer.json(), await count(slug)]).toEqual([
      400,
      { front_image: [expect.any(String)] },
      0,
    ]);
  });
});

describe('module and rack types', () => {
  test('are documents, too', async () => {
    const name = unique('card');
    const profile = await kit.make('dcim/module-type-profiles', {
      name,
      schema: { properties: { speed: { type: 'number' } } },
    });
    const type = await used.admin.make('/api/dcim/module-types/documents/', {
      profile: profile.id,
      manufacturer: maker.id,
      model: name,
      attribute_data: { speed: 10 },
      interfaces: [{ name: 'xe-{module}/0', type: 'virtual' }],
      'module-bays': [{ name: 'cage', position: '1' }],
    });
    expect(await kit.read(`dcim/module-types/${type.id}`)).toMatchObject({
      attributes: { speed: 10 },
      interface_template_count: 1,
      module_bay_template_count: 1,
    });
    const slug = unique('rack');
    const rack = { manufacturer: maker.id, model: slug, slug, form_factor: '4-post-cabinet', width: 19, u_height: 42 };
    expect((await used.admin.post('/api/dcim/rack-types/documents/', rack)).status).toBe(201);
  });
});

test('who may not add parts makes no type with some', async () => {
  const slug = unique('partly');
  const { client } = await userWith(used.admin, { types: ['dcim.devicetype'], actions: ['add', 'view'] });
  expect((await client.post(PATH, whole(slug, { manufacturer: maker.id }))).status).toBe(403);
  expect(await count(slug)).toBe(0);
});
