import { type Dict, isDict, type Json, type Values } from '@cadastre/model';

/** Conditions of which one must hold; null for no condition. */
export type Alternatives = Dict[] | null;

/** What somebody has been given for an action on a type; false for nothing. */
export type Granted = (action: string, type: string) => Alternatives | false;

/**
 * Constraints are stored as an object, as a list of which one has to match, or not at all; an empty object matches
 * everything.
 */
export function alternatives(stored: Json | undefined): Alternatives {
  if (stored === null || stored === undefined) return null;
  const list = (Array.isArray(stored) ? stored : [stored]) as Dict[];
  return list.length === 0 || list.some((one) => Object.keys(one).length === 0) ? null : list;
}

/**
 * Whether everything that the given conditions let through is let through by the own ones: each of the given
 * alternatives must have all conditions of one of the own alternatives. Conditions are compared as they are written, so
 * some that are narrower in another way are not recognized. `$user` equals `$user`: it stands for everybody's own
 * objects.
 */
export function within(given: Alternatives, own: Alternatives | false): boolean {
  if (own === null) return true;
  if (own === false || given === null) return false;
  return given.every((one) =>
    own.some((mine) =>
      Object.entries(mine).every(([lookup, value]) => Object.hasOwn(one, lookup) && same(one[lookup]!, value)),
    ),
  );
}

function same(one: Json, other: Json): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, i) => same(item, other[i]!));
  if (isDict(one) && isDict(other))
    return (
      Object.keys(one).length === Object.keys(other).length &&
      Object.entries(one).every(([key, value]) => Object.hasOwn(other, key) && same(value, other[key]!))
    );
  return one === other;
}

/**
 * What a permission allows that somebody has not been given, as `<action> <type>`. @param had what the permission
 * allowed before
 */
export function beyond(permission: Values, granted: Granted, had: Values | null = null): string[] {
  const {
    object_types: types,
    actions,
    constraints,
  } = permission as { object_types: string[]; actions: string[]; constraints: Json };
  const given = alternatives(constraints);
  return types.flatMap((type) =>
    actions
      .filter((action) => !within(given, granted(action, type)) && !within(given, allowedBy(had, action, type)))
      .map((action) => `${action} ${type}`),
  );
}

/** What one permission gives for an action on a type. */
function allowedBy(permission: Values | null, action: string, type: string): Alternatives | false {
  if (!permission?.['enabled']) return false;
  const {
    object_types: types,
    actions,
    constraints,
  } = permission as { object_types: string[]; actions: string[]; constraints: Json };
  return types.includes(type) && actions.includes(action) && alternatives(constraints);
}
