import {
  choice,
  comments,
  count,
  countBelow,
  depth,
  description,
  type Effect,
  labels,
  model,
  owner,
  ref,
  type Rule,
  slug,
  tenantGroupFilters,
  text,
  timestamps,
  withContacts,
} from '@cadastre/model';
import { siteFilters } from '../groups/filters.ts';
import { siteStatus } from './siteStatus.ts';

/** What lies in a location lies in the same site. */
export const inSiteOfParent: Rule = async ({ parent, site }, context) => {
  const above = await context.related('dcim.location', parent);
  if (!above || above['site'] === site) return undefined;
  const [parentName, siteName] = [
    await context.displayOf('dcim.location', Number(parent)),
    await context.displayOf('dcim.site', Number(site)),
  ];
  return { __all__: [`Parent location (${parentName}) must belong to the same site (${siteName}).`] };
};

/** A location that moves to another site takes its contents with it. */
const takeAlong: Effect = async (changes, { query, tableOf, find, derive }) => {
  const moved = changes.filter((c) => c.action === 'updated' && c.before!['site'] !== c.after!['site']);
  if (!moved.length) return;
  const rows = await query(
    `select t.id, top.id from ${tableOf('dcim.location')} t join ${tableOf('dcim.location')} top on t."_path" @> array[top.id] where top.id = any($1::bigint[])`,
    [moved.map((c) => c.after!['id'])],
  );
  const siteOf = new Map(moved.map((c) => [Number(c.after!['id']), c.after!['site']!]));
  const siteOfLocation = new Map(rows.map(([location, top]) => [Number(location), siteOf.get(Number(top))!]));
  const below = [...siteOfLocation].filter(([id]) => !siteOf.has(id));
  await derive(
    'dcim.location',
    below.map(([id, site]) => ({ id, site })),
  );
  for (const type of ['dcim.rack', 'dcim.device', 'dcim.powerpanel']) {
    const inside = await find(type, { location: [...siteOfLocation.keys()] });
    await derive(
      type,
      inside.map((object) => ({ id: object['id']!, site: siteOfLocation.get(Number(object['location']))! })),
    );
  }
};

const taken = (field: string): string => `A location with this ${field} already exists within the specified site.`;

/** A part of a site: a building, a floor, a room; locations lie in locations. */
export const location = model('dcim.location', {
  path: 'locations',
  pages: { columns: ['site', 'parent', 'status', 'tenant', 'rack_count', 'device_count', 'description'] },
  label: 'location',
  tree: true,
  features: [...withContacts, 'imageAttachments'],
  brief: ['name', 'slug', 'description', 'rack_count', '_depth'],
  nested: ['name', 'slug', '_depth'],
  search: ['name', 'slug', 'facility', 'description', 'comments'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    site: ref('dcim.site', { onDelete: 'cascade' }),
    parent: ref('dcim.location', { optional: true, onDelete: 'cascade', form: 'nested' }),
    status: choice(siteStatus, { default: 'active' }),
    tenant: ref('tenancy.tenant', { optional: true }),
    facility: text({ max: 50, optional: true }),
    ...description(),
    ...labels(),
    ...timestamps(),
    rack_count: countBelow('dcim.rack', 'location'),
    device_count: countBelow('dcim.device', 'location'),
    prefix_count: count('ipam.prefix', '_location'),
    ...owner(),
    ...comments(),
    _depth: depth(),
  },
  filters: {
    ...tenantGroupFilters(),
    ...siteFilters('site'),
  },
  unique: ['name', 'slug'].flatMap((field) => [
    { fields: ['site', 'parent', field], where: 'parent_id is not null' },
    { fields: ['site', field], where: 'parent_id is null', message: taken(field) },
  ]),
  rules: [inSiteOfParent],
  effects: [takeAlong],
});
