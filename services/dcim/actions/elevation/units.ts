import { brief, orNull, recordOf } from '@cadastre/rest';
import { device } from '../../models/devices/device.ts';
import { unitsText } from '../../models/racks/rackSpace.ts';
import type { Face } from './parameters.ts';

/** The frame of a rack. */
export interface Frame {
  height: number;
  first: number;
  descending: boolean;
}

/** What stands in a rack. */
export interface Standing {
  id: number;
  position: number;
  height: number;
  face: Face | null;
  fullDepth: boolean;
}

/** A device as the requester may see it. */
export interface Seen {
  brief: string;
  name: string | null;
}

/** Half a unit of a rack, as it is shown. */
export interface Unit {
  at: number;
  name: string;
  device: number | null;
  occupied: boolean;
}

const nameOf = (at: number): string => `U${Number.isInteger(at) ? at : unitsText(at)}`;

/** The positions of a rack, from top to bottom. */
export function positionsOf({ height, first, descending }: Frame): number[] {
  const all = Array.from({ length: height * 2 }, (_, i) => first + i / 2);
  return descending ? all : all.reverse();
}

/** What takes up room on a face: what is mounted there, and full-depth devices on the other face. */
export const onFace = (standing: readonly Standing[], face: Face): Standing[] =>
  standing.filter((s) => s.face === face || s.fullDepth);

/** The units of a face. Where devices are not expanded they are shown at the unit where they begin. */
export function unitsOf(frame: Frame, standing: readonly Standing[], face: Face, expand: boolean): Unit[] {
  const takenBy = new Map(
    onFace(standing, face).flatMap((s) =>
      Array.from({ length: expand ? Math.round(s.height * 2) : 1 }, (_, i) => [s.position + i / 2, s.id] as const),
    ),
  );
  return positionsOf(frame).map((at) => ({
    at,
    name: nameOf(at),
    device: takenBy.get(at) ?? null,
    occupied: takenBy.has(at),
  }));
}

/** Units whose position or name contains a text. */
export const matching = (units: Unit[], q: string | null): Unit[] =>
  q === null ? units : units.filter((u) => unitsText(u.at).includes(q) || u.name.includes(q));

/** How a unit is shown. */
export const UNIT = recordOf({
  id: { type: 'number' },
  name: { type: 'string' },
  face: recordOf({ value: { type: 'string', enum: ['front', 'rear'] }, label: { type: 'string' } }),
  device: orNull(brief(device)),
  occupied: { type: 'boolean' },
  display: { type: 'string' },
  description: { type: ['string', 'null'] },
});

const LABELS = { front: 'Front', rear: 'Rear' } as const;

/** JSON text of a unit. Where the requester may not see the device, the unit is only marked as occupied. */
export function unitText(unit: Unit, face: Face, seen: ReadonlyMap<number, Seen>): string {
  const device = unit.device === null ? undefined : seen.get(unit.device);
  return (
    `{"id":${unitsText(unit.at)},"name":"${unit.name}","face":{"value":"${face}","label":"${LABELS[face]}"},"device":${device?.brief ?? 'null'},"occupied":${unit.occupied},` +
    `"display":"${unit.name}","description":${JSON.stringify(device?.name ?? null)}}`
  );
}
