import { type Dict, isDict, json, type Json, type Rule, whyNoSchema, whyUnlike } from '@cadastre/model';

/** A profile says which attributes its modules have. */
export function whyNoProfile(schema: Json): string[] {
  const problem = whyNoSchema(schema);
  if (problem) return [problem];
  const { properties } = schema as Dict;
  return isDict(properties) && Object.keys(properties).length ? [] : ['JSON schema must define properties'];
}

/** The attributes of a module type beyond the fields that all module types have. */
export const attributes = json({
  optional: true,
  dictionary: true,
  check: (value) => (isDict(value) ? [] : ['Invalid data. Expected a dictionary.']),
});

/**
 * Attributes are as the profile's schema wants them; those that a change leaves out stay. Without a profile they stay as
 * they are given, and go with a change that does not name them.
 */
export const meetsProfile: Rule = async (type, context) => {
  const profile = await context.related('dcim.moduletypeprofile', type['profile']);
  const { before, importing } = context;
  const given = type['attributes'];
  const known = before?.['attributes'];
  if (!profile && before && !importing && !('attributes' in context.given)) type['attributes'] = null;
  else if (isDict(given) && Object.keys(given).length && isDict(known)) type['attributes'] = { ...known, ...given };
  if (!profile) return undefined;
  const problem = isDict(profile['schema']) ? whyUnlike(profile['schema'], type['attributes'] ?? {}) : undefined;
  return problem === undefined ? undefined : { __all__: [`Invalid schema: ${problem}`] };
};
