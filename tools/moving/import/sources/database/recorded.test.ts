import { createHmac } from 'node:crypto';
import { type Catalogue, type Dict, isDict, loadCatalogue, type Model } from '@cadastre/model';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../testing/servers/postgres.ts';
import type { TokenAccount } from '../accounts/query.ts';
import { isSentField } from '../../mapping/sent.ts';
import type { Collection } from '../source.ts';
import { layoutOf } from './layout.ts';
import { membersOf } from './members.ts';
import { snapshotOf } from './snapshot.ts';
import { type DatabaseSource, databaseSource } from './source.ts';
import { eachRecording } from './testing/eachRecording.ts';
import { PEPPER } from './testing/recordings.ts';
import { restore } from './testing/restore.ts';
import { insert } from './testing/rows.ts';

eachRecording('the database of $name', (recording) => {
  let database: TestDatabase;
  let catalogue: Catalogue;
  let source: DatabaseSource;
  let collections: readonly Collection[];
  beforeAll(async () => {
    [database, catalogue] = await Promise.all([createTestDatabase(), loadCatalogue('services')]);
    await restore(recording.dump, database.url);
    source = await databaseSource(database.url, { models: catalogue.models });
    collections = await source.collections();
  });
  afterAll(async () => {
    await source?.close();
    await database?.drop();
  });

  test('tells what its API tells, of every object and in every field that an import writes', async () => {
    const different: unknown[] = [];
    let compared = 0;
    for (const collection of collections) {
      const list = recording.list(collection.path);
      const model = catalogue.models.get(collection.type);
      if (!list || !model) continue;
      const recorded = new Map(list.map((object) => [object['id'], object]));
      for await (const object of source.read(collection)) {
        const theirs = recorded.get(object['id']!);
        recorded.delete(object['id']!);
        compared += 1;
        // A list that holds some objects twice was read by pages without a fixed order: other objects are missing in
        // it.
        if (!theirs && new Set(list.map(({ id }) => id)).size === list.length)
          different.push([collection.path, object['id'], 'is not in the list']);
        if (theirs)
          different.push(...differences(model, object, theirs).map((one) => [collection.path, object['id'], ...one]));
      }
      different.push(...[...recorded.keys()].map((id) => [collection.path, id, 'is only in the list']));
    }
    expect(different.slice(0, 20)).toEqual([]);
    expect(compared).toBeGreaterThan(10_000);
  });

  test('has a place for every field that an import writes, but for what NetBox has not, and the secrets of accounts', async () => {
    const snapshot = await snapshotOf(database.url, 'the recorded database', 1);
    const layout = await layoutOf(snapshot.ask, 'the recorded database').finally(snapshot.close);
    const missing = collections.flatMap(({ type }) => {
      const model = catalogue.models.get(type);
      const found = new Set(model && membersOf(model, layout, catalogue.models).map(({ name }) => name));
      return Object.entries(model?.fields ?? {}).flatMap(([name, field]) =>
        isSentField(field) && !field.writeOnly && !found.has(name) ? [`${type}: ${name}`] : [],
      );
    });
    expect(missing.toSorted()).toEqual(['extras.webhook: secrets', ...TOKENS.map((name) => `users.token: ${name}`)]);
  });

  test('names what it has of types that are unknown here, with its count and what it is called', async () => {
    const strangers = collections.filter(({ type }) => !catalogue.models.has(type));
    expect(strangers.length).toBeGreaterThan(0);
    for (const collection of strangers) {
      expect(collection.type).toBe(collection.path);
      const objects = await Array.fromAsync(source.read(collection));
      expect(objects).toHaveLength(collection.count);
      for (const object of objects) expect(Object.keys(object).filter((name) => name !== 'display')).toEqual(['id']);
    }
    expect(strangers.map(({ type }) => type)).toContain('vpn/tunnel');
    expect(strangers.map(({ type }) => type)).not.toContain('sessions/session');
  });

  test('gives the accounts, with what their passwords and tokens are verified by', async () => {
    const accounts = await Array.fromAsync(source.accounts());
    const users = accounts.filter((one) => one.kind === 'user');
    const tokens = accounts.filter((one) => one.kind === 'token');
    for (const { username, hasher, is_active, is_superuser } of recording.accounts.users) {
      const user = users.find((one) => one.username === username);
      expect(user).toMatchObject({ is_active, is_superuser });
      expect(user!.password.split('$')[0]).toMatch(hasher === null ? /^!/ : new RegExp(`^${String(hasher)}$`));
    }
    for (const plain of recording.accounts.tokens) {
      const user = users.find((one) => one.username === plain['user'])!;
      const token = tokens.find((one) => one.user_id === user.id && isToken(one, String(plain['plaintext'])));
      expect(token).toMatchObject({ version: plain['version'], key: plain['key'], enabled: plain['enabled'] });
    }
    expect(
      JSON.stringify(await Array.fromAsync(source.read({ type: '', path: 'users/tokens', count: 0 }))),
    ).not.toMatch(new RegExp(tokens.map((one) => one.plaintext ?? one.hmac_digest).join('|')));
  });

  test('shows what the recorded tables have no rows of in the form of the API', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const one = async (type: string): Promise<number> =>
      Number((await client.query(`select min(id) as id from public.${type.replace('.', '_')}`)).rows[0].id);
    const set = (type: string, id: number, columns: string): Promise<unknown> =>
      client.query(`update public.${type.replace('.', '_')} set ${columns} where id = ${id}`);
    const typeId = async (model: string): Promise<number> =>
      (await client.query('select id from public.django_content_type where model = $1', [model])).rows[0].id;
    try {
      const device = await one('dcim.device');
      const port = await one('dcim.interface');
      const vlan = await one('ipam.vlan');
      const group = await one('ipam.vlangroup');
      const kind = await one('dcim.devicetype');
      const rule = await one('extras.eventrule');
      const site = await one('dcim.site');
      const asn = await one('ipam.asn');
      const maker = await one('dcim.manufacturer');
      const provider = await one('circuits.provider');
      const user = await one('users.user');
      const users = await one('users.group');
      const mac = await insert(client, 'dcim_macaddress', {
        mac_address: '00:1b:21:ab:cd:ef',
        assigned_object_type_id: await typeId('interface'),
        assigned_object_id: port,
      });
      await set('dcim.interface', port, `wwn = '50:00:00:00:00:00:00:0a', primary_mac_address_id = ${mac}`);
      await insert(client, 'dcim_interface_tagged_vlans', { interface_id: port, vlan_id: vlan });
      const front = await insert(client, 'dcim_frontport', {
        device_id: device,
        name: 'f',
        type: '8p8c',
        positions: 2,
      });
      const rear = await insert(client, 'dcim_rearport', { device_id: device, name: 'r', type: '8p8c', positions: 2 });
      await insert(client, 'dcim_portmapping', {
        device_id: device,
        front_port_id: front,
        front_port_position: 1,
        rear_port_id: rear,
        rear_port_position: 2,
      });
      await set('ipam.vlangroup', group, `vid_ranges = '{"[1,11)","[100,201)"}'`);
      await set('dcim.devicetype', kind, `front_image = 'devicetype-images/x.png', rear_image = ''`);
      await set('extras.eventrule', rule, `comments = 'why'`);
      await set('dcim.site', site, `created = '2020-01-01T01:00:00+01:00', custom_field_data = '{"no such field": 1}'`);
      await insert(client, 'dcim_site_asns', { site_id: site, asn_id: asn });
      const account = await insert(client, 'circuits_provideraccount', { provider_id: provider, account: 'a' });
      const type = await insert(client, 'dcim_moduletype', {
        manufacturer_id: maker,
        attribute_data: { cores: 8 },
        created: '2026-01-31T08:00:00.123456Z',
      });
      const people = await insert(client, 'extras_notificationgroup', { name: 'people' });
      await insert(client, 'extras_notificationgroup_users', { notificationgroup_id: people, user_id: user });
      await insert(client, 'extras_notificationgroup_groups', { notificationgroup_id: people, group_id: users });
      const policy = await insert(client, 'ipam_vlantranslationpolicy', { name: 'p', custom_field_data: { a: 1 } });
      const tag = await one('extras.tag');
      await insert(client, 'extras_taggeditem', {
        object_id: policy,
        content_type_id: await typeId('vlantranslationpolicy'),
        tag_id: tag,
      });
      const address = await insert(client, 'ipam_ipaddress', { address: '2001:db8::7/128', status: 'active' });

      const later = await databaseSource(database.url, { models: catalogue.models });
      try {
        const shown: [type: string, id: number, what: Dict][] = [
          ['dcim.macaddress', mac, { mac_address: '00:1B:21:AB:CD:EF', assigned_object_type: 'dcim.interface' }],
          ['dcim.interface', port, { wwn: '50:00:00:00:00:00:00:0A', primary_mac_address: mac, tagged_vlans: [vlan] }],
          ['dcim.frontport', front, { rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 2 }] }],
          ['dcim.rearport', rear, { front_ports: [{ position: 2, front_port: front, front_port_position: 1 }] }],
          [
            'ipam.vlangroup',
            group,
            {
              vid_ranges: [
                [1, 10],
                [100, 200],
              ],
            },
          ],
          ['dcim.devicetype', kind, { front_image: 'devicetype-images/x.png', rear_image: null }],
          ['extras.eventrule', rule, { comments: 'why' }],
          ['dcim.site', site, { created: '2020-01-01T00:00:00Z', asns: [asn] }],
          ['ipam.asn', asn, { sites: [site] }],
          ['circuits.provider', provider, { accounts: [account] }],
          ['dcim.moduletype', type, { attributes: { cores: 8 }, created: '2026-01-31T08:00:00.123456Z' }],
          ['extras.notificationgroup', people, { users: [user], groups: [users] }],
          ['ipam.vlantranslationpolicy', policy, { custom_field_data: { a: 1 }, extras_taggeditem: [tag] }],
          ['ipam.ipaddress', address, { address: '2001:db8::7/128', role: null, vrf: null }],
        ];
        for (const [type, id, what] of shown) {
          const collection = (await later.collections()).find((one) => one.type === type)!;
          const [object] = await Array.fromAsync(first(later.read(collection, id - 1)));
          expect(object).toMatchObject({ id, ...what });
          if (type === 'dcim.site') expect(object!['custom_fields']).not.toHaveProperty(['no such field']);
        }
        const before = collections.find(({ type }) => type === 'dcim.macaddress')!;
        expect(await Array.fromAsync(source.read(before))).toHaveLength(before.count);
      } finally {
        await later.close();
      }
    } finally {
      await client.end();
    }
  });
});

