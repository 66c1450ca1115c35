// The primary addresses of a device, and its out-of-band address, are among those of its interfaces.
import type { Json, Rule, RuleContext, Values } from '@cadastre/model';

const INTERFACE = 'dcim.interface';

/** Whether an address is at an interface of a device, or at one of its virtual chassis that is not management only. */
async function isOf(device: Values, address: Values | null, context: RuleContext): Promise<boolean> {
  if (!address || address['assigned_object_type'] !== INTERFACE) return false;
  const at = await context.related(INTERFACE, address['assigned_object_id']);
  if (!at) return false;
  if (at['device'] === device['id']) return true;
  if (device['virtual_chassis'] === null || at['mgmt_only'] === true) return false;
  return (await context.held('dcim.device', at['device']))?.['virtual_chassis'] === device['virtual_chassis'];
}

const isVersion6 = (address: Values): boolean => String(address['address']).includes(':');

/**
 * Why an address cannot be a primary or out-of-band address of a device, or undefined. `version` is the IP version that
 * is wanted.
 */
async function objection(
  device: Values,
  id: Json | undefined,
  version: 4 | 6 | undefined,
  context: RuleContext,
): Promise<string | undefined> {
  const address = await context.related('ipam.ipaddress', id);
  if (!address) return undefined;
  const called = await context.displayOf('ipam.ipaddress', Number(id));
  if (version !== undefined && isVersion6(address) !== (version === 6))
    return `${called} is not an IPv${version} address.`;
  const inside = await context.related('ipam.ipaddress', address['nat_inside']);
  return (await isOf(device, address, context)) || (await isOf(device, inside, context))
    ? undefined
    : `The specified IP address (${called}) is not assigned to this device.`;
}

export const addressesAreItsOwn: Rule = async (device, context) => {
  for (const [field, version] of [
    ['primary_ip4', 4],
    ['primary_ip6', 6],
    ['oob_ip', undefined],
  ] as const) {
    const message = await objection(device, device[field], version, context);
    if (message) return { [field]: [message] };
  }
  return undefined;
};

/** The primary addresses of a virtual device context are among those of its device. */
export const contextAddressesAreOfItsDevice: Rule = async (object, context) => {
  const given = ([4, 6] as const).some((version) => typeof object[`primary_ip${version}`] === 'number');
  const device = given ? await context.held('dcim.device', object['device']) : null;
  for (const version of [4, 6] as const) {
    const field = `primary_ip${version}`;
    const address = await context.related('ipam.ipaddress', object[field]);
    if (!address || !device) continue;
    if (isVersion6(address) !== (version === 6))
      return {
        [field]: [
          `${await context.displayOf('ipam.ipaddress', Number(object[field]))} is not an IPv${version} address.`,
        ],
      };
    if (!(await isOf(device, address, context)))
      return { [field]: ['Primary IP address must belong to an interface on the assigned device.'] };
  }
  return undefined;
};
