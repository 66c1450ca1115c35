import {
  boolean,
  description,
  type Feature,
  type Filter,
  integer,
  json,
  model,
  owner,
  path,
  ref,
  refs,
  resets,
  type Rule,
  text,
  timestamps,
  whyUnlike,
} from '@cadastre/model';
import { syncedData } from './syncedData.ts';

const features: Feature[] = ['changeLogging', 'eventRules', 'customLinks', 'cloning', 'timestamps'];

/** What a config context may be assigned to, and the name and key by which filters ask for it. */
const assignments: [field: string, type: string, filter: string, key?: string][] = [
  ['regions', 'dcim.region', 'region', 'slug'],
  ['site_groups', 'dcim.sitegroup', 'site_group', 'slug'],
  ['sites', 'dcim.site', 'site', 'slug'],
  ['locations', 'dcim.location', 'location', 'slug'],
  ['device_types', 'dcim.devicetype', 'device_type'],
  ['roles', 'dcim.devicerole', 'device_role', 'slug'],
  ['platforms', 'dcim.platform', 'platform', 'slug'],
  ['cluster_types', 'virtualization.clustertype', 'cluster_type', 'slug'],
  ['cluster_groups', 'virtualization.clustergroup', 'cluster_group', 'slug'],
  ['clusters', 'virtualization.cluster', 'cluster'],
  ['tenant_groups', 'tenancy.tenantgroup', 'tenant_group', 'slug'],
  ['tenants', 'tenancy.tenant', 'tenant', 'slug'],
];

/**
 * The filter by region finds contexts that are assigned to that region, not to regions around it; device types are
 * filtered by id only.
 */
const assignmentFilters = (): Record<string, Filter | false> => ({
  role: false,
  device_type: false,
  ...Object.fromEntries(
    assignments.flatMap(([field, , name, key]): [string, Filter][] => [
      [`${name}_id`, path(field)],
      ...(key ? [[name, path(field, key)] as [string, Filter]] : []),
    ]),
  ),
});

export const dataIsObject: Rule = ({ data }) => {
  if (data === null || typeof data !== 'object' || Array.isArray(data))
    return { data: ['JSON data must be in object form. Example: {"foo": 123}'] };
  return Object.keys(data).length ? undefined : { data: ['This field cannot be blank.'] };
};

export const dataFitsProfile: Rule = async ({ profile: id, data }, { related }) => {
  const profile = await related('extras.configcontextprofile', id);
  const schema = profile?.['schema'];
  const problem = schema !== null && typeof schema === 'object' ? whyUnlike(schema, data ?? null) : undefined;
  return problem === undefined ? undefined : { __all__: [`Data does not conform to profile schema: ${problem}`] };
};

/** Data that devices and virtual machines get, by where they are and what they are. */
export const configContext = model('extras.configcontext', {
  path: 'config-contexts',
  pages: {
    columns: ['weight', 'profile', 'is_active', 'data_synced', 'description'],
    groups: {
      Assignment: [
        'regions',
        'site_groups',
        'sites',
        'locations',
        'device_types',
        'roles',
        'platforms',
        'cluster_types',
        'cluster_groups',
        'clusters',
        'tenant_groups',
        'tenants',
        'tags',
      ],
    },
  },
  label: 'config context',
  ordering: ['weight', 'name'],
  features,
  brief: ['name', 'description'],
  search: ['name', 'description', 'data'],
  fields: {
    name: text({ max: 100, unique: true, natural: true }),
    weight: integer({ min: 0, max: 32_767, size: 'smallint', default: 1000 }),
    profile: resets(ref('extras.configcontextprofile', { optional: true })),
    ...description(),
    is_active: boolean({ default: true }),
    ...Object.fromEntries(assignments.map(([field, type]) => [field, refs(type)])),
    ...owner(),
    // Tags of devices to which the context applies, not tags of the context itself.
    tags: refs('extras.tag', { by: 'slug' }),
    ...syncedData(),
    data: json({ notNull: true, dictionary: true }),
    ...timestamps(),
  },
  filters: assignmentFilters(),
  rules: [dataIsObject, dataFitsProfile],
});
