import type { Rule } from '@cadastre/model';
import { rangesIn, rangesText } from './vidRanges.ts';

/** A VLAN of a group that is meant for a site, or for a group of sites, is of no other site. */
export const siteOfGroup: Rule = async ({ group, site }, { related, displayOf }) => {
  const of = typeof group === 'number' && typeof site === 'number' ? await related('ipam.vlangroup', group) : null;
  if (!of || (of['scope_type'] !== 'dcim.site' && of['scope_type'] !== 'dcim.sitegroup')) return undefined;
  const scope = Number(of['scope_id']);
  const type = String(of['scope_type']);
  if (type === 'dcim.site' ? scope === site : (await related('dcim.site', site))?.['group'] === scope) return undefined;
  const [groupName, scopeName, siteName] = await Promise.all([
    displayOf('ipam.vlangroup', Number(group)),
    displayOf(type, scope),
    displayOf('dcim.site', Number(site)),
  ]);
  return {
    __all__: [
      type === 'dcim.site'
        ? `VLAN is assigned to group ${groupName} (scope: ${scopeName}); cannot also assign to site ${siteName}.`
        : `The assigned site ${siteName} is not a member of the assigned group ${groupName} (scope: ${scopeName}).`,
    ],
  };
};

/** A VLAN has a number that its group allows. */
export const vidOfGroup: Rule = async ({ group, vid }, { related, displayOf }) => {
  const of = await related('ipam.vlangroup', group);
  const ranges = rangesIn(of?.['vid_ranges']);
  if (!of || ranges.some(([first, last]) => Number(vid) >= first && Number(vid) <= last)) return undefined;
  return {
    vid: [
      `VID must be in ranges ${rangesText(ranges)} for VLANs in group ${await displayOf('ipam.vlangroup', Number(group))}`,
    ],
  };
};

/** Customer VLANs are carried by a service VLAN, and only they. */
export const customerInService: Rule = ({ qinq_role: role, qinq_svlan: carrier }) => {
  if (carrier !== null && role !== 'cvlan')
    return { qinq_svlan: ['Only Q-in-Q customer VLANs maybe assigned to a service VLAN.'] };
  return role === 'cvlan' && carrier === null
    ? { qinq_role: ['A Q-in-Q customer VLAN must be assigned to a service VLAN.'] }
    : undefined;
};
