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
 * Attributes must match the profile's schema; a change keeps the attributes that it does not name. Without a profile
 * they are stored as given, and a change that does not name `attributes` removes them.
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
