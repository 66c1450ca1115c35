import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { adminPassword, useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';
import { logIn, type Session } from '../support/pages/visitor.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);
let admin: Session;
let maker: Body;
let tag: Body;
let field: string;
beforeAll(async () => {
  admin = await logIn(used.system.base, 'admin', adminPassword);
  maker = await kit.manufacturer();
  tag = await kit.make('extras/tags', kit.named('tag'));
  field = unique('tier').replaceAll('-', '_');
  await kit.make('extras/custom-fields', {
    name: field,
    type: 'text',
    object_types: ['dcim.devicetype', 'dcim.moduletype', 'dcim.racktype'],
  });
});

const all = async (path: string): Promise<Body[]> => (await used.admin.read(`/api/dcim/${path}`)).results;
const documentsIn = (text: string): Body[] =>
  [parseAllDocuments(text, { schema: 'core' })].flat().map((one) => one.toJS());
const exported = async (list: string, query: string): Promise<string> => {
  const { status, html } = await admin.get(`/dcim/${list}/?${query}`);
  expect([status, html.slice(0, 4)]).toEqual([200, '---\n']);
  return html;
};
async function imported(list: string, text: string): Promise<void> {
  const path = `/dcim/${list}/import/`;
  const { status, html } = await admin.post(path, { csrf_token: await admin.csrfToken(path), text });
  if (status !== 200) throw new Error(html.replaceAll(/<[^>]*>/g, ' ').slice(0, 3000));
}

const KINDS = [
  'console-port',
  'console-server-port',
  'power-port',
  'power-outlet',
  'interface',
  'rear-port',
  'front-port',
  'module-bay',
  'device-bay',
  'inventory-item',
];

const KINDS_OF: Record<string, string> = {
  rear_port: 'rear-port',
  front_port: 'front-port',
  parent: 'inventory-item',
};

/** An object without the members that differ in an identical copy; objects that it refers to by their names. */
function plain(value: unknown, names: ReadonlyMap<string, string> = new Map()): unknown {
  if (Array.isArray(value)) return value.map((one) => plain(one, names));
  if (typeof value !== 'object' || value === null) return value;
  const dict = value as Record<string, unknown>;
  if ('url' in dict && 'display' in dict && !('created' in dict)) return dict['display'];
  return Object.fromEntries(
    Object.entries(dict)
      .filter(([name]) => !['id', 'url', 'display_url', 'created', 'last_updated', 'component_id'].includes(name))
      .map(([name, one]) => [
        name,
        ['rear_port', 'front_port', 'parent'].includes(name) && typeof one === 'number'
          ? names.get(`${KINDS_OF[name]} ${one}`)
          : plain(one, names),
      ]),
  );
}

/** A type with all that is inside. */
async function whole(list: string, by: string, query: string): Promise<unknown> {
  const [type] = await all(`${list}/?${query}`);
  const parts = await Promise.all(
    KINDS.slice(0, by === 'device_type' ? 10 : by ? 8 : 0).map(async (kind) =>
      all(`${kind}-templates/?${by}_id=${type!.id}&limit=1000`),
    ),
  );
  const names = new Map(
    parts.flatMap((some, i) => some.map((one): [string, string] => [`${KINDS[i]} ${one.id}`, one['name'] as string])),
  );
  return [plain(type), parts.map((some) => plain(some, names))];
}

const common = (name: string): object => ({
  manufacturer: maker.id,
  model: name,
  description: 'one: two',
  comments: 'first\n\n- second "quoted" #3\n',
  weight: 12.5,
  weight_unit: 'kg',
  tags: [tag.id],
  custom_fields: { [field]: 'on' },
});

describe('what a list hands out as documents comes in again', () => {
  test('device types, with every kind of part', async () => {
    const slug = unique('full');
    const platform = await kit.make('dcim/platforms', kit.named('platform'));
    const role = await kit.make('dcim/inventory-item-roles', kit.named('part'));
    const type = await used.admin.make('/api/dcim/device-types/documents/', {
      ...common(slug),
      slug,
      part_number: '0123',
      default_platform: platform.id,
      u_height: 2.5,
      is_full_depth: false,
      exclude_from_utilization: true,
      subdevice_role: 'parent',
      airflow: 'front-to-rear',
      'console-ports': [{ name: 'on', type: 'rj-45', label: 'yes', description: '1:30' }, { name: '1' }],
      'console-server-ports': [{ name: '012', type: 'de-9' }],
      'power-ports': [{ name: 'PSU1', type: 'iec-60320-c14', maximum_draw: 100, allocated_draw: 50 }, { name: 'PSU2' }],
      'power-outlets': [{ name: 'out', type: 'iec-60320-c13', color: 'aa1409', power_port: 'PSU2', feed_leg: 'B' }],
      interfaces: [
        { name: 'a', type: 'virtual', bridge: 'z', mgmt_only: true, enabled: false, label: 'L {vc_position:1}' },
        { name: 'r', type: 'ieee802.11ax', rf_role: 'ap' },
        { name: 'z', type: '1000base-t', bridge: 'a', poe_mode: 'pse', poe_type: 'type2-ieee802.3at' },
      ],
      'rear-ports': [
        { name: 'trunk', type: 'mpo', positions: 12, color: 'aa1409' },
        { name: 'spare', type: 'mpo' },
      ],
      'front-ports': [
        {
          name: 'wide',
          type: 'lc',
          positions: 2,
          rear_ports: [
            { position: 1, rear_port: 'trunk', rear_port_position: 7 },
            { position: 2, rear_port: 'trunk', rear_port_position: 2 },
          ],
        },
        { name: 'free', type: 'lc' },
      ],
      'module-bays': [{ name: 'slot', position: '{vc_position}', enabled: false }],
      'device-bays': [{ name: 'bay', enabled: false }],
      'inventory-items': [
        { name: 'A', role: role.id, manufacturer: maker.id, part_id: '007' },
        { name: 'chip', parent: 'A', component_name: 'wide' },
        { name: 'B' },
        { name: 'chip', parent: 'B', label: 'of B' },
        { name: 'pin', parent: 'chip' },
      ],
    });
    const before = await whole('device-types', 'device_type', `id=${type.id}`);
    const text = await exported('device-types', `id=${type.id}&export`);
    expect(documentsIn(text)).toHaveLength(1);
    expect(documentsIn(text)[0]).toMatchObject({
      manufacturer: maker['name'],
      u_height: 2.5,
      'console-ports': [{ name: '1' }, { name: 'on', label: 'yes' }],
      'port-mappings': [
        { front_port: 'wide', front_port_position: 1, rear_port: 'trunk', rear_port_position: 7 },
        { front_port: 'wide', front_port_position: 2, rear_port: 'trunk', rear_port_position: 2 },
      ],
    });
    expect((await used.admin.delete(`/api/dcim/device-types/${type.id}/`)).status).toBe(204);
    await imported('device-types', text);
    expect(await whole('device-types', 'device_type', `slug=${slug}`)).toEqual(before);
  });

  test('module types, with attributes', async () => {
    const name = unique('card');
    const profile = await kit.make('dcim/module-type-profiles', {
      name,
      schema: { properties: { speed: { type: 'number' }, modes: { type: 'array' } } },
    });
    const type = await used.admin.make('/api/dcim/module-types/documents/', {
      ...common(name),
      profile: profile.id,
      part_number: '1e3',
      airflow: 'passive',
      attributes: { speed: 1.5, modes: ['no', 'yes'] },
      interfaces: [{ name: 'xe-{vc_position}/{module}/0', type: 'virtual', label: '{module}' }],
      'rear-ports': [{ name: 'r', type: 'mpo' }],
      'front-ports': [{ name: 'f', type: 'lc', rear_port: 'r' }],
      'module-bays': [{ name: 'cage', position: '1' }],
    });
    const before = await whole('module-types', 'module_type', `id=${type.id}`);
    const text = await exported('module-types', `id=${type.id}&export=documents`);
    await used.admin.delete(`/api/dcim/module-types/${type.id}/`);
    await imported('module-types', text);
    expect(await whole('module-types', 'module_type', `model=${name}`)).toEqual(before);
  });

  test('rack types', async () => {
    const slug = unique('cabinet');
    const type = await kit.make('dcim/rack-types', {
      ...common(slug),
      slug,
      form_factor: '4-post-cabinet',
      width: 21,
      u_height: 48,
      starting_unit: 2,
      desc_units: true,
      outer_width: 600,
      outer_depth: 1000,
      outer_unit: 'mm',
      mounting_depth: 700,
      max_weight: 900,
    });
    const before = await whole('rack-types', '', `id=${type.id}`);
    const text = await exported('rack-types', `id=${type.id}&export`);
    await used.admin.delete(`/api/dcim/rack-types/${type.id}/`);
    await imported('rack-types', text);
    expect(await whole('rack-types', '', `slug=${slug}`)).toEqual(before);
  });
});

describe('documents', () => {
  test('are those of all that the filters select, or of what is ticked', async () => {
    const names = [unique('t'), unique('t'), unique('t')];
    const ids: number[] = [];
    for (const slug of names) ids.push((await kit.deviceType({ model: slug, slug })).id as number);
    const modelsIn = (text: string) => documentsIn(text).map(({ model }) => model as string);
    const two = await exported('device-types', `id=${ids[0]}&id=${ids[2]}&export=documents`);
    expect(modelsIn(two)).toEqual([names[0], names[2]]);
    const csrfToken = await admin.csrfToken('/dcim/device-types/import/');
    const ticked = await admin.post('/dcim/device-types/documents/', { csrf_token: csrfToken, pk: String(ids[1]) });
    expect([ticked.status, modelsIn(ticked.html)]).toEqual([200, [names[1]]]);
    const every = await admin.post(`/dcim/device-types/documents/?id=${ids[0]}&id=${ids[1]}`, {
      csrf_token: csrfToken,
      _all: '1',
    });
    expect(modelsIn(every.html)).toEqual([names[0], names[1]]);
    expect((await admin.get(`/dcim/device-types/${ids[0]}/`)).html).toContain(
      `href="/dcim/device-types/?id=${ids[0]}&amp;export=documents"`,
    );
    expect((await admin.get('/dcim/device-types/?limit=1')).html).toContain(
      'formaction="/dcim/device-types/documents/',
    );
  });

  test('may be an archive with a file for each, of all or of what is ticked, which comes in again', async () => {
    const slugs = [unique('zip'), unique('zip')];
    for (const slug of slugs)
      await used.admin.make('/api/dcim/device-types/documents/', {
        ...common(slug),
        slug,
        'rear-ports': [{ name: 'R', type: 'lc' }],
        'front-ports': [{ name: 'F', type: 'lc', rear_port: 'R' }],
        'module-bays': [{ name: 'Bay 1', position: '1' }],
      });
    const before = await Promise.all(slugs.map((slug) => whole('device-types', 'device_type', `slug=${slug}`)));
    const types = await all(`device-types/?slug=${slugs[0]}&slug=${slugs[1]}`);
    const csrfToken = await admin.csrfToken('/dcim/device-types/import/');
    const archive = async (path: string, init: RequestInit = {}): Promise<Buffer> => {
      const answer = await fetch(used.system.base + path, { ...init, headers: { cookie: admin.cookie } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
      return Buffer.from(await answer.arrayBuffer());
    };
    const listed = await archive(`/dcim/device-types/?slug=${slugs[0]}&slug=${slugs[1]}&export=archive`);
    const body = new URLSearchParams([
      ['csrf_token', csrfToken],
      ['_archive', '1'],
      ...types.map(({ id }): [string, string] => ['pk', String(id)]),
    ]);
    const ticked = await archive('/dcim/device-types/documents/', { method: 'POST', body });
    for (const zip of [listed, ticked]) {
      for (const { id } of types) await used.admin.delete(`/api/dcim/device-types/${id}/`);
      const form = new FormData();
      form.append('csrf_token', csrfToken);
      form.append('file', new Blob([new Uint8Array(zip)]), 'types.zip');
      const answer = await fetch(`${used.system.base}/dcim/device-types/import/`, {
        method: 'POST',
        headers: { cookie: admin.cookie },
        body: form,
      });
      const html = await answer.text();
      for (const slug of slugs)
        expect(html).toContain(`<td>device-types/${maker.name}/${slug}.yaml</td><td>Imported</td>`);
      const after = await all(`device-types/?slug=${slugs[0]}&slug=${slugs[1]}`);
      types.splice(0, 2, ...after);
      expect(await Promise.all(slugs.map((slug) => whole('device-types', 'device_type', `slug=${slug}`)))).toEqual(
        before,
      );
    }
    expect((await admin.get('/dcim/device-types/?limit=1')).html).toContain('name="_archive"');
  });

  test('are only there for types, and show what may be seen', async () => {
    const csrfToken = await admin.csrfToken('/dcim/device-types/import/');
    expect((await admin.post('/dcim/sites/documents/', { csrf_token: csrfToken, pk: '1' })).status).toBe(404);
    expect((await admin.get('/dcim/sites/?export=documents')).html).not.toMatch(/^---/);
    const type = await kit.deviceType();
    const { name } = await userWith(used.admin, { types: ['dcim.manufacturer'], actions: ['view'] });
    const other = await logIn(used.system.base, name, 'Correct-Horse-9');
    expect((await other.get(`/dcim/device-types/?id=${type.id}&export`)).status).toBe(403);
  });
});
