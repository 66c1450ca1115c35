import { choices, type Rule } from '@cadastre/model';

export const distanceUnits = choices([
  ['km', 'Kilometers'],
  ['m', 'Meters'],
  ['mi', 'Miles'],
  ['ft', 'Feet'],
]);

const METRES: Record<string, number> = { km: 1000, m: 1, mi: 1609.344, ft: 0.3048 };

/** A distance needs a unit; it is stored in metres as well, so that distances can be compared. */
export const measuresDistance: Rule = (object) => {
  const { distance, distance_unit: unit } = object;
  if (Number(distance ?? 0) && !unit) return { __all__: ['Must specify a unit when setting a distance'] };
  object['_abs_distance'] = distance !== null && unit ? (Number(distance) * METRES[String(unit)]!).toFixed(4) : null;
  if (distance === null) object['distance_unit'] = null;
  return undefined;
};
