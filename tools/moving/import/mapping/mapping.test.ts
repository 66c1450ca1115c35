import { resolve } from 'node:path';
import { type Catalogue, type Dict, loadCatalogue } from '@cadastre/model';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Mapped, mappingOf } from './mapping.ts';
import { isSent, tellsRows } from './sent.ts';
import type { Known } from './values.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await loadCatalogue(resolve(import.meta.dirname, '../../../../services'));
});

const known = (more: Partial<Known> = {}): Known => ({
  idOf: (_, id) => id,
  precedes: () => true,
  comes: (type) => catalogue.models.has(type) && isSent(catalogue.get(type)),
  names: (type) => catalogue.knows(type),
  rowsOf: (model, field) => tellsRows(model, field, catalogue.models.values()),
  customReference: () => undefined,
  ...more,
});
const mapped = (type: string, shown: Dict, more: Partial<Known> = {}): Mapped =>
  mappingOf(catalogue.get(type), known(more))(shown);
const brief = (id: number): Dict => ({ id, url: `http://x/${id}/`, display: `no. ${id}` });

test('references become ids, choices values; what the target works out stays away', () => {
  const { first, second, lost } = mapped('dcim.device', {
    id: 4,
    url: 'http://x/api/dcim/devices/4/',
    display: 'd',
    name: 'd',
    site: brief(2),
    tenant: null,
    status: { value: 'active', label: 'Active' },
    tags: [brief(8), brief(9)],
    primary_ip: brief(7),
    config_context: { a: 1 },
    interface_count: 3,
  });
  expect(first).toEqual({ id: 4, name: 'd', site: 2, tenant: null, status: 'active', tags: [8, 9] });
  expect([second, lost]).toEqual([undefined, []]);
});

test('ids may stand where objects do', () => {
  const { first } = mapped('dcim.device', { id: 4, site: 2, status: 'active', tags: [8] });
  expect(first).toEqual({ id: 4, site: 2, status: 'active', tags: [8] });
});

test('references to what is stored later wait, others do not; empty ones are sent at once', () => {
  const precedes = (other: string): boolean => other !== 'ipam.ipaddress';
  const shown = { id: 4, site: 2, primary_ip4: brief(7), primary_ip6: null, created: '2020', last_updated: '2021' };
  const { first, second } = mapped('dcim.device', shown, { precedes });
  expect(first).toMatchObject({ id: 4, site: 2, primary_ip6: null });
  expect(first).not.toHaveProperty('primary_ip4');
  expect(second).toMatchObject({ id: 4, primary_ip4: 7 });
  expect(second).not.toHaveProperty('site');
});

describe('what points at objects of several types', () => {
  const shown = { id: 1, address: '10.0.0.1/24', assigned_object_type: 'dcim.interface', assigned_object_id: 5 };

  test('is sent as type and id, at once or later', () => {
    expect(mapped('ipam.ipaddress', shown).first).toEqual(shown);
    const { first, second } = mapped('ipam.ipaddress', shown, { precedes: () => false });
    expect(first).toEqual({ id: 1, address: '10.0.0.1/24' });
    expect(second).toMatchObject({ id: 1, assigned_object_type: 'dcim.interface', assigned_object_id: 5 });
  });

  test('follows ids that change', () => {
    const idOf = (type: string, id: number): number => (type === 'dcim.interface' ? id + 100 : id);
    expect(mapped('ipam.ipaddress', shown, { idOf }).first).toMatchObject({ id: 1, assigned_object_id: 105 });
  });

  test('is told where its type is not here, and takes the object with it where it must be given', () => {
    const lost = mapped('ipam.ipaddress', { ...shown, assigned_object_type: 'plugin.thing' });
    expect(lost.lost).toEqual([{ field: 'assigned_object_type', why: 'refers to plugin.thing, which is not here' }]);
    expect([lost.missing, lost.first]).toEqual([undefined, { id: 1, address: '10.0.0.1/24' }]);
    const about = { id: 1, object_type: 'plugin.thing', object_id: 1, user: 1 };
    expect(mapped('extras.bookmark', about).missing).toBe('object_type refers to plugin.thing, which is not here');
  });
});

test('rows that are part of an object are sent with it, unless they have a list of their own', () => {
  const ends = [{ object_type: 'dcim.interface', object_id: 3, object: brief(3) }];
  expect(mapped('dcim.cable', { id: 1, a_terminations: ends }).first).toEqual({
    id: 1,
    a_terminations: [{ object_type: 'dcim.interface', object_id: 3 }],
  });
  expect(mapped('dcim.cable', { id: 1, a_terminations: ends }, { rowsOf: () => false }).first).toEqual({ id: 1 });
});

