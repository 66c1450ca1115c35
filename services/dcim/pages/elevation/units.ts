// Where things are in a rack. Units are counted in halves from the lowest, so that all arithmetic is exact.

export type Face = 'front' | 'rear';
export const FACES: readonly Face[] = ['front', 'rear'];

/** The frame of a rack: how many units it has, the lowest one's number, and whether they are numbered from the top. */
export interface Frame {
  height: number;
  first: number;
  descending: boolean;
}

/** What takes up room: where it begins, how high it is, on which face, and whether on both. */
export interface Standing {
  position: number;
  height: number;
  face: Face | null;
  fullDepth: boolean;
}

/** A part of a rack that is free on a face: a unit, or half of one. */
export interface Slot {
  position: number;
  height: 1 | 0.5;
}

const halves = (units: number): number => Math.round(units * 2);

export const standsOn = ({ face: own, fullDepth }: Standing, face: Face): boolean => own === face || fullDepth;

/** The half units that something takes, by their positions. */
export const halvesOf = ({ position, height }: Pick<Standing, 'position' | 'height'>): number[] =>
  Array.from({ length: halves(height) }, (_, i) => position + i / 2);

/** What stands on a face, by the half units that it takes. */
export function byHalf<One extends Standing>(standing: readonly One[], face: Face): ReadonlyMap<number, One[]> {
  const found = new Map<number, One[]>();
  for (const one of standing.filter((each) => standsOn(each, face)))
    for (const half of halvesOf(one)) found.set(half, [...(found.get(half) ?? []), one]);
  return found;
}

/** The numbers of a rack's units, from top to bottom. */
export function unitsOf({ height, first, descending }: Frame): number[] {
  const all = Array.from({ length: height }, (_, i) => first + i);
  return descending ? all : all.reverse();
}

/** How far below the top of a rack something begins, in units. */
export const depthOf = ({ height, first, descending }: Frame, position: number, units: number): number =>
  descending ? position - first : height - (position - first) - units;

/** What is free, from top to bottom: whole units where both halves are. */
export function slotsOf(frame: Frame, taken: ReadonlySet<number>): Slot[] {
  return unitsOf(frame).flatMap((unit): Slot[] => {
    const free = [unit, unit + 0.5].filter((half) => !taken.has(half));
    return free.length === 2
      ? [{ position: unit, height: 1 }]
      : free.map((position) => ({ position, height: 0.5 as const }));
  });
}

/** How many units of a rack the halves take that are inside it; each half counts once. */
export const unitsUsed = ({ height, first }: Frame, used: Iterable<number>): number =>
  new Set([...used].filter((half) => half >= first && half < first + height)).size / 2;
