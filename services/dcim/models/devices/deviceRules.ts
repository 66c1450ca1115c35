// What must be true of a device. The reference stops at the first objection, so these are asked in its order.
import { inOrder, type Json, type Rule, type RuleContext, type Values } from '@cadastre/model';
import { addressesAreItsOwn } from './deviceAddresses.ts';
import { isFree, occupantOf, unitsText } from '../racks/rackSpace.ts';

const isSet = (value: Json | undefined): value is number | string =>
  value !== null && value !== undefined && value !== '';

const typeOf = ({ device_type: type }: Values, context: RuleContext): Promise<Values | null> =>
  context.related('dcim.devicetype', type);

const standsInItsSite: Rule = async ({ site, location, rack }, { related, displayOf }) => {
  const [inRack, inLocation] = [await related('dcim.rack', rack), await related('dcim.location', location)];
  const called = (type: string, id: Json | undefined) => displayOf(type, Number(id));
  if (inRack && inRack['site'] !== site)
    return {
      rack: [`Rack ${await called('dcim.rack', rack)} does not belong to site ${await called('dcim.site', site)}.`],
    };
  if (inLocation && inLocation['site'] !== site)
    return {
      location: [
        `Location ${await called('dcim.location', location)} does not belong to site ${await called('dcim.site', site)}.`,
      ],
    };
  if (inRack && inLocation && inRack['location'] !== location)
    return {
      rack: [
        `Rack ${await called('dcim.rack', rack)} does not belong to location ${await called('dcim.location', location)}.`,
      ],
    };
  return undefined;
};

const positionWithinLimits: Rule = ({ position }) => {
  if (!isSet(position)) return undefined;
  if (Number(position) < 1) return { position: ['Ensure this value is greater than or equal to 1.'] };
  return Number(position) > 100.5 ? { position: ['Ensure this value is less than or equal to 100.5.'] } : undefined;
};

const placeNeedsRack: Rule = ({ rack, face, position }) => {
  if (isSet(rack)) return undefined;
  if (isSet(face)) return { face: ['Cannot select a rack face without assigning a rack.'] };
  return isSet(position) ? { position: ['Cannot select a rack position without assigning a rack.'] } : undefined;
};

const positionIsWhole: Rule = ({ position, face }) => {
  if (!isSet(position)) return undefined;
  if ((Number(position) * 2) % 1 !== 0) return { position: ['Position must be in increments of 0.5 rack units.'] };
  return isSet(face) ? undefined : { face: ['Must specify rack face when defining rack position.'] };
};

const flatTypesHaveNoPosition: Rule = async (device, context) => {
  const type = await typeOf(device, context);
  if (!type || !isSet(device['position']) || Number(type['u_height']) !== 0) return undefined;
  return {
    position: [
      `A 0U device type (${await context.displayOf('dcim.devicetype', Number(device['device_type']))}) cannot be assigned to a rack position.`,
    ],
  };
};

const childrenStandInTheirParent: Rule = async (device, context) => {
  if (!isSet(device['rack']) || (await typeOf(device, context))?.['subdevice_role'] !== 'child') return undefined;
  const attribute = 'This is an attribute of the parent device.';
  if (isSet(device['face'])) return { face: [`Child device types cannot be assigned to a rack face. ${attribute}`] };
  return isSet(device['position'])
    ? { position: [`Child device types cannot be assigned to a rack position. ${attribute}`] }
    : undefined;
};

/**
 * The other devices in the rack: the stored ones, as the request leaves them, and those that come before this one in
 * the request.
 */
async function othersIn(rack: Json | undefined, device: Values, { found, among }: RuleContext): Promise<Values[]> {
  const changed = new Map(among.filter((o) => typeof o['id'] === 'number').map((o) => [o['id'], o]));
  const stored = (await found('dcim.device', 'rack', rack)).filter((o) => !changed.has(o['id']!));
  return [...stored, ...among.slice(0, among.indexOf(device)).filter((o) => o['rack'] === rack)];
}