test('rows between two objects are told by one of them', () => {
  const row = { position: 1, rear_port: 9, rear_port_position: 2 };
  expect(mapped('dcim.frontport', { id: 1, rear_ports: [row] }).first).toEqual({ id: 1, rear_ports: [row] });
  expect(mapped('dcim.rearport', { id: 9, front_ports: [{ position: 2, front_port: 1 }] }).first).toEqual({ id: 9 });
});

test('custom fields are sent by value; those that refer to later objects wait', () => {
  const shown = { id: 1, custom_fields: { tier: 'gold', peer: brief(5), backups: [brief(6)], none: null } };
  const customReference: Known['customReference'] = (name) =>
    name === 'peer'
      ? { to: 'dcim.site', many: false }
      : name === 'backups'
        ? { to: 'dcim.device', many: true }
        : undefined;
  const { first, second } = mapped('dcim.site', shown, {
    customReference,
    precedes: (other) => other === 'dcim.device',
  });
  expect(first['custom_fields']).toEqual({ tier: 'gold', backups: [6], none: null });
  expect(second).toMatchObject({ id: 1, custom_fields: { peer: 5 } });
});

test('what is above an object in a tree is told, so that it can come first', () => {
  expect(mapped('dcim.region', { id: 2, name: 'b', parent: brief(1) }, { precedes: () => false })).toMatchObject({
    first: { id: 2, name: 'b', parent: 1 },
    parent: 1,
  });
});

test('values without a place are told, counts and nothings are not', () => {
  const { lost } = mapped('dcim.site', {
    id: 1,
    colour: 'red',
    moon_count: 3,
    flag: false,
    list: [],
    display_url: 'x',
  });
  expect(lost).toEqual([{ field: 'colour', why: 'is not known here' }]);
});

test('types that are not here are taken out of lists of types', () => {
  const { first, lost } = mapped('extras.tag', { id: 1, object_types: ['dcim.site', 'plugin.thing'] });
  expect(first['object_types']).toEqual(['dcim.site']);
  expect(lost).toEqual([{ field: 'object_types', why: 'names plugin.thing, which is not here' }]);
});

test('a secret that is masked is not sent', () => {
  const { first, lost } = mapped('extras.webhook', { id: 1, secret: '********' });
  expect(first).toEqual({ id: 1 });
  expect(lost).toEqual([{ field: 'secret', why: 'is a secret that the source does not show' }]);
  expect(mapped('extras.webhook', { id: 1, secret: 'open' }).first).toEqual({ id: 1, secret: 'open' });
});

test('null is what a field has that is never null', () => {
  const { first } = mapped('users.token', { id: 1, version: 2, allowed_ips: null, expires: null });
  expect(first).toEqual({ id: 1, version: 2, allowed_ips: [], expires: null });
});

test('a token is sent where the accounts tell it', () => {
  expect(mapped('users.token', { id: 1, version: 1, token: null }).first).toEqual({ id: 1, version: 1 });
  expect(mapped('users.token', { id: 1, version: 1, token: 'told' }).first).toEqual({
    id: 1,
    version: 1,
    token: 'told',
  });
});

test('a file is sent by its path below all files', () => {
  const shown = { id: 1, front_image: 'http://x/media/devicetype-images/a%20b.png', rear_image: null };
  expect(mapped('dcim.devicetype', shown).first).toEqual({
    id: 1,
    front_image: { path: 'devicetype-images/a b.png' },
    rear_image: null,
  });
});

test.each<[string, Dict, Dict]>([
  [
    'dcim.frontport',
    { id: 1, rear_port: brief(9), rear_port_position: 3 },
    { rear_ports: [{ position: 1, rear_port: 9, rear_port_position: 3 }] },
  ],
  [
    'ipam.service',
    { id: 1, device: null, virtual_machine: brief(3) },
    { parent_object_type: 'virtualization.virtualmachine', parent_object_id: 3 },
  ],
  ['tenancy.contact', { id: 1, group: brief(3) }, { groups: [3] }],
  ['users.token', { id: 1, key: 'plain secret' }, { version: 1 }],
])('what older versions show otherwise is understood: %s', (type, shown, sent) => {
  const { first, lost } = mapped(type, shown);
  expect([first, lost]).toEqual([{ id: 1, ...sent }, []]);
});
