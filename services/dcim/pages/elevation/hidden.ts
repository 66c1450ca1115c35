import type { Api } from '@cadastre/pages';
import type { Mounted } from './contents.ts';
import { type Face, FACES, halvesOf, standsOn } from './units.ts';

export type Hidden = Readonly<Record<Face, ReadonlySet<number>>>;
const NOTHING: Hidden = { front: new Set(), rear: new Set() };

/**
 * The half units of racks that are taken, also by what this user may not see: one request, however many racks there
 * are.
 */
export async function occupiedIn(api: Api, racks: readonly number[]): Promise<Map<number, Record<Face, number[]>>> {
  if (!racks.length) return new Map();
  const { results } = await api.get<{ results: ({ id: number } & Record<Face, number[]>)[] }>(
    `/api/dcim/racks/occupied-units/?${racks.map((id) => `id=${id}`).join('&')}`,
  );
  return new Map(results.map((one) => [one.id, one]));
}

/** Where devices that this user may not see stand in a rack; only their places are shown. */
export function hiddenIn(occupied: Record<Face, number[]> | undefined, devices: readonly Mounted[]): Hidden {
  if (!occupied) return NOTHING;
  const placed = devices.flatMap((one) => (one.position === null ? [] : [{ ...one, position: one.position }]));
  const hidden = (face: Face): Set<number> => {
    const seen = new Set(placed.filter((one) => standsOn(one, face)).flatMap(halvesOf));
    return new Set(occupied[face].filter((half) => !seen.has(half)));
  };
  const [front, rear] = FACES.map(hidden) as [Set<number>, Set<number>];
  return { front, rear };
}
