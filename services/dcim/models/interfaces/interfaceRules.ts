// Rules that hold for interfaces of devices and of virtual machines alike.
import type { Errors, Json, Rule, RuleContext, Values } from '@cadastre/model';

/** A kind of interface: its type, and the field that names what it is part of. */
export interface InterfaceKind {
  type: string;
  owner: string;
  ownerType: string;
  ownerLabel: string;
}

export const notItsOwnParent: Rule = ({ id, parent }) =>
  typeof id === 'number' && parent === id ? { parent: ['An interface cannot be its own parent.'] } : undefined;

export const notBridgedToItself: Rule = ({ id, bridge }) =>
  typeof id === 'number' && bridge === id ? { bridge: ['An interface cannot be bridged to itself.'] } : undefined;

export const serviceVlanNeedsQinQ: Rule = ({ qinq_svlan, mode }) =>
  qinq_svlan !== null && mode !== 'q-in-q'
    ? { qinq_svlan: ['Only Q-in-Q interfaces may specify a service VLAN.'] }
    : undefined;

/** What does not fit the mode is refused. */
export const vlansFitMode: Rule = ({ mode, untagged_vlan, tagged_vlans, qinq_svlan }) => {
  const errors: Errors = {};
  const tags = Array.isArray(tagged_vlans) && tagged_vlans.length > 0;
  if (qinq_svlan !== null && mode !== 'q-in-q')
    errors['qinq_svlan'] = ['Interface mode does not support q-in-q service vlan'];
  if (!mode && untagged_vlan !== null) errors['untagged_vlan'] = ['Interface mode does not support untagged vlan'];
  if (tags && (!mode || mode === 'access' || mode === 'tagged-all'))
    errors['tagged_vlans'] = ['Interface mode does not support tagged vlans'];
  return errors;
};

/**
 * Without a mode, the untagged VLAN is dropped. In any mode but `tagged`, an update drops the tagged VLANs unless it
 * names them; those that a new interface comes with are kept.
 */
export const vlansFollowMode: Rule = (object, { before, given, importing }) => {
  if (importing) return undefined;
  if (!object['mode']) object['untagged_vlan'] = null;
  if (before && object['mode'] !== 'tagged' && !('tagged_vlans' in given)) object['tagged_vlans'] = [];
  return undefined;
};

/** An interface may carry VLANs of its own site, and VLANs without a site. */
export const vlansOfItsSite =
  ({ owner, ownerType, ownerLabel }: InterfaceKind): Rule =>
  async (object, context) => {
    const errors: Errors = {};
    const rest = `must belong to the same site as the interface's parent ${ownerLabel}, or it must be global.`;
    const { before } = context;
    const isNew = (name: string) =>
      before?.[owner] !== object[owner] || JSON.stringify(before?.[name]) !== JSON.stringify(object[name]);
    const isElsewhere = async (vlan: Json) => {
      const site = (await context.related('ipam.vlan', vlan))?.['site'] ?? null;
      return site !== null && site !== ((await context.related(ownerType, object[owner]))?.['site'] ?? null);
    };
    const nameOf = (vlan: Json) => context.displayOf('ipam.vlan', Number(vlan));
    const { untagged_vlan: untagged, tagged_vlans: tagged } = object;
    if (untagged && isNew('untagged_vlan') && (await isElsewhere(untagged)))
      errors['untagged_vlan'] = [`The untagged VLAN (${await nameOf(untagged)}) ${rest}`];
    if (!isNew('tagged_vlans')) return errors;
    const vlans = (tagged ?? []) as number[];
    const elsewhere = await Promise.all(vlans.map(isElsewhere));
    const foreign = vlans.find((_, i) => elsewhere[i]);
    if (foreign !== undefined) errors['tagged_vlans'] = [`VLAN ${await nameOf(foreign)} ${rest}`];
    return errors;
  };

/** The primary MAC address of an interface belongs to that interface, or to none yet. */
export const primaryMacIsItsOwn =
  ({ type }: InterfaceKind): Rule =>
  async ({ id, primary_mac_address: mac }, context) => {
    const assigned = typeof mac === 'number' ? await context.related('dcim.macaddress', mac) : null;
    if (!assigned || assigned['assigned_object_id'] === null || assigned['assigned_object_id'] === undefined)
      return undefined;
    if (assigned['assigned_object_type'] === type && assigned['assigned_object_id'] === id) return undefined;
    return {
      primary_mac_address: [
        `MAC address ${await context.displayOf('dcim.macaddress', Number(mac))} is assigned to a different interface (${await interfaceOf(assigned, context)}).`,
      ],
    };
  };

const interfaceOf = (
  { assigned_object_type: type, assigned_object_id: id }: Values,
  context: RuleContext,
): Promise<string> => context.displayOf(String(type), Number(id));