const spaceIsFree: Rule = async (device, context) => {
  const { rack, position, face, device_type } = device;
  const [inRack, type] = [await context.related('dcim.rack', rack), await typeOf(device, context)];
  if (!inRack || !type || !isSet(position)) return undefined;
  const others = await othersIn(rack, device, context);
  const types = await Promise.all(others.map((other) => typeOf(other, context)));
  const occupants = others.flatMap((other, i) => occupantOf(other, types[i]!) ?? []);
  const height = Number(type['u_height']);
  const units = { first: Number(inRack['starting_unit'] ?? 1), count: Number(inRack['u_height']) };
  if (isFree(units, occupants, Number(position), height, type['is_full_depth'] === true ? null : String(face)))
    return undefined;
  const what = await context.displayOf('dcim.devicetype', Number(device_type));
  return {
    position: [
      `U${unitsText(position)} is already occupied or does not have sufficient space to accommodate this device type: ${what} (${unitsText(height)}U)`,
    ],
  };
};

const platformFitsManufacturer: Rule = async (device, context) => {
  const [type, platform] = [await typeOf(device, context), await context.related('dcim.platform', device['platform'])];
  if (!type || !isSet(platform?.['manufacturer']) || platform['manufacturer'] === type['manufacturer'])
    return undefined;
  const nameOf = (id: Json | undefined) => context.displayOf('dcim.manufacturer', Number(id));
  return {
    platform: [
      `The assigned platform is limited to ${await nameOf(platform['manufacturer'])} device types, but this device's type belongs to ${await nameOf(type['manufacturer'])}.`,
    ],
  };
};

const clusterIsAtItsPlace: Rule = async ({ cluster, site, location }, { related, displayOf }) => {
  const scope = await related('virtualization.cluster', cluster);
  const within = scope?.['scope_type'] === 'dcim.location' ? await related('dcim.location', scope['scope_id']) : null;
  const itsSite = scope?.['scope_type'] === 'dcim.site' ? scope['scope_id'] : within?.['site'];
  if (isSet(itsSite) && itsSite !== site)
    return {
      cluster: [`The assigned cluster belongs to a different site (${await displayOf('dcim.site', Number(itsSite))})`],
    };
  if (within && within['id'] !== location)
    return {
      cluster: [
        `The assigned cluster belongs to a different location (${await displayOf('dcim.location', Number(within['id']))})`,
      ],
    };
  return undefined;
};

const chassisMembersHavePositions: Rule = ({ virtual_chassis, vc_position }) =>
  isSet(virtual_chassis) && !isSet(vc_position)
    ? { vc_position: ['A device assigned to a virtual chassis must have its position defined.'] }
    : undefined;

const mastersStay: Rule = async ({ virtual_chassis }, { before, found, displayOf }) => {
  const [led] = before ? await found('dcim.virtualchassis', 'master', before['id']) : [];
  if (!led || led['id'] === virtual_chassis) return undefined;
  return {
    virtual_chassis: [
      `Device cannot be removed from virtual chassis ${await displayOf('dcim.virtualchassis', Number(led['id']))} because it is currently designated as its master.`,
    ],
  };
};

const contextIsAnObject: Rule = ({ local_context_data: data }) =>
  data !== null && data !== undefined && (typeof data !== 'object' || Array.isArray(data))
    ? { local_context_data: ['JSON data must be in object form. Example: {"foo": 123}'] }
    : undefined;

/** A device is where its rack is. What a new device leaves out comes from its type. */
const inherits: Rule = async (device, context) => {
  const [type, rack] = [await typeOf(device, context), await context.related('dcim.rack', device['rack'])];
  if (!context.before && !context.importing) {
    if (!isSet(device['airflow'])) device['airflow'] = type?.['airflow'] || null;
    if (!isSet(device['platform'])) device['platform'] = type?.['default_platform'] ?? null;
  }
  if (isSet(rack?.['location'])) device['location'] = rack['location'];
  return undefined;
};

export const deviceRules = inOrder(
  contextIsAnObject,
  standsInItsSite,
  placeNeedsRack,
  positionWithinLimits,
  positionIsWhole,
  flatTypesHaveNoPosition,
  childrenStandInTheirParent,
  spaceIsFree,
  addressesAreItsOwn,
  platformFitsManufacturer,
  clusterIsAtItsPlace,
  chassisMembersHavePositions,
  mastersStay,
  inherits,
);
