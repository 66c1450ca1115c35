import type { Effect, Rule } from '@cadastre/model';

/** Heights go in halves of a unit; what sits in another device takes up none. */
export const heightOfType: Rule = ({ u_height: height, subdevice_role: role }) => {
  if (Number(height) * 2 % 1) return { u_height: ['U height must be in increments of 0.5 rack units.'] };
  return Number(height) && role === 'child' ? { u_height: ['Child device types must be 0U.'] } : undefined;
};

/** Only a parent has device bays, so a type that has them stays one. */
export const keepsItsBays: Effect = async (changes, { find, refuse }) => {
  const declassified = changes.filter((c) => c.action === 'updated' && c.after!['subdevice_role'] !== 'parent');
  if (!declassified.length) return;
  const bays = new Set((await find('dcim.devicebaytemplate', { device_type: declassified.map((c) => c.after!['id']!) })).map((bay) => bay['device_type']));
  const wrong = declassified.find((c) => bays.has(c.after!['id']!));
  if (wrong) refuse({ subdevice_role: ['Must delete all device bay templates associated with this device before declassifying it as a parent device.'] }, wrong);
};
