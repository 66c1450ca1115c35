import type { Rule } from '@cadastre/model';

const METRES: Record<string, number> = { km: 1000, m: 1, cm: 0.01, mi: 1609.344, ft: 0.3048, in: 0.0254 };

/** A length needs a unit, and a unit without a length is dropped; the length in metres is stored with them. */
export const absoluteLength: Rule = (cable) => {
  if (cable['length'] === null) cable['length_unit'] = null;
  else if (!cable['length_unit']) return { __all__: ['Must specify a unit when setting a cable length'] };
  cable['_abs_length'] =
    cable['length'] === null ? null : (Number(cable['length']) * METRES[String(cable['length_unit'])]!).toFixed(4);
  return undefined;
};
