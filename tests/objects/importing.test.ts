import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Client, type Body } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { eventually } from '../support/eventually.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';
import { userWith } from '../support/users.ts';

// Objects that are imported with the ids that they have at the source.

const used = useSystem();
const lab = new Equipment(() => used.admin);
const times = { created: '2019-05-06T07:08:09.123456Z', last_updated: '2020-05-06T07:08:09.500000Z' };

let next = 40_000_000 + Math.floor(Math.random() * 1_000_000) * 10;
const newId = (): number => (next += 1);

interface Taken {
  id: number;
  outcome: string;
  notes: Body;
  errors: Body;
}
async function bring(path: string, ...objects: Body[]): Promise<Taken[]> {
  // The import API is not in the API document.
  const client = new Client(used.system.base, used.admin.authorization);
  const { status, body } = await client.ask('POST', `/api/${path}/import/`, { body: { objects } });
  expect([status, body]).toEqual([200, { results: expect.anything() }]);
  return body.results;
}
const created = async (path: string, ...objects: Body[]): Promise<void> => {
  for (const taken of await bring(path, ...objects))
    expect(taken).toEqual({ id: taken.id, outcome: 'created', notes: {}, errors: {} });
};

test('a device comes with its own components and no others, and with its cables', async () => {
  const site = await lab.site();
  const type = await lab.deviceType();
  await lab.make('dcim/interface-templates', { device_type: type.id, name: 'template', type: '1000base-t' });
  const role = await lab.make('dcim/device-roles', lab.named('role'));
  const [a, z, left, right, cable, end, otherEnd] = Array.from({ length: 7 }, newId) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const device = (id: number) => ({
    id,
    name: unique('d'),
    site: site.id,
    device_type: type.id,
    role: role.id,
    status: 'active',
    ...times,
  });
  await created('dcim/devices', device(a), device(z));
  const port = (id: number, of: number) => ({ id, device: of, name: 'eth0', type: '1000base-t', ...times });
  await created('dcim/interfaces', port(left, a), port(right, z));
  const [brought] = await bring('dcim/cables', { id: cable, label: 'old', status: 'connected', ...times });
  expect(brought).toEqual({ id: cable, outcome: 'created', notes: {}, errors: {} });
  await created(
    'dcim/cable-terminations',
    { id: end, cable, cable_end: 'A', termination_type: 'dcim.interface', termination_id: left, ...times },
    { id: otherEnd, cable, cable_end: 'B', termination_type: 'dcim.interface', termination_id: right, ...times },
  );
  const { results } = await used.admin.read(`/api/dcim/interfaces/?device_id=${a}&device_id=${z}`);
  expect(results.map(({ id }: Body) => id).toSorted()).toEqual([left, right]);
  const shown = await lab.read(`dcim/interfaces/${left}`);
  expect(shown).toMatchObject({ cable: { id: cable }, cable_end: 'A', connected_endpoints: [{ id: right }], ...times });
  const ends = await lab.read(`dcim/cables/${cable}`);
  expect(ends).toMatchObject({
    a_terminations: [{ object_id: left }],
    b_terminations: [{ object_id: right }],
    ...times,
  });
  // The cable was deleted at the source, so it is deleted here; the ports have the state of the source.
  const client = new Client(used.system.base, used.admin.authorization);
  const { body } = await client.ask('DELETE', '/api/dcim/cables/import/', { body: { ids: [cable] } });
  expect(body).toEqual({ results: [{ id: cable, outcome: 'deleted', errors: {} }] });
  expect(await lab.read(`dcim/interfaces/${left}`)).toMatchObject({ cable: null, connected_endpoints: null, ...times });
});

