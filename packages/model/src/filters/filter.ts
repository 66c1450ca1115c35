import type { LookupFamily } from '../types/column.ts';
import type { Filter, FilterSql, Lookup, Path } from '../types/filter.ts';

/** Objects related over `dotted.path`, by id or by the named attribute. */
export const path = (dotted: string, by?: string): Filter => ({
  kind: 'related',
  path: steps(dotted),
  ...(by ? { by } : {}),
});

/** The same where the end is a tree: its descendants count too. */
export const tree = (dotted: string, by?: string): Filter => ({
  kind: 'related',
  path: steps(dotted),
  tree: true,
  ...(by ? { by } : {}),
});

/** An attribute of a related object, with the lookups of its family. */
export const through = (dotted: string, field: string, family: LookupFamily): Filter => ({
  kind: 'through',
  path: steps(dotted),
  field,
  family,
});

/** A column under another name, or with another family of lookups. */
export const column = (field: string, family: LookupFamily): Filter => ({ kind: 'column', field, family });

/** A text whose plain filter does not regard case; it has all lookups. */
export const caseless = (field: string): Filter => ({ kind: 'column', field, family: 'string', caseless: true });

/** A column compared in one fixed way: `time_after` is `time` with `gte`. */
export const compared = (field: string, family: LookupFamily, compare: Lookup['compare']): Filter => ({
  kind: 'column',
  field,
  family,
  compare,
});

/** The type in a field of object types, by its number. */
export const typeIdOf = (field: string, o: { ordered?: boolean } = {}): Filter => ({ kind: 'typeId', field, ...o });

/**
 * Objects that values name by id (or `by` an attribute); hand-written SQL says how they relate to the objects of the
 * list.
 */
export const objects = (
  type: string,
  o: { by?: string; tree?: boolean; many?: boolean },
  sql: (context: FilterSql, ids: string) => string,
): Filter => ({
  kind: 'objects',
  type,
  many: o.many ?? false,
  ...(o.by ? { by: o.by } : {}),
  ...(o.tree ? { tree: true } : {}),
  sql,
});

/**
 * Members of a JSON column by their keys, with the lookups of texts and numbers: `attr_: keyed('attributes')` is
 * `?attr_speed__gte=10`. `described` leads to a JSON schema that says which keys there are: `profile.schema`.
 */
export const keyed = (field: string, described?: `${string}.${string}`): Filter => ({
  kind: 'keyed',
  field,
  ...(described ? { described } : {}),
});

/**
 * Holds when one of the filters does: a prefix matches a region that is its own scope, or the region of the site, or of
 * the location, that is its scope.
 */
export const either = (...of: Filter[]): Filter => ({ kind: 'either', of });

/** A filter and, where it consists of others, those. */
export const partsOf = (filter: Filter): readonly Filter[] =>
  filter.kind === 'either' ? filter.of.flatMap(partsOf) : [filter];

/** A filter with hand-written SQL. Its values have been checked to be of the given kind. */
export const method = (
  value: 'boolean' | 'text' | 'number' | 'uuid',
  sql: (context: FilterSql, values: string[]) => string,
  many = false,
): Filter => ({ kind: 'method', value, many, sql });

/** How `q` compares a column: somewhere in it, or with the whole of it. */
export type SearchManner = 'within' | 'whole';

/**
 * Where `q` looks: `name` is a column of the model itself, `contact.name` and `<app.model.field/name` one of related
 * objects; with `=` before it the whole value is compared: a number as a number, an address without its mask.
 */
export function searchPlace(name: string): { path: Path; field: string; manner: SearchManner } {
  const whole = name.startsWith('=');
  const all = steps(whole ? name.slice(1) : name);
  return { path: all.slice(0, -1), field: all.at(-1)!, manner: whole ? 'whole' : 'within' };
}

/**
 * `owner.group` → two steps; `<users.user.groups` (a relation read backwards) and `scope:dcim.site` are one each, and
 * `/` separates them from others.
 */
export function steps(dotted: string): Path {
  return dotted.split('/').flatMap((part) => (part.startsWith('<') || part.includes(':') ? [part] : part.split('.')));
}
