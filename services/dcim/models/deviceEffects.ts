// What follows when devices are made or moved.
import type { Effect, Stored } from '@cadastre/model';
import { chassisPosition, inChassis } from './chassisNames.ts';
import { instantiate } from './instantiate.ts';

const PLACE = ['site', 'location', 'rack'] as const;

/** A new device has the components that its type says. */
const getsComponents: Effect = (changes, context) =>
  instantiate(
    changes
      .filter((c) => c.action === 'created')
      .map(({ after }) => ({
        device: after!['id']!,
        module: null,
        bay: null,
        type: after!['device_type']!,
        replicates: true,
        adopts: false,
        resolve: (text) => inChassis(text, chassisPosition(after)),
      })),
    'device_type',
    context,
  );

/** What is in a device's bays goes where the device goes. */
const childrenFollow: Effect = async (changes, { find, update }) => {
  const moved = new Map(
    changes
      .filter((c) => c.action === 'updated' && PLACE.some((name) => c.before![name] !== c.after![name]))
      .map((c) => [c.after!['id'], c.after!]),
  );
  if (!moved.size) return;
  const bays = (await find('dcim.devicebay', { device: [...moved.keys()] as number[] })).filter(
    (bay) => bay['installed_device'] !== null,
  );
  await update(
    'dcim.device',
    bays.map((bay) => {
      const parent = moved.get(bay['device'])!;
      return { id: bay['installed_device']!, ...Object.fromEntries(PLACE.map((name) => [name, parent[name]!])) };
    }),
  );
};

/** A chassis that is gone took the device with it out of its place; one that somebody took it out of did not. */
const isOrphan = ({ action, before, after, given }: Stored): boolean =>
  action === 'updated' &&
  before!['virtual_chassis'] !== null &&
  after!['virtual_chassis'] === null &&
  !('virtual_chassis' in given);

/** A chassis stays while interfaces of one member are bundled by those of another. */
const bundlesKeepChassis: Effect = async (changes, { find, obstruct }) => {
  const orphans = changes.filter(isOrphan);
  const home = new Map(orphans.map(({ before }) => [before!['id'], before!['virtual_chassis']]));
  if (!orphans.length) return;
  const ports = await find('dcim.interface', { device: [...home.keys()] as number[] });
  const deviceOf = new Map(ports.map((port) => [port['id'], port['device']]));
  const split = ports.filter(
    ({ lag, device }) =>
      lag !== null &&
      deviceOf.has(lag) &&
      deviceOf.get(lag) !== device &&
      home.get(deviceOf.get(lag)) === home.get(device),
  );
  await obstruct(
    'dcim.interface',
    split.map((port) => port['id'] as number),
  );
};

const formerMembersHaveNoPosition: Effect = async (changes, { update }) => {
  await update(
    'dcim.device',
    changes.filter(isOrphan).map(({ after }) => ({ id: after!['id']!, vc_position: null, vc_priority: null })),
  );
};

export const deviceEffects: Effect[] = [
  getsComponents,
  childrenFollow,
  bundlesKeepChassis,
  formerMembersHaveNoPosition,
];
