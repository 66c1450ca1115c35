import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const VLANS = '/api/ipam/vlans/';
const GROUPS = '/api/ipam/vlan-groups/';

async function makeSite(attributes: Record<string, unknown> = {}) {
  const slug = unique('site');
  return used.admin.make('/api/dcim/sites/', { name: slug, slug, ...attributes });
}

async function makeGroup(attributes: Record<string, unknown> = {}) {
  const slug = unique('group');
  return used.admin.make(GROUPS, { name: slug, slug, ...attributes });
}

test('a group has ranges of numbers, and tells how many of them are used', async () => {
  const group = await makeGroup({
    vid_ranges: [
      [100, 199],
      [300, 399],
    ],
  });
  expect(group).toMatchObject({
    vid_ranges: [
      [100, 199],
      [300, 399],
    ],
    total_vlan_ids: 200,
    vlan_count: 0,
    utilization: '0.0',
    scope: null,
  });
  await used.admin.make(VLANS, { vid: 100, name: 'a', group: group.id });
  expect(await used.admin.read(`${GROUPS}${group.id}/`)).toMatchObject({ vlan_count: 1, utilization: '0.5' });
  expect(await makeGroup()).toMatchObject({ vid_ranges: [[1, 4094]], total_vlan_ids: 4094 });
  expect(await used.admin.column(`${GROUPS}?contains_vid=150&q=${group.name}`, 'id')).toEqual([group.id]);
  expect(await used.admin.column(`${GROUPS}?contains_vid=200&q=${group.name}`, 'id')).toEqual([]);
});

test.each([
  [[], ['This field cannot be blank.']],
  [[[0, 5]], ['Starting VLAN ID in range (0) cannot be less than 1']],
  [[[1, 4095]], ['Ending VLAN ID in range (4095) cannot exceed 4094']],
  [[[9, 5]], ['Ending VLAN ID in range must be greater than or equal to the starting VLAN ID (9-5)']],
  [
    [
      [1, 5],
      [5, 9],
    ],
    ['Ranges cannot overlap.'],
  ],
  [[[1, 2, 3]], { 0: ['Ranges must be specified in the form (lower, upper).'] }],
  [[[1, 'x']], { 0: ['Range boundaries must be defined as integers.'] }],
])('ranges %j are refused', async (vid_ranges, errors) => {
  const slug = unique();
  const { status, body } = await used.admin.post(GROUPS, { name: slug, slug, vid_ranges });
  expect([status, body]).toEqual([400, { vid_ranges: errors }]);
});

test('names are unique within a scope', async () => {
  const site = await makeSite();
  const scope = { scope_type: 'dcim.site', scope_id: site.id };
  const { name, slug } = await makeGroup(scope);
  expect((await used.admin.post(GROUPS, { name, slug, ...scope })).body).toEqual({
    __all__: [
      'VLAN group with this Scope type, Scope id and Name already exists.',
      'VLAN group with this Scope type, Scope id and Slug already exists.',
    ],
  });
  await used.admin.make(GROUPS, { name, slug });
  expect((await used.admin.post(GROUPS, { name: slug, slug, scope_type: 'dcim.site' })).body).toEqual({
    scope_id: ['This field cannot be null.'],
  });
  expect(await used.admin.column(`${GROUPS}?site=${site.id}`, 'name')).toEqual([name]);
});

test('a VLAN keeps to the numbers and the site of its group', async () => {
  const [here, there] = [await makeSite(), await makeSite()];
  const group = await makeGroup({ vid_ranges: [[100, 199]], scope_type: 'dcim.site', scope_id: here.id });
  await used.admin.make(VLANS, { vid: 100, name: 'taken', group: group.id });
  const post = async (body: object) => (await used.admin.post(VLANS, body)).body;
  expect(await post({ vid: 100, name: 'other', group: group.id, site: there.id })).toEqual({
    __all__: [
      `VLAN is assigned to group ${group.name} (scope: ${here.name}); cannot also assign to site ${there.name}.`,
      'VLAN with this Group and VLAN ID already exists.',
    ],
  });
  expect(await post({ vid: 101, name: 'taken', group: group.id })).toEqual({
    __all__: ['VLAN with this Group and Name already exists.'],
  });
  expect(await post({ vid: 200, name: 'x', group: group.id })).toEqual({
    vid: [`VID must be in ranges 100-199 for VLANs in group ${group.name}`],
  });
  expect(await post({ vid: 5000, name: 'x' })).toEqual({ vid: ['Ensure this value is less than or equal to 4094.'] });
  expect(await used.admin.make(VLANS, { vid: 101, name: 'x', group: group.id, site: here.id })).toMatchObject({
    display: 'x (101)',
    l2vpn_termination: null,
  });
});

