// What must be true of a device's interface. The reference stops at the first objection, so these are asked in its
// order.
import { inOrder, type Json, type Rule } from '@cadastre/model';
import { interfaceType, virtualTypes, wirelessTypes } from '../choices/ports/interfaceType.ts';
import { namesAreCounted } from '../groups/naturalName.ts';
import {
  type InterfaceKind,
  notBridgedToItself,
  notItsOwnParent,
  primaryMacIsItsOwn,
  serviceVlanNeedsQinQ,
  vlansFollowMode,
  vlansOfItsSite,
} from './interfaceRules.ts';

const KIND: InterfaceKind = { type: 'dcim.interface', owner: 'device', ownerType: 'dcim.device', ownerLabel: 'device' };

const isSet = (value: Json | undefined): boolean =>
  value !== null && value !== undefined && value !== '' && value !== false;

const virtualHasNoCable: Rule = ({ type, cable, mark_connected }) => {
  if (!virtualTypes.has(type)) return undefined;
  const kind = interfaceType.find((c) => c.value === type)!.label;
  if (isSet(cable)) return { type: [`${kind} interfaces cannot have a cable attached.`] };
  return isSet(mark_connected) ? { mark_connected: [`${kind} interfaces cannot be marked as connected.`] } : undefined;
};

const onlyVirtualHasParent: Rule = ({ type, parent }) =>
  isSet(parent) && type !== 'virtual'
    ? { parent: ['Only virtual interfaces may be assigned to a parent interface.'] }
    : undefined;

const lagIsNotVirtual: Rule = ({ id, type, lag }) => {
  if (!isSet(lag)) return undefined;
  if (type === 'virtual') return { lag: ['Virtual interfaces cannot have a parent LAG interface.'] };
  return typeof id === 'number' && lag === id ? { lag: ['A LAG interface cannot be its own parent.'] } : undefined;
};

/** The interface that a field names is one of the same device, or of another member of its virtual chassis. */
const inSameChassis =
  (field: 'parent' | 'bridge' | 'lag', what: string, end: string): Rule =>
  async (object, { related, held, displayOf }) => {
    const other = await related(KIND.type, object[field]);
    if (!other || other['device'] === object['device']) return undefined;
    const [device, home] = await Promise.all([
      held('dcim.device', object['device']),
      held('dcim.device', other['device']),
    ]);
    if (!device) return undefined;
    const called = `The selected ${what} interface (${await displayOf(KIND.type, Number(object[field]))}) belongs to`;
    const there = await displayOf('dcim.device', Number(other['device']));
    if (!isSet(device['virtual_chassis'])) return { [field]: [`${called} a different device (${there})${end}`] };
    if (home?.['virtual_chassis'] === device['virtual_chassis']) return undefined;
    return {
      [field]: [
        `${called} ${there}, which is not part of virtual chassis ${await displayOf('dcim.virtualchassis', Number(device['virtual_chassis']))}.`,
      ],
    };
  };

const powerFits: Rule = ({ type, poe_mode, poe_type }) => {
  if (isSet(poe_mode) && virtualTypes.has(type)) return { poe_mode: ['Virtual interfaces cannot have a PoE mode.'] };
  if (isSet(poe_type) && virtualTypes.has(type)) return { poe_type: ['Virtual interfaces cannot have a PoE type.'] };
  return isSet(poe_type) && !isSet(poe_mode)
    ? { poe_type: ['Must specify PoE mode when designating a PoE type.'] }
    : undefined;
};

/** Frequency and width of a channel in MHz, which are part of its value: `5g-36-5180-20`. */
function channelOf(value: Json | undefined): { frequency: number; width: number } | undefined {
  const [, , frequency, width] = String(value ?? '').split('-');
  return width === undefined ? undefined : { frequency: Number(frequency), width: Number(width) };
}

const radioFits: Rule = ({ type, rf_role, rf_channel, rf_channel_frequency: frequency, rf_channel_width: width }) => {
  const isWireless = wirelessTypes.has(type);
  const channel = channelOf(rf_channel);
  if (isSet(rf_role) && !isWireless) return { rf_role: ['Wireless role may be set only on wireless interfaces.'] };
  if (isSet(rf_channel) && !isWireless) return { rf_channel: ['Channel may be set only on wireless interfaces.'] };
  if (Number(frequency ?? 0)) {
    if (!isWireless) return { rf_channel_frequency: ['Channel frequency may be set only on wireless interfaces.'] };
    if (channel && Number(frequency) !== channel.frequency)
      return { rf_channel_frequency: ['Cannot specify custom frequency with channel selected.'] };
  }
  if (!Number(width ?? 0)) return undefined;
  if (!isWireless) return { rf_channel_width: ['Channel width may be set only on wireless interfaces.'] };
  return channel && Number(width) !== channel.width
    ? { rf_channel_width: ['Cannot specify custom width with channel selected.'] }
    : undefined;
};

/** A channel brings its frequency and its width. */
const channelsAreKnown: Rule = (object) => {
  const channel = channelOf(object['rf_channel']);
  if (channel && object['rf_channel_frequency'] === null) object['rf_channel_frequency'] = String(channel.frequency);
  if (channel && object['rf_channel_width'] === null) object['rf_channel_width'] = String(channel.width);
  return undefined;
};

const contextsAreOfItsDevice: Rule = async ({ device, vdcs }, { held, displayOf }) => {
  const contexts = await Promise.all(((vdcs ?? []) as number[]).map((id) => held('dcim.virtualdevicecontext', id)));
  const foreign = contexts.find((context) => context && context['device'] !== device);
  if (!foreign) return undefined;
  const called = await displayOf('dcim.virtualdevicecontext', Number(foreign['id']));
  return { vdcs: [`Virtual device context ${called} belongs to a different device.`] };
};

export const deviceInterfaceRules: Rule[] = [
  inOrder(
    serviceVlanNeedsQinQ,
    primaryMacIsItsOwn(KIND),
    virtualHasNoCable,
    notItsOwnParent,
    onlyVirtualHasParent,
    inSameChassis('parent', 'parent', ''),
    notBridgedToItself,
    inSameChassis('bridge', 'bridge', '.'),
    lagIsNotVirtual,
    inSameChassis('lag', 'LAG', '.'),
    powerFits,
    radioFits,
    vlansOfItsSite(KIND),
    contextsAreOfItsDevice,
    vlansFollowMode,
    channelsAreKnown,
    namesAreCounted,
  ),
];
