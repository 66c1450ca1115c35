import type { Dict } from '@cadastre/model';
import type { Alternatives } from '../models/rights/rights.ts';

/** Something that lets a user do an action with objects of a type, at least with some of them. */
export interface Ground {
  /** By a permission, by the setting DEFAULT_PERMISSIONS, or by EXEMPT_VIEW_PERMISSIONS. */
  by: 'permission' | 'default' | 'exempt';
  /** Of a permission. */
  id: number | null;
  name: string;
  enabled: boolean;
  /** Whether the user has it, and which of the user's groups do. */
  given: { user: boolean; groups: string[] };
  constraints: Alternatives;
}

/** The result of one constraint of a ground for an object; `matches` is null if no object was asked about. */
interface Tried {
  constraint: Dict;
  matches: boolean | null;
  /** Conditions that do not hold; empty if each holds by itself, but no related object meets all of them. */
  failed: string[];
}

export interface Explained extends Omit<Ground, 'constraints'> {
  matches: boolean | null;
  /** One of these has to match; empty if the ground has no constraints. */
  constraints: Tried[];
}

/** Whether the object that is asked about meets a constraint. */
export type Meets = (constraint: Dict) => Promise<boolean>;

/** A ground with its constraints, and for an object, whether each of them matches and why. */
export async function explained({ constraints, ...ground }: Ground, meets: Meets | undefined): Promise<Explained> {
  if (constraints === null) return { ...ground, matches: true, constraints: [] };
  const tried = await Promise.all(constraints.map((constraint) => tryOut(constraint, meets)));
  return { ...ground, matches: meets ? tried.some(({ matches }) => matches) : null, constraints: tried };
}

async function tryOut(constraint: Dict, meets: Meets | undefined): Promise<Tried> {
  if (!meets) return { constraint, matches: null, failed: [] };
  if (await meets(constraint)) return { constraint, matches: true, failed: [] };
  const conditions = Object.entries(constraint);
  const held = await Promise.all(conditions.map(([lookup, value]) => meets({ [lookup]: value })));
  return { constraint, matches: false, failed: conditions.flatMap(([lookup], i) => (held[i] ? [] : [lookup])) };
}

/** Who is asked about. */
export interface Account {
  active: boolean;
  superuser: boolean;
}

/** The answer, and a sentence that says why. `allowed` is null where it depends on the object. */
export function verdict(
  { active, superuser }: Account,
  grounds: readonly Explained[],
): { allowed: boolean | null; reason: string } {
  if (!active) return { allowed: false, reason: 'The account is not active.' };
  if (superuser) return { allowed: true, reason: 'The user is a superuser.' };
  const enabled = grounds.filter((one) => one.enabled);
  const [lets] = enabled.filter(({ matches }) => matches === true);
  if (lets) return { allowed: true, reason: REASONS[lets.by](lets) };
  if (enabled.some(({ matches }) => matches === null))
    return { allowed: null, reason: 'The user may do it with objects that match a constraint.' };
  if (enabled.length)
    return {
      allowed: false,
      reason: 'There are permissions for it, but the object matches none of their constraints.',
    };
  return grounds.length
    ? { allowed: false, reason: 'The permissions for it are not enabled.' }
    : { allowed: false, reason: 'No permission is for it.' };
}

const REASONS: Readonly<Record<Ground['by'], (ground: Explained) => string>> = {
  permission: ({ name, constraints }) =>
    constraints.length
      ? `The object matches the permission “${name}”.`
      : `The permission “${name}” is for all objects of the type.`,
  default: () => 'Everybody may do it by the setting DEFAULT_PERMISSIONS.',
  exempt: () => 'Everybody may view objects of the type by the setting EXEMPT_VIEW_PERMISSIONS.',
};
