import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const PREFIXES = '/api/ipam/prefixes/';

async function makeVrf(attributes: Record<string, unknown> = {}) {
  return used.admin.make('/api/ipam/vrfs/', { name: unique('vrf'), rd: unique('rd'), ...attributes });
}

/** Prefixes of a VRF of the test's own, with their depths in the hierarchy. */
async function places(vrf: { id: number }) {
  const { results } = await used.admin.read(`${PREFIXES}?vrf_id=${vrf.id}&fields=prefix,_depth,children&limit=100`);
  return results.map((one: Record<string, unknown>) => [one['prefix'], one['_depth'], one['children']]);
}

test('a prefix is shown with its family and its place, in the order of networks', async () => {
  const vrf = await makeVrf();
  const made = await used.admin.make(PREFIXES, [
    { prefix: '2001:db8::/32', vrf: vrf.id },
    { prefix: '10.0.0.0/8', vrf: { rd: vrf.rd }, status: 'container' },
    { prefix: '10.9.9.9', vrf: vrf.id },
  ]);
  expect(made[0]).toMatchObject({
    display: '2001:db8::/32',
    family: { value: 6, label: 'IPv6' },
    vrf: { id: vrf.id, display: `${vrf.name} (${vrf.rd})` },
    status: { value: 'active' },
    scope: null,
  });
  expect(await places(vrf)).toEqual([
    ['10.0.0.0/8', 0, 1],
    ['10.9.9.9/32', 1, 0],
    ['2001:db8::/32', 0, 0],
  ]);
});

test.each([
  [{ prefix: '10.9.9.9/24' }, { prefix: ['10.9.9.9/24 is not a valid prefix. Did you mean 10.9.9.0/24?'] }],
  [{ prefix: 'bad' }, { prefix: ['Invalid IP prefix format: bad'] }],
  [{ prefix: '0.0.0.0/0' }, { prefix: ['Cannot create prefix with /0 mask.'] }],
  [{ prefix: '10.66.0.0/24', scope_type: 'dcim.site' }, { __all__: ['Please select a site.'] }],
  [{ prefix: '10.66.0.0/24', scope_id: 1 }, { scope_type: ['This field cannot be null.'] }],
  [
    { prefix: '10.66.0.0/24', scope_type: 'dcim.site', scope_id: 999_999 },
    { scope_id: ['Related object not found using the provided value: 999999.'] },
  ],
])('%j is refused', async (body, errors) => {
  const answer = await used.admin.post(PREFIXES, body);
  expect([answer.status, answer.body]).toEqual([400, errors]);
});

test('a prefix is there once in a routing table that says so, also within one request', async () => {
  const vrf = await makeVrf();
  const loose = await makeVrf({ enforce_unique: false });
  const prefix = '10.1.0.0/16';
  const message = `Duplicate prefix found in VRF ${vrf.name} (${vrf.rd}): ${prefix}`;
  const { status, body } = await used.admin.post(PREFIXES, [
    { prefix, vrf: vrf.id },
    { prefix, vrf: vrf.id },
    { prefix, vrf: loose.id },
    { prefix, vrf: loose.id },
  ]);
  expect([status, body]).toEqual([400, [{}, { prefix: [message] }, {}, {}]]);
  const made = await used.admin.make(PREFIXES, { prefix, vrf: vrf.id });
  await used.admin.make(PREFIXES, [
    { prefix, vrf: loose.id },
    { prefix, vrf: loose.id },
  ]);
  expect((await used.admin.post(PREFIXES, { prefix, vrf: vrf.id })).body).toEqual({ prefix: [message] });
  expect((await used.admin.patch(`${PREFIXES}${made.id}/`, { description: 'the same' })).status).toBe(200);
});

test('two clients cannot store the same prefix at the same time', async () => {
  const vrf = await makeVrf();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => used.admin.post(PREFIXES, { prefix: '10.2.0.0/16', vrf: vrf.id })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
});

