import { count, countBelow, nestedGroup, withContacts } from '@cadastre/model';

/** A part of the world; regions lie in regions. */
export const region = nestedGroup('dcim.region', {
  path: 'regions',
  pages: { columns: ['parent', 'site_count', 'description'] },
  label: 'region',
  features: withContacts,
  brief: ['site_count'],
  counts: { site_count: countBelow('dcim.site', 'region'), prefix_count: count('ipam.prefix', '_region') },
});
