import {
  comments,
  count,
  description,
  labels,
  model,
  owner,
  ref,
  resets,
  type Rule,
  text,
  timestamps,
  tree,
  withContacts,
} from '@cadastre/model';

/** The location of a panel lies in its site. */
export const panelInSite: Rule = async ({ location, site }, context) => {
  const within = await context.related('dcim.location', location);
  if (!within || within['site'] === site) return undefined;
  const name = (type: string, id: unknown) => context.displayOf(type, Number(id));
  return {
    __all__: [
      `Location ${await name('dcim.location', location)} (${await name('dcim.site', within['site'])}) is in a different site than ${await name('dcim.site', site)}`,
    ],
  };
};

/** Where power is distributed to feeds. */
export const powerPanel = model('dcim.powerpanel', {
  path: 'power-panels',
  label: 'power panel',
  ordering: ['site', 'name'],
  features: [...withContacts, 'imageAttachments'],
  brief: ['name', 'description', 'powerfeed_count'],
  search: ['name', 'description', 'comments'],
  fields: {
    site: ref('dcim.site'),
    location: resets(ref('dcim.location', { optional: true })),
    name: text({ max: 100, natural: true }),
    ...description(),
    ...owner(),
    ...comments(),
    ...labels(),
    powerfeed_count: count('dcim.powerfeed', 'power_panel'),
    ...timestamps(),
  },
  filters: {
    region_id: tree('site.region'),
    region: tree('site.region', 'slug'),
    site_group_id: tree('site.group'),
    site_group: tree('site.group', 'slug'),
    location: false,
  },
  unique: [{ fields: ['site', 'name'] }],
  rules: [panelInSite],
});
