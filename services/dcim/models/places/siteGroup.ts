import { count, countBelow, nestedGroup, withContacts } from '@cadastre/model';

/** Sites that belong together for another reason than where they are; groups lie in groups. */
export const siteGroup = nestedGroup('dcim.sitegroup', {
  path: 'site-groups',
  pages: { columns: ['parent', 'site_count', 'description'] },
  label: 'site group',
  features: withContacts,
  brief: ['site_count'],
  counts: { site_count: countBelow('dcim.site', 'group'), prefix_count: count('ipam.prefix', '_site_group') },
});