test('depth and children follow what is made, changed and deleted', async () => {
  const vrf = await makeVrf({ enforce_unique: false });
  const other = await makeVrf();
  const [top, , inner] = await used.admin.make(
    PREFIXES,
    ['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24', '10.1.1.0/28', '10.2.0.0/16'].map((prefix) => ({
      prefix,
      vrf: vrf.id,
    })),
  );
  expect(await places(vrf)).toEqual([
    ['10.0.0.0/8', 0, 4],
    ['10.1.0.0/16', 1, 2],
    ['10.1.1.0/24', 2, 1],
    ['10.1.1.0/28', 3, 0],
    ['10.2.0.0/16', 1, 0],
  ]);

  // A second prefix with the same network is a child of what contains it, and adds no depth.
  const twin = await used.admin.make(PREFIXES, { prefix: '10.1.1.0/24', vrf: vrf.id });
  expect(await places(vrf)).toEqual([
    ['10.0.0.0/8', 0, 5],
    ['10.1.0.0/16', 1, 3],
    ['10.1.1.0/24', 2, 1],
    ['10.1.1.0/24', 2, 1],
    ['10.1.1.0/28', 3, 0],
    ['10.2.0.0/16', 1, 0],
  ]);
  await used.admin.delete(`${PREFIXES}${twin.id}/`);

  // Another mask, then another VRF.
  await used.admin.patch(`${PREFIXES}${inner.id}/`, { prefix: '10.1.0.0/20' });
  expect(await places(vrf)).toEqual([
    ['10.0.0.0/8', 0, 4],
    ['10.1.0.0/16', 1, 2],
    ['10.1.0.0/20', 2, 1],
    ['10.1.1.0/28', 3, 0],
    ['10.2.0.0/16', 1, 0],
  ]);
  await used.admin.patch(PREFIXES, [
    { id: inner.id, vrf: other.id },
    { id: top.id, prefix: '10.0.0.0/15' },
  ]);
  expect(await places(vrf)).toEqual([
    ['10.0.0.0/15', 0, 2],
    ['10.1.0.0/16', 1, 1],
    ['10.1.1.0/28', 2, 0],
    ['10.2.0.0/16', 0, 0],
  ]);
  expect(await places(other)).toEqual([['10.1.0.0/20', 0, 0]]);

  const all = await used.admin.column(`${PREFIXES}?vrf_id=${vrf.id}&prefix=10.0.0.0/15&prefix=10.1.0.0/16`, 'id');
  await used.admin.delete(
    PREFIXES,
    all.map((id) => ({ id })),
  );
  expect(await places(vrf)).toEqual([
    ['10.1.1.0/28', 0, 0],
    ['10.2.0.0/16', 0, 0],
  ]);
});

test('prefixes are found by what lies in what', async () => {
  const vrf = await makeVrf();
  await used.admin.make(
    PREFIXES,
    ['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24', '10.1.1.5/32', '2001:db8::/32'].map((prefix) => ({
      prefix,
      vrf: vrf.id,
      description: 'Näher',
    })),
  );
  const found = (search: string) => used.admin.column(`${PREFIXES}?vrf=${vrf.rd}&${search}`, 'prefix');
  expect(await found('within=10.1.0.0/16')).toEqual(['10.1.1.0/24', '10.1.1.5/32']);
  expect(await found('within_include=10.1.0.0/16')).toEqual(['10.1.0.0/16', '10.1.1.0/24', '10.1.1.5/32']);
  expect(await found('contains=10.1.1.5')).toEqual(['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24']);
  expect(await found('contains=10.1.1.0/24')).toEqual(['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24']);
  expect(await found('prefix=10.1.0.0/16&prefix=bad')).toEqual(['10.1.0.0/16']);
  expect(await found('contains=bad')).toEqual([]);
  expect(await found('family=6')).toEqual(['2001:db8::/32']);
  expect(await found('mask_length=16&mask_length=24')).toEqual(['10.1.0.0/16', '10.1.1.0/24']);
  expect(await found('mask_length__gte=24&mask_length__lte=32')).toEqual([
    '10.1.1.0/24',
    '10.1.1.5/32',
    '2001:db8::/32',
  ]);
  expect(await found('depth__gte=2')).toEqual(['10.1.1.0/24', '10.1.1.5/32']);
  expect(await found('children=1')).toEqual(['10.1.1.0/24']);
  expect(await found('q=10.1.1.9')).toEqual(['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24']);
  expect(await found('q=näher&family=6')).toEqual(['2001:db8::/32']);
  expect(await found('ordering=-prefix')).toEqual([
    '2001:db8::/32',
    '10.1.1.5/32',
    '10.1.1.0/24',
    '10.1.0.0/16',
    '10.0.0.0/8',
  ]);
});

