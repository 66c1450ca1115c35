// Which units of a rack are taken. Units are counted in halves, so that all arithmetic is exact.
import type { Values } from '@cadastre/model';

/** A device in a rack: where it begins, how high it is, and which faces it takes. */
export interface Occupant {
  position: number;
  height: number;
  face: string;
  fullDepth: boolean;
}

/** A rack: its lowest unit, and how many it has. */
export interface Units {
  first: number;
  count: number;
}

const halves = (units: number): number => Math.round(units * 2);

/** Whether a device blocks a face, or either face when `face` is null. */
const standsAt = (occupant: Occupant, face: string | null): boolean =>
  face === null || occupant.fullDepth || occupant.face === face;

/** Whether a device of some height fits at a position; `face` is null for a full-depth device. */
export function isFree(
  { first, count }: Units,
  occupants: readonly Occupant[],
  position: number,
  height: number,
  face: string | null,
): boolean {
  const from = halves(position);
  const to = from + halves(height);
  if (from < halves(first) || to > halves(first) + halves(count)) return false;
  return !occupants.some(
    (o) => standsAt(o, face) && halves(o.position) < to && halves(o.position) + halves(o.height) > from,
  );
}

/** A device as an occupant, with the type that it is of; undefined for one that takes no units. */
export function occupantOf(device: Values, type: Values | null): Occupant | undefined {
  if (device['position'] === null || !type) return undefined;
  return {
    position: Number(device['position']),
    height: Number(type['u_height']),
    face: String(device['face']),
    fullDepth: type['is_full_depth'] === true,
  };
}

/** Units as messages name them: `10.0`. */
export const unitsText = (units: unknown): string => Number(units).toFixed(1);
