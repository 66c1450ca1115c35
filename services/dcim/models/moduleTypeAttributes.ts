import { type Dict, isDict, json, type Json, type Rule, whyNoSchema, whyUnlike } from '@cadastre/model';

/** A profile says which attributes its modules have. */
export function whyNoProfile(schema: Json): string[] {
  const problem = whyNoSchema(schema);
  if (problem) return [problem];
  const { properties } = schema as Dict;
  return isDict(properties) && Object.keys(properties).length ? [] : ['JSON schema must define properties'];
}

/** What is told of the modules of a type beyond the fields that all have. */
export const attributes = json({
  optional: true,
  dictionary: true,
  check: (value) => (isDict(value) ? [] : ['Invalid data. Expected a dictionary.']),
});

/**
 * Attributes are as the profile's schema wants them; those that a change leaves out stay. Without a profile there are
 * none.
 */
export const meetsProfile: Rule = async (type, context) => {
  const profile = await context.related('dcim.moduletypeprofile', type['profile']);
  if (!profile) {
    type['attributes'] = null;
    return undefined;
  }
  const given = type['attributes'];
  const known = context.before?.['attributes'];
  if (isDict(given) && Object.keys(given).length && isDict(known)) type['attributes'] = { ...known, ...given };
  const problem = isDict(profile['schema']) ? whyUnlike(profile['schema'], type['attributes'] ?? {}) : undefined;
  return problem === undefined ? undefined : { __all__: [`Invalid schema: ${problem}`] };
};
