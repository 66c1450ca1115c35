import type { Effect, Rule, RuleContext, Values } from '@cadastre/model';
import { isFree, occupantOf, unitsText } from '../racks/rackSpace.ts';

/** Heights are multiples of half a unit; a device that sits in another one has none. */
export const heightOfType: Rule = ({ u_height: height, subdevice_role: role }) => {
  if ((Number(height) * 2) % 1) return { u_height: ['U height must be in increments of 0.5 rack units.'] };
  return Number(height) && role === 'child' ? { u_height: ['Child device types must be 0U.'] } : undefined;
};

/** Only a parent has device bays, so a type with device bays must remain a parent. */
export const keepsItsBays: Effect = async (changes, { find, refuse }) => {
  const declassified = changes.filter((c) => c.action === 'updated' && c.after!['subdevice_role'] !== 'parent');
  if (!declassified.length) return;
  const bays = new Set(
    (await find('dcim.devicebaytemplate', { device_type: declassified.map((c) => c.after!['id']!) })).map(
      (bay) => bay['device_type'],
    ),
  );
  const wrong = declassified.find((c) => bays.has(c.after!['id']!));
  if (wrong)
    refuse(
      {
        subdevice_role: [
          'Must delete all device bay templates associated with this device before declassifying it as a parent device.',
        ],
      },
      wrong,
    );
};

/** Whether a mounted device would still fit into its rack with the new values of its type. */
async function hasRoom(device: Values, type: Values, { related, found }: RuleContext): Promise<boolean> {
  const [rack, inRack] = await Promise.all([
    related('dcim.rack', device['rack']),
    found('dcim.device', 'rack', device['rack']),
  ]);
  if (!rack) return true;
  const others = inRack.filter((other) => other['id'] !== device['id']);
  const types = await Promise.all(
    others.map((other) =>
      other['device_type'] === type['id'] ? type : related('dcim.devicetype', other['device_type']),
    ),
  );
  const units = { first: Number(rack['starting_unit']), count: Number(rack['u_height']) };
  return isFree(
    units,
    others.flatMap((other, i) => occupantOf(other, types[i]!) ?? []),
    Number(device['position']),
    Number(type['u_height']),
    type['is_full_depth'] ? null : String(device['face']),
  );
}

/** A type changes its height only if the devices that are mounted allow it. */
export const roomToGrow: Rule = async (type, context) => {
  const height = Number(type['u_height']);
  const known = Number(context.before?.['u_height'] ?? height);
  if (height <= known && !(known && !height)) return undefined;
  const mounted = (await context.found('dcim.device', 'device_type', type['id'])).filter(
    (device) => device['position'] !== null,
  );
  if (!height && mounted.length) {
    const devices = `/dcim/devices/?manufacturer_id=${type['manufacturer']}&device_type_id=${type['id']}`;
    return {
      u_height: [
        `Unable to set 0U height: Found <a href="${devices}">${mounted.length} instances</a> already mounted within racks.`,
      ],
    };
  }
  const room = await Promise.all(mounted.map((device) => hasRoom(device, type, context)));
  const without = mounted[room.indexOf(false)];
  if (!without) return undefined;
  const [device, rack] = [
    await context.displayOf('dcim.device', Number(without['id'])),
    await context.displayOf('dcim.rack', Number(without['rack'])),
  ];
  return {
    u_height: [
      `Device ${device} in rack ${rack} does not have sufficient space to accommodate a height of ${unitsText(height)}U`,
    ],
  };
};
