import { type Api, listed, listedById, type Shown } from '@cadastre/pages';
import type { Face, Frame, Standing } from './units.ts';

/** A rack as its list shows it. */
export type Rack = Shown & {
  u_height: number;
  starting_unit: number;
  desc_units: boolean;
  site: Shown;
  location: Shown | null;
  status: { value: string; label: string };
};

/** A device in a rack; its position may be unknown. */
export interface Mounted extends Omit<Standing, 'position'> {
  id: number;
  name: string;
  rack: number;
  position: number | null;
  url: string;
  role: string;
  type: string;
  status: string;
  color: string;
  images: Record<Face, string | null>;
  counts: boolean;
}

export interface Reservation {
  url: string;
  rack: number;
  units: readonly number[];
  text: string;
}

export interface Contents {
  devices: Mounted[];
  reservations: Reservation[];
  /** The total number of devices, which may exceed those loaded, as a page of the API is limited. */
  count: number;
}

type Device = Shown & {
  rack: Shown;
  role: Shown;
  device_type: Shown;
  position: number | null;
  face: { value: Face } | null;
  status: { label: string };
  parent_device: Shown | null;
};
type DeviceType = Shown & {
  u_height: number;
  is_full_depth: boolean;
  exclude_from_utilization: boolean;
  front_image: string | null;
  rear_image: string | null;
};

export const frameOf = ({ u_height, starting_unit, desc_units }: Rack): Frame => ({
  height: u_height,
  first: starting_unit,
  descending: desc_units,
});

/** Devices and reservations of racks: four lists, however many racks there are. */
export async function contentsOf(api: Api, racks: readonly Rack[]): Promise<Contents> {
  const ids = racks.map(({ id }) => id);
  if (!ids.length) return { devices: [], reservations: [], count: 0 };
  const [devices, reserved] = await Promise.all([
    listed<Device>(api, '/api/dcim/devices/', {
      rack_id: ids,
      fields: 'id,url,display,rack,role,device_type,position,face,status,parent_device',
    }),
    listed<Shown>(api, '/api/dcim/rack-reservations/', { rack_id: ids, fields: 'id,url,rack,units,user,description' }),
  ]);
  const [types, roles] = await Promise.all([
    listedById<DeviceType>(
      api,
      '/api/dcim/device-types/',
      devices.results.map((one) => one.device_type.id),
      { fields: 'id,u_height,is_full_depth,exclude_from_utilization,front_image,rear_image' },
    ),
    listedById(
      api,
      '/api/dcim/device-roles/',
      devices.results.map((one) => one.role.id),
      { fields: 'id,color' },
    ),
  ]);
  return {
    count: devices.count,
    devices: devices.results.filter((one) => !one.parent_device).map((one) => mountedOf(one, types, roles)),
    reservations: reserved.results.map((one) => ({
      url: one.url,
      rack: (one['rack'] as Shown).id,
      units: one['units'] as number[],
      text: [one['description'], (one['user'] as Shown).display].filter(Boolean).join(' – '),
    })),
  };
}

/** A device as it is mounted. When this user may not see its type, usual values are assumed. */
function mountedOf(
  { id, display, url, rack, role, device_type, position, face, status }: Device,
  types: ReadonlyMap<number, DeviceType>,
  roles: ReadonlyMap<number, Shown>,
): Mounted {
  const type = types.get(device_type.id);
  const color = String(roles.get(role.id)?.['color'] ?? '');
  return {
    id,
    url,
    name: display,
    rack: rack.id,
    position: position === null ? null : Number(position),
    height: Number(type?.u_height ?? 1),
    face: face?.value ?? null,
    fullDepth: type?.is_full_depth ?? false,
    role: role.display,
    type: device_type.display,
    status: status.label,
    color: /^[0-9a-f]{6}$/i.test(color) ? color : '9e9e9e',
    images: { front: type?.front_image || null, rear: type?.rear_image || null },
    counts: !type?.exclude_from_utilization,
  };
}
