import { boolean, choice, decimal, type Field, integer, type Rule } from '@cadastre/model';
import { dimensionUnit, rackFormFactor, rackWidth } from '../choices/rack.ts';
import { inGrams, unitOfWeight } from './weight.ts';

const size = (): Field => integer({ size: 'smallint', min: 0, max: 32_767, optional: true });

/** How a rack is built. `nullable`: an unknown form is null in the table, and not an empty text. */
export const rackForm = (o: { nullable?: boolean } = {}): Record<string, Field> => ({
  form_factor: choice(rackFormFactor, { optional: true, ...o }),
  width: choice(rackWidth, { numeric: true, default: 19 }),
  u_height: integer({ size: 'smallint', min: 1, max: 100, default: 42 }),
  starting_unit: integer({ size: 'smallint', min: 1, max: 32_767, default: 1 }),
});

/** Which way units are numbered. */
export const unitOrder = (): Record<string, Field> => ({ desc_units: boolean() });

/** What a rack measures on the outside. */
export const outerSize = (): Record<string, Field> => ({
  outer_width: size(),
  outer_height: size(),
  outer_depth: size(),
  outer_unit: choice(dimensionUnit, { optional: true, nullable: true, one: true }),
});

/** What a rack weighs, and what it bears. */
export const rackWeights = (): Record<string, Field> => ({
  weight: decimal({ digits: 8, places: 2, optional: true }),
  max_weight: integer({ min: 0, max: 2_147_483_647, optional: true }),
  ...unitOfWeight(),
});

export const mountingDepth = (): Record<string, Field> => ({ mounting_depth: size() });

const DIMENSIONS = [
  'form_factor',
  'width',
  'u_height',
  'starting_unit',
  'desc_units',
  'outer_width',
  'outer_height',
  'outer_depth',
  'outer_unit',
  'mounting_depth',
] as const;
const WEIGHT = ['weight', 'max_weight', 'weight_unit'] as const;

/** The groups of these fields in forms. */
export const frameGroups = { Dimensions: [...DIMENSIONS], Weight: [...WEIGHT] };

/** What a rack takes over from its type. */
export const FROM_TYPE = [...DIMENSIONS, ...WEIGHT, '_abs_weight', '_abs_max_weight'] as const;

const OUTER = ['outer_width', 'outer_height', 'outer_depth'] as const;

/** Outer dimensions need a unit; a unit without any is dropped. */
export const measured: Rule = (object) => {
  if (OUTER.some((name) => Number(object[name] ?? 0)) && !object['outer_unit'])
    return { __all__: ['Must specify a unit when setting an outer dimension'] };
  if (OUTER.every((name) => object[name] === null || object[name] === undefined)) object['outer_unit'] = null;
  return undefined;
};

/** The load that a rack bears needs a unit; its grams are kept. */
export const bears: Rule = (object) => {
  if (Number(object['max_weight'] ?? 0) && !object['weight_unit'])
    return { __all__: ['Must specify a unit when setting a maximum weight'] };
  object['_abs_max_weight'] = inGrams(object['max_weight'], object['weight_unit']);
  return undefined;
};
