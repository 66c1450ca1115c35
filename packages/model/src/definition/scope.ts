import { objectType } from '../fields/plain/list.ts';
import { integer } from '../fields/plain/number.ts';
import { generic, reached } from '../fields/related/relation.ts';
import { resets } from '../fields/replaced.ts';
import { either, path, tree } from '../filters/filter.ts';
import type { Filter } from '../types/filter.ts';
import type { Field } from '../types/model.ts';
import type { Generic } from '../types/relation.ts';
import type { Rule } from '../types/rule.ts';

/** Places, and how a generic field leads to each of them: what is meant for a site is also in its region. */
const PLACES = {
  region: { type: 'dcim.region', paths: ['dcim.region', 'dcim.site/region', 'dcim.location/site.region'] },
  site_group: { type: 'dcim.sitegroup', paths: ['dcim.sitegroup', 'dcim.site/group', 'dcim.location/site.group'] },
  site: { type: 'dcim.site', paths: ['dcim.site', 'dcim.location/site'] },
  location: { type: 'dcim.location', paths: ['dcim.location'] },
};

/** The types of places. */
export const placeTypes: readonly string[] = Object.values(PLACES).map((place) => place.type);

/** The places that an object is in, by its generic field: `_region`, `_site_group`, `_site`, `_location`. */
export const reachedPlaces = (field: string): Record<string, Field> =>
  Object.fromEntries(
    Object.entries(PLACES).map(([name, { type, paths }]) => [
      `_${name}`,
      reached(type, ...paths.map((one) => `${field}:${one}`)),
    ]),
  );

/**
 * Filters by the place that a generic field points at, and by those around it. `before`: the steps from the filtered
 * object to the one that has the field.
 */
export const placeFilters = (field: string, before?: string): Record<string, Filter> =>
  Object.fromEntries(
    Object.entries(PLACES).flatMap(([name, { paths }]) => {
      const leads = (by?: string): Filter =>
        either(
          ...paths.map((one) => (name === 'site' ? path : tree)(`${before ? `${before}/` : ''}${field}:${one}`, by)),
        );
      return [
        [`${name}_id`, leads()],
        [name, leads('slug')],
      ];
    }),
  );

/** The scope of an object: one object of one of the given types, with which it is deleted. */
export const scopeOf = (
  types: readonly string[],
  onDelete: NonNullable<Generic['onDelete']> = 'cascade',
): Record<string, Field> => ({
  scope_type: resets(objectType({ optional: true })),
  scope_id: resets(integer({ optional: true, size: 'bigint' })),
  scope: generic('scope_type', 'scope_id', { to: types, onDelete }),
});

/** The place that an object is meant for. Goes together with `scopeFilters()` and the rule `scopeComplete`. */
export const scoped = (): Record<string, Field> => ({
  ...scopeOf(placeTypes),
  ...reachedPlaces('scope'),
});

/** By the place that an object is meant for, and by those around it. */
export const scopeFilters = (): Record<string, Filter> => placeFilters('scope');

/** A scope with a type must have an id. The opposite, an id without a type, is checked for all generic fields. */
export const scopeComplete: Rule = ({ scope_type, scope_id }) =>
  typeof scope_type === 'string' && scope_id === null
    ? { __all__: [`Please select a ${scope_type.split('.')[1]}.`] }
    : undefined;