test('neither records nor webhooks nor notifications come of it, and later changes have theirs', async () => {
  const hook = await used.admin.make('/api/extras/webhooks/', {
    name: unique('hook'),
    payload_url: 'http://127.0.0.1:9/',
  });
  await used.admin.make('/api/extras/event-rules/', {
    name: unique('rule'),
    object_types: ['dcim.site'],
    event_types: ['object_created', 'object_updated'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: hook.id,
  });
  const [id, loud] = [newId(), await lab.site()];
  const name = unique('quiet');
  const deliveriesAbout = async (site: number): Promise<string[]> => {
    const filters = `webhook_id=${hook.id}&object_type=dcim.site&object_id=${site}`;
    const { results } = await used.admin.read(`/api/extras/webhook-deliveries/?${filters}`);
    return results.map((one: Body) => one.event_type);
  };
  await eventually(async () => expect(await deliveriesAbout(loud.id)).toContain('object_created'));
  await created('dcim/sites', { id, name, slug: name, status: 'active', ...times });
  await used.admin.patch(`/api/dcim/sites/${id}/`, { facility: 'x' });
  await eventually(async () => {
    expect(await deliveriesAbout(id)).toEqual(['object_updated']);
    const about = `changed_object_type=dcim.site&changed_object_id=${id}`;
    const { results } = await used.admin.read(`/api/core/object-changes/?${about}`);
    expect(results.map((one: Body) => one.action.value)).toEqual(['update']);
  });
});

test('users log in with the passwords that they had, and tokens go on working', async () => {
  const id = newId();
  const username = unique('old').toLowerCase();
  const password = 'Old-Passw0rd-of-Django';
  const hash = pbkdf2Sync(password, 'salt', 1000, 32, 'sha256').toString('base64');
  await created('users/users', {
    id,
    username,
    password: `pbkdf2_sha256$1000$salt$${hash}`,
    is_active: true,
    is_superuser: true,
    date_joined: times.created,
  });
  const first = randomBytes(20).toString('hex');
  await created('users/tokens', {
    id: newId(),
    version: 1,
    user: id,
    token: first,
    write_enabled: true,
    enabled: true,
  });
  const { status } = await used.admin.as(`Token ${first}`).get('/api/users/users/?limit=1');
  expect(status).toBe(200);
  const made = await used.admin.as().ask('POST', '/api/users/tokens/provision/', { body: { username, password } });
  expect([made.status, made.body.user?.username]).toEqual([201, username]);
});

test('what users have chosen comes to what they have chosen here, and is seen at once', async () => {
  const { id, client } = await userWith(used.admin, { actions: ['view'] });
  const mine = async (): Promise<Body> => (await client.get('/api/users/config/')).body;
  const theirs = { tables: { SiteTable: { columns: ['name', 'slug'] } }, ui: { colormode: 'dark' } };
  const outcomes = async (...objects: Body[]) =>
    (await bring('users/config', ...objects)).map(({ outcome }) => outcome);

  expect(await outcomes({ id, data: theirs })).toEqual(['created']);
  expect(await mine()).toEqual(theirs);
  expect(await outcomes({ id, data: theirs })).toEqual(['unchanged']);
  await client.patch('/api/users/config/', { ui: { keys: false, colormode: 'light' } });
  expect(await outcomes({ id, data: theirs })).toEqual(['updated']);
  expect(await mine()).toEqual({ ...theirs, ui: { colormode: 'dark', keys: false } });

  // Not a following id: users that are created here get ids above those that were imported.
  const nobody = newId() + 1_000_000_000;
  expect(await bring('users/config', { id: nobody, data: {} }, { id, data: [] }, { id: 'x', data: {} })).toEqual([
    { id: nobody, outcome: 'refused', notes: {}, errors: { id: [`There is no user ${nobody}.`] } },
    { id, outcome: 'refused', notes: {}, errors: { data: ['Invalid data. Expected a dictionary.'] } },
    { id: null, outcome: 'refused', notes: {}, errors: { id: ['A valid integer is required.'] } },
  ]);
  const stranger = new Client(used.system.base, client.authorization);
  const refused = await stranger.ask('POST', '/api/users/config/import/', { body: { objects: [{ id, data: {} }] } });
  expect(refused.status).toBe(403);
});

test('the history is imported too, also of deleted objects and of types that are not here', async () => {
  const record = (more: Body) => ({
    id: newId(),
    time: times.created,
    user: null,
    user_name: 'someone who left',
    request_id: '019a0000-0000-7000-8000-0000000000aa',
    action: 'update',
    changed_object_type: 'dcim.site',
    changed_object_id: 1_999_999_999,
    object_repr: 'Site of old',
    message: '',
    prechange_data: { name: 'a' },
    postchange_data: { name: 'b' },
    ...more,
  });
  const [known, absent] = [record({}), record({ changed_object_type: 'vpn.tunnel' })];
  const [taken, other] = await bring('core/object-changes', known, absent);
  expect(taken).toEqual({ id: known.id, outcome: 'created', notes: {}, errors: {} });
  expect(other).toMatchObject({ id: absent.id, outcome: 'created', notes: { changed_object_type: expect.anything() } });
  const shown = await used.admin.read(`/api/core/object-changes/${known.id}/`);
  expect(shown).toMatchObject({
    user_name: 'someone who left',
    action: { value: 'update' },
    time: times.created,
    postchange_data: { name: 'b' },
  });
  expect((await used.admin.get(`/api/core/object-changes/${absent.id}/`)).status).toBe(200);
  expect((await used.admin.get('/api/core/object-changes/?limit=5')).status).toBe(200);
});

test('the import API is for superusers', async () => {
  const { status } = await used.admin.as().ask('POST', '/api/dcim/sites/import/', { body: { objects: [] } });
  expect(status).toBe(403);
});

test('what the rules here would refuse or change comes as it was, and is noted', async () => {
  // Other tests create interfaces meanwhile: theirs get ids above the highest that was imported.
  const [vc, first, second, near, far, ip, vm, port] = Array.from({ length: 8 }, newId) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const type = await lab.deviceType({ airflow: 'passive' });
  const common = { device_type: type.id, role: (await lab.role()).id, site: (await lab.site()).id, ...times };
  const member = { virtual_chassis: vc, status: 'active', airflow: null, ...common };
  await created('dcim/virtual-chassis', { id: vc, name: unique('vc'), ...times });
  await created(
    'dcim/devices',
    { id: first, name: unique('d'), vc_position: 1, ...member },
    { id: second, name: unique('d'), vc_position: 2, ...member },
  );
  const lag = { id: near, device: second, name: 'x', type: '1000base-t', lag: far, ...times };
  await created('dcim/interfaces', { id: far, device: first, name: 'ae0', type: 'lag', ...times });
  await created('dcim/interfaces', lag);
  // At the source, a member left although one of its interfaces was in a LAG of another member.
  const [left] = await bring('dcim/devices', { id: second, name: 'left', ...member, virtual_chassis: null });
  expect(left).toMatchObject({ outcome: 'updated', errors: {} });
  const [address] = await bring('ipam/ip-addresses', {
    id: ip,
    address: '192.0.2.255/24',
    status: 'active',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: near,
    ...times,
  });
  expect(address).toMatchObject({ outcome: 'created', notes: { address: [expect.stringContaining('broadcast')] } });
  const [vlan] = [await lab.make('ipam/vlans', { vid: 7, name: unique('vlan') })];
  await created('virtualization/virtual-machines', { id: vm, name: unique('vm'), site: common.site, ...times });
  await created('virtualization/interfaces', {
    id: port,
    virtual_machine: vm,
    name: 'eth0',
    mode: null,
    untagged_vlan: vlan.id,
    tagged_vlans: [vlan.id],
    ...times,
  });
  expect(await lab.read(`dcim/devices/${second}`)).toMatchObject({ airflow: null, virtual_chassis: null });
  expect(await lab.read(`dcim/interfaces/${near}`)).toMatchObject({ lag: { id: far } });
  expect(await lab.read(`ipam/ip-addresses/${ip}`)).toMatchObject({ assigned_object: { id: near } });
  // Interfaces that were separated before do not prevent the deletion of the chassis.
  expect((await used.admin.delete(`/api/dcim/virtual-chassis/${vc}/`)).status).toBe(204);
  expect(await lab.read(`virtualization/interfaces/${port}`)).toMatchObject({
    untagged_vlan: { id: vlan.id },
    tagged_vlans: [{ id: vlan.id }],
  });
});
