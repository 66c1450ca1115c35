import {
  choice, comments, description, helped, integer, labels, model, owner, path, primary, ref, resets, tenantGroupFilters, text, timestamps, tree,
} from '@cadastre/model';
import { cabled, cabledFilters, endpoint, endpointFilters, notMarkedWhenCabled } from './cabled.ts';
import { powerFeedStatus, powerFeedType, powerPhase, powerSupply } from './choices/power.ts';
import { availablePower, rackInSiteOfPanel, voltageFits } from './powerFeedRules.ts';

/** A circuit from a panel that feeds a rack. */
export const powerFeed = model('dcim.powerfeed', {
  path: 'power-feeds', label: 'power feed', ordering: ['power_panel', 'name'], features: primary,
  brief: ['name', 'description', 'cable', '_occupied'], search: ['name', 'power_panel.name', 'description', 'comments'],
  fields: {
    power_panel: ref('dcim.powerpanel'),
    rack: resets(ref('dcim.rack', { optional: true })),
    name: text({ max: 100, natural: true }),
    status: resets(choice(powerFeedStatus, { default: 'active' })),
    type: resets(choice(powerFeedType, { default: 'primary', one: true })),
    supply: resets(choice(powerSupply, { default: 'ac', one: true })),
    phase: resets(choice(powerPhase, { default: 'single-phase', one: true })),
    voltage: integer({ size: 'smallint', min: -32_768, max: 32_767, default: 120 }),
    amperage: integer({ size: 'smallint', min: 1, max: 32_767, default: 15 }),
    max_utilization: helped('Maximum permissible draw (percentage)', integer({ size: 'smallint', min: 1, max: 100, default: 80 })),
    ...cabled('dcim.powerfeed'),
    ...endpoint('dcim.powerfeed'),
    ...description(),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...owner(),
    ...comments(),
    ...labels(),
    ...timestamps(),
    available_power: integer({ default: 0, readOnly: true, hidden: true }),
  },
  filters: {
    ...cabledFilters(), ...endpointFilters('dcim.powerfeed'), ...tenantGroupFilters(),
    region_id: tree('power_panel.site.region'), region: tree('power_panel.site.region', 'slug'),
    site_group_id: tree('power_panel.site.group'), site_group: tree('power_panel.site.group', 'slug'),
    site_id: path('power_panel.site'), site: path('power_panel.site', 'slug'),
  },
  unique: [{ fields: ['power_panel', 'name'] }],
  rules: [rackInSiteOfPanel, voltageFits, availablePower, notMarkedWhenCabled],
});