test('a prefix for a site is in its region, and follows the site', async () => {
  const [near, far] = [unique('region'), unique('region')];
  for (const slug of [near, far]) await used.admin.make('/api/dcim/regions/', { name: slug, slug });
  const slug = unique('site');
  const site = await used.admin.make('/api/dcim/sites/', { name: slug, slug, region: { slug: near } });
  const place = await used.admin.make('/api/dcim/locations/', { name: slug, slug, site: site.id });
  const vrf = await makeVrf();
  await used.admin.make(PREFIXES, [
    { prefix: '10.0.0.0/24', vrf: vrf.id, scope_type: 'dcim.site', scope_id: site.id },
    { prefix: '10.0.1.0/24', vrf: vrf.id, scope_type: 'dcim.location', scope_id: place.id },
  ]);
  const found = (search: string) => used.admin.column(`${PREFIXES}?vrf_id=${vrf.id}&${search}`, 'prefix');
  for (const [search, all] of [
    [`site=${slug}`, ['10.0.0.0/24', '10.0.1.0/24']],
    [`location=${slug}`, ['10.0.1.0/24']],
    [`region=${near}`, ['10.0.0.0/24', '10.0.1.0/24']],
  ] as const) {
    await eventually(async () => expect([search, await found(search)]).toEqual([search, all]));
  }
});

test('a routing table has what tables export that it imports', async () => {
  const target = await used.admin.make('/api/ipam/route-targets/', { name: unique('rt') });
  const from = await makeVrf({ export_targets: [target.id] });
  const into = await makeVrf({ import_targets: [target.id] });
  await used.admin.make(PREFIXES, [
    { prefix: '10.0.0.0/24', vrf: from.id },
    { prefix: '10.0.1.0/24', vrf: into.id },
  ]);
  expect(await used.admin.column(`${PREFIXES}?present_in_vrf=${into.rd}`, 'prefix')).toEqual([
    '10.0.0.0/24',
    '10.0.1.0/24',
  ]);
  expect(await used.admin.column(`${PREFIXES}?present_in_vrf_id=${from.id}`, 'prefix')).toEqual(['10.0.0.0/24']);
  expect(await used.admin.column(`/api/ipam/vrfs/?export_target=${target.name}`, 'id')).toEqual([from.id]);
  expect(await used.admin.column(`/api/ipam/route-targets/?importing_vrf=${into.rd}`, 'id')).toEqual([target.id]);
});

test('aggregates lie beside each other', async () => {
  const slug = unique('rir');
  const rir = await used.admin.make('/api/ipam/rirs/', { name: slug, slug });
  const AGGREGATES = '/api/ipam/aggregates/';
  const post = async (prefix: string) => (await used.admin.post(AGGREGATES, { prefix, rir: rir.id })).body;
  await used.admin.make(AGGREGATES, { prefix: '100.64.0.0/10', rir: rir.id });
  expect(await post('100.64.0.0/11')).toEqual({
    prefix: ['Aggregates cannot overlap. 100.64.0.0/11 is already covered by an existing aggregate (100.64.0.0/10).'],
  });
  expect(await post('100.0.0.0/8')).toEqual({
    prefix: ['Prefixes cannot overlap aggregates. 100.0.0.0/8 covers an existing aggregate (100.64.0.0/10).'],
  });
  expect(await post('0.0.0.0/0')).toEqual({ prefix: ['Cannot create aggregate with /0 mask.'] });
});
