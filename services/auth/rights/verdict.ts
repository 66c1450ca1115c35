import type { Dict, Json } from '@cadastre/model';
import { alternatives } from '../models/rights/rights.ts';

/** A permission, as the API shows it. */
export interface Permission {
  id: number;
  url: string;
  display: string;
  enabled: boolean;
  object_types: string[];
  actions: string[];
  constraints: Json;
  groups: { id: number; url: string; display: string }[];
  users: { id: number; display: string }[];
}

/** What permissions say about an action on a type of objects. */
export interface Verdict {
  /** `some`: those that match one of the constraints. */
  may: 'all' | 'some' | 'none';
  constraints: Dict[];
  /** The permissions that allow it. */
  by: Permission[];
  /** The permissions that would allow it if they were enabled. */
  disabled: Permission[];
}

/** Whether a user with these permissions may do an action to objects of a type, and why. */
export function verdictOf(permissions: readonly Permission[], action: string, type: string): Verdict {
  const about = permissions.filter(
    ({ object_types, actions }) => object_types.includes(type) && actions.includes(action),
  );
  const by = about.filter(({ enabled }) => enabled);
  const conditions = by.map(({ constraints }) => alternatives(constraints));
  return {
    may: !by.length ? 'none' : conditions.includes(null) ? 'all' : 'some',
    constraints: conditions.flatMap((one) => one ?? []),
    by,
    disabled: about.filter(({ enabled }) => !enabled),
  };
}