const isToken = ({ plaintext, hmac_digest }: TokenAccount, secret: string): boolean =>
  plaintext === secret || hmac_digest === createHmac('sha256', PEPPER).update(secret).digest('hex');

/** The values by which tokens are verified. */
const TOKENS = ['checksum', 'ending', 'hmac_digest', 'token'];

/** It changes with every request, including those that recorded the lists. */
const CHANGES_BY_READING = ['last_used'];

function differences(model: Model, ours: Dict, theirs: Dict): [string, unknown, unknown][] {
  return Object.entries(model.fields).flatMap(([name, field]): [string, unknown, unknown][] => {
    if (!(name in ours) || !(name in theirs) || CHANGES_BY_READING.includes(name)) return [];
    const [left, right] = [ours[name]!, reduced(theirs[name]!)];
    const isSet = (field.relation || field.reverse || field.kind === 'objectTypes') && !field.owned;
    const unordered = isSet && Array.isArray(left) && Array.isArray(right);
    const same = unordered
      ? JSON.stringify(left.toSorted()) === JSON.stringify(right.toSorted())
      : JSON.stringify(inOrder(left)) === JSON.stringify(inOrder(right));
    return same ? [] : [[name, left, right]];
  });
}

/** A representation with objects as their ids and choices as their values; generic references are left out. */
function reduced(value: Dict[string]): Dict[string] {
  if (Array.isArray(value)) return value.map(reduced);
  if (!isDict(value)) return value;
  if (typeof value['id'] === 'number' && typeof value['url'] === 'string') return value['id'];
  if ('value' in value && 'label' in value && Object.keys(value).length === 2) return value['value']!;
  const members = Object.entries(value).filter(([name]) => !(`${name}_type` in value && `${name}_id` in value));
  return Object.fromEntries(members.map(([name, one]) => [name, reduced(one)]));
}

const inOrder = (value: Dict[string]): Dict[string] =>
  Array.isArray(value)
    ? value.map(inOrder)
    : isDict(value)
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, one]): [string, Dict[string]] => [name, inOrder(one)])
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value;

async function* first<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const one of all) {
    yield one;
    return;
  }
}
