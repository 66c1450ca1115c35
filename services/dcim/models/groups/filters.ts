// Filters that several models of this service share.
import { type Filter, method, path, tree } from '@cadastre/model';

/**
 * Filters for objects that others refer to, such as `?interfaces=true`: the types that refer to them, with the column
 * of the reference.
 */
export const pointedAt = (...from: [type: string, column: string][]): Filter =>
  method(
    'boolean',
    ({ table, tableOf, has }, [value]) =>
      `(${from.map(([type, column]) => (has(type) ? `exists (select 1 from ${tableOf(type)} s where s.${column} = ${table}.id)` : 'false')).join(' or ')}) is ${value}`,
  );

/** Objects with a value in one of the columns. */
export const given = (...columns: string[]): Filter =>
  method(
    'boolean',
    ({ table }, [value]) => `(${columns.map((c) => `${table}.${c} is not null`).join(' or ')}) is ${value}`,
  );

/** Where a thing stands, found over the references that lead from it to its site. */
export const siteFilters = (way: string): Record<string, Filter> => ({
  region_id: tree(`${way}.region`),
  region: tree(`${way}.region`, 'slug'),
  site_group_id: tree(`${way}.group`),
  site_group: tree(`${way}.group`, 'slug'),
  ...(way === 'site' ? {} : { site_id: path(way), site: path(way, 'slug') }),
});
