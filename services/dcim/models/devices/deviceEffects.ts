// What follows when devices are made or moved.
import type { Effect } from '@cadastre/model';
import { chassisPosition, inChassis } from './chassisNames.ts';
import { chassisEnds, formerMembersHaveNoPosition, membersStay } from './chassisMembers.ts';
import { instantiate } from '../types/instantiate.ts';

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

export const deviceEffects: Effect[] = [
  getsComponents,
  childrenFollow,
  membersStay,
  chassisEnds,
  formerMembersHaveNoPosition,
];