test('customer VLANs are carried by a service VLAN', async () => {
  const service = await used.admin.make(VLANS, { vid: 10, name: 'carrier', qinq_role: 'svlan' });
  const post = async (body: object) => (await used.admin.post(VLANS, { vid: 11, name: 'x', ...body })).body;
  expect(await post({ qinq_role: 'cvlan' })).toEqual({
    qinq_role: ['A Q-in-Q customer VLAN must be assigned to a service VLAN.'],
  });
  expect(await post({ qinq_svlan: service.id })).toEqual({
    qinq_svlan: ['Only Q-in-Q customer VLANs maybe assigned to a service VLAN.'],
  });
  expect(await post({ qinq_role: 'cvlan', qinq_svlan: service.id })).toMatchObject({
    qinq_role: { value: 'cvlan', label: 'Customer' },
    qinq_svlan: {
      id: service.id,
      url: service.url,
      display: 'carrier (10)',
      vid: 10,
      name: 'carrier',
      description: '',
    },
  });
  expect(await used.admin.column(`${VLANS}?qinq_svlan_vid=10&qinq_svlan_id=${service.id}`, 'vid')).toEqual([11]);
  expect(await used.admin.column(`${VLANS}?qinq_svlan_vid__empty=false&qinq_svlan_id=${service.id}`, 'vid')).toEqual([
    11,
  ]);
  expect(await used.admin.column(`${VLANS}?qinq_svlan_vid__empty=true&id=${service.id}`, 'vid')).toEqual([10]);
  expect(await used.admin.delete(`${VLANS}${service.id}/`)).toMatchObject({ status: 409 });
});

test('VLANs are available where they, their groups or what these are meant for reach', async () => {
  const slug = unique('region');
  const region = await used.admin.make('/api/dcim/regions/', { name: slug, slug });
  const below = await used.admin.make('/api/dcim/regions/', {
    name: `${slug}-b`,
    slug: `${slug}-b`,
    parent: region.id,
  });
  const site = await makeSite({ region: below.id });
  const elsewhere = await makeSite();
  const inRegion = await makeGroup({ scope_type: 'dcim.region', scope_id: region.id });
  const global = await makeGroup();
  const far = await makeGroup({ scope_type: 'dcim.site', scope_id: elsewhere.id });
  const tag = unique();
  const name = (what: string) => `${tag} ${what}`;
  await used.admin.make(VLANS, [
    { vid: 1, name: name('of the site'), site: site.id },
    { vid: 2, name: name('of the region'), group: inRegion.id },
    { vid: 3, name: name('of a group'), group: global.id },
    { vid: 4, name: name('of nobody') },
    { vid: 5, name: name('of another site'), site: elsewhere.id },
    { vid: 6, name: name('of a group elsewhere'), group: far.id },
  ]);
  // ipam hears a moment later which regions a site is in.
  await eventually(async () =>
    expect((await used.admin.column(`${VLANS}?q=${tag}&available_at_site=${site.id}`, 'vid')).sort()).toEqual([
      1, 2, 3, 4,
    ]),
  );
  expect((await used.admin.column(`${VLANS}?q=${tag}&available_at_site=${elsewhere.id}`, 'vid')).sort()).toEqual([
    3, 4, 5, 6,
  ]);
  await eventually(async () => expect(await used.admin.column(`${VLANS}?q=${tag}&region=${slug}`, 'vid')).toEqual([1]));
  expect((await used.admin.get(`${VLANS}?available_at_site=999999999`)).body).toEqual({
    available_at_site: ['Select a valid choice. That choice is not one of the available choices.'],
  });
});

test('VLAN translation has pairs of numbers, each once on either side', async () => {
  const policy = await used.admin.make('/api/ipam/vlan-translation-policies/', { name: unique('policy') });
  const RULES = '/api/ipam/vlan-translation-rules/';
  const rule = await used.admin.make(RULES, { policy: policy.id, local_vid: 100, remote_vid: 200 });
  expect(rule).toEqual({
    id: rule.id,
    url: rule.url,
    display: `100 -> 200 (${policy.name})`,
    policy: policy.id,
    local_vid: 100,
    remote_vid: 200,
    description: '',
  });
  expect((await used.admin.post(RULES, { policy: policy.id, local_vid: 100, remote_vid: 200 })).body).toEqual({
    __all__: [
      'VLAN translation rule with this Policy and Local VLAN ID already exists.',
      'VLAN translation rule with this Policy and Remote VLAN ID already exists.',
    ],
  });
  expect((await used.admin.read(`/api/ipam/vlan-translation-policies/${policy.id}/`)).rules).toEqual([rule]);
  expect(await used.admin.column(`${RULES}?policy=${policy.name}`, 'id')).toEqual([rule.id]);
});
