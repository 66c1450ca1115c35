import type { Field } from './field.ts';
import { objectType } from './fields/list.ts';
import { integer } from './fields/number.ts';
import { generic, reached } from './fields/relation.ts';
import { either, type Filter, path, tree } from './filters/filter.ts';
import type { Rule } from './model.ts';

/** Places that something can be meant for, and how the scope leads to each of them: what is meant for a site is also in its region. */
const PLACES = {
  region: { type: 'dcim.region', paths: ['scope:dcim.region', 'scope:dcim.site/region', 'scope:dcim.location/site.region'] },
  site_group: { type: 'dcim.sitegroup', paths: ['scope:dcim.sitegroup', 'scope:dcim.site/group', 'scope:dcim.location/site.group'] },
  site: { type: 'dcim.site', paths: ['scope:dcim.site', 'scope:dcim.location/site'] },
  location: { type: 'dcim.location', paths: ['scope:dcim.location'] },
};

/** The scope of an object: one object of one of the given types, with which it is deleted. */
export const scopeOf = (types: readonly string[]): Record<string, Field> => ({
  scope_type: objectType({ optional: true }),
  scope_id: integer({ optional: true, size: 'bigint' }),
  scope: generic('scope_type', 'scope_id', { to: types, onDelete: 'cascade' }),
});

/** The place that an object is meant for. Goes together with `scopeFilters()` and the rule `scopeComplete`. */
export const scoped = (): Record<string, Field> => ({
  ...scopeOf(Object.values(PLACES).map((place) => place.type)),
  ...Object.fromEntries(Object.entries(PLACES).map(([name, { type, paths }]) => [`_${name}`, reached(type, ...paths)])),
});

/** By the place that an object is meant for, and by those around it. */
export const scopeFilters = (): Record<string, Filter> => Object.fromEntries(Object.entries(PLACES).flatMap(([name, { paths }]) => {
  const leads = (by?: string): Filter => either(...paths.map((one) => (name === 'site' ? path(one, by) : tree(one, by))));
  return [[`${name}_id`, leads()], [name, leads('slug')]];
}));

/** A scope is named as a whole. */
export const scopeComplete: Rule = ({ scope_type, scope_id }) => {
  if (typeof scope_type === 'string' && scope_id === null) return { __all__: [`Please select a ${scope_type.split('.')[1]}.`] };
  return scope_type === null && scope_id !== null ? { scope_type: ['This field is required when scope_id is given.'] } : undefined;
};
