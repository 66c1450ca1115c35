import { choice, decimal, type Field, integer, type Json, type Rule } from '@cadastre/model';
import { weightUnit } from '../choices/weightUnit.ts';

/** What an object weighs. */
export const weight = (): Record<string, Field> => ({
  weight: decimal({ digits: 8, places: 2, optional: true }),
  ...unitOfWeight(),
});

export const unitOfWeight = (): Record<string, Field> => ({
  weight_unit: choice(weightUnit, { optional: true, nullable: true, one: true }),
});

/** A weight in grams, by which weights of different units compare; kept by `weighed`. */
export const grams = (name: string): Record<string, Field> => ({
  [name]: integer({ size: 'bigint', optional: true, hidden: true, filter: false }),
});

const GRAMS: Record<string, number> = { kg: 1000, g: 1, lb: 453.592, oz: 28.3495 };

/** Grams of a weight; null without a weight or a unit. */
export const inGrams = (value: Json | undefined, unit: Json | undefined): number | null =>
  Number(value ?? 0) && GRAMS[String(unit)] ? Math.trunc(Number(value) * GRAMS[String(unit)]!) : null;

/** A weight needs a unit; its grams are kept. */
export const weighed: Rule = (object) => {
  if (Number(object['weight'] ?? 0) && !object['weight_unit'])
    return { __all__: ['Must specify a unit when setting a weight'] };
  object['_abs_weight'] = inGrams(object['weight'], object['weight_unit']);
  return undefined;
};
