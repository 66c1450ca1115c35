// What must be true of a rack, and what follows from its changes.
import type { Effect, EffectContext, Json, Rule, Values } from '@cadastre/model';
import { FROM_TYPE } from '../groups/rackFrame.ts';
import { unitsText } from './rackSpace.ts';

/** A rack of a type measures and weighs what the type says. */
export const asItsType: Rule = async (rack, context) => {
  const type = await context.related('dcim.racktype', rack['rack_type']);
  if (type) for (const name of FROM_TYPE) rack[name] = type[name] ?? null;
  return undefined;
};

/** The location of a rack lies in its site. */
export const locationInSite: Rule = async ({ location, site }, context) => {
  const within = await context.related('dcim.location', location);
  return within && within['site'] !== site
    ? {
        __all__: [
          `Assigned location must belong to parent site (${await context.displayOf('dcim.site', Number(site))}).`,
        ],
      }
    : undefined;
};

/** A device that is mounted: where it begins and where it ends. */
interface Mounted {
  from: number;
  to: number;
}

/** Why devices do not fit into a frame, or undefined. */
export function whyTooSmall(
  frame: Values,
  mounted: readonly Mounted[],
): { field: 'u_height' | 'starting_unit'; message: string } | undefined {
  if (!mounted.length) return undefined;
  const first = Number(frame['starting_unit']);
  const lowest = Math.min(...mounted.map((m) => m.from));
  const needed = Math.max(...mounted.map((m) => m.to)) - first;
  if (Number(frame['u_height']) < needed)
    return {
      field: 'u_height',
      message: `Rack must be at least ${unitsText(needed)}U tall to house currently installed devices.`,
    };
  return first > lowest
    ? {
        field: 'starting_unit',
        message: `Rack unit numbering must begin at ${unitsText(lowest)} or less to house currently installed devices.`,
      }
    : undefined;
}

const asMounted = (device: Values, type: Values | null | undefined): Mounted => ({
  from: Number(device['position']),
  to: Number(device['position']) + Number(type?.['u_height'] ?? 0),
});

/** What is mounted in racks, by rack. */
export async function mountedIn(racks: readonly Values[], find: EffectContext['find']): Promise<Map<Json, Mounted[]>> {
  const devices = (racks.length ? await find('dcim.device', { rack: racks.map((rack) => rack['id']!) }) : []).filter(
    (device) => device['position'] !== null,
  );
  const types = new Map(
    (devices.length ? await find('dcim.devicetype', { id: devices.map((device) => device['device_type']!) }) : []).map(
      (type) => [type['id']!, type],
    ),
  );
  const mounted = new Map<Json, Mounted[]>();
  for (const device of devices)
    mounted.set(device['rack']!, [
      ...(mounted.get(device['rack']!) ?? []),
      asMounted(device, types.get(device['device_type']!)),
    ]);
  return mounted;
}

/** A rack keeps the units in which devices are mounted. */
export const housesItsDevices: Rule = async (rack, { before, found, related }) => {
  if (!before || (['u_height', 'starting_unit'] as const).every((name) => before[name] === rack[name]))
    return undefined;
  const devices = (await found('dcim.device', 'rack', rack['id'])).filter((device) => device['position'] !== null);
  const types = await Promise.all(devices.map((device) => related('dcim.devicetype', device['device_type'])));
  const problem = whyTooSmall(
    rack,
    devices.map((device, i) => asMounted(device, types[i])),
  );
  return problem && { [rack['rack_type'] ? 'rack_type' : problem.field]: [problem.message] };
};

/** Devices stand where their rack stands. */
export const devicesComeAlong: Effect = async (changes, { find, derive }) => {
  const moved = new Map(
    changes
      .filter(
        (c) =>
          c.action === 'updated' &&
          (c.before!['site'] !== c.after!['site'] || c.before!['location'] !== c.after!['location']),
      )
      .map((c) => [c.after!['id'], c.after!]),
  );
  if (!moved.size) return;
  const devices = await find('dcim.device', { rack: [...moved.keys()] as number[] });
  await derive(
    'dcim.device',
    devices.map((device) => ({
      id: device['id']!,
      site: moved.get(device['rack'])!['site']!,
      location: moved.get(device['rack'])!['location'] ?? null,
    })),
  );
};
