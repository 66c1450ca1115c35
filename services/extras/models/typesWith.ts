import type { Feature, Rule } from '@cadastre/model';

/** Only types of objects with the feature can be chosen. */
export const typesWith =
  (feature: Feature, field = 'object_types'): Rule =>
  (object, { before, featuresOf }) => {
    const types = (object[field] ?? []) as string[];
    const kept = new Set((before?.[field] ?? []) as string[]);
    const unfit = types.filter((type) => !kept.has(type) && featuresOf(type)?.has(feature) === false);
    return unfit.length ? { [field]: unfit.map((type) => `Invalid content type: ${type}`) } : undefined;
  };
