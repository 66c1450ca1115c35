import type { Json, Origin } from '@cadastre/model';

export type Action = 'view' | 'add' | 'change' | 'delete' | (string & {});

/** One condition set of an object permission: all members must hold. */
export type Constraint = { [lookup: string]: Json };

/** What a user may do: for each action and type either everything, or objects that meet one of the constraints. */
export interface Grants {
  superuser: boolean;
  userId: number | null;
  /** By `<action> <type>`: null for no restriction. */
  byAction: Map<string, Constraint[] | null>;
}

/** Who asks. */
export interface Requester {
  userId: number | null;
  username: string;
  grants: Grants;
  /** Version of the grants: different grants have a different one. */
  grantsVersion?: number;
  /** The number of the session, for a requester with a session of the web pages. */
  sessionId?: number;
  /** The request that writes, and where it came from. */
  origin?: Origin;
  /** Until when, in seconds since 1970, such a requester counts as recently authenticated. Absent: always. */
  provenUntil?: number;
}

/**
 * For look-ups that are the product's own affair: whether a filter value names anything does not depend on who asks.
 */
export const ANYBODY: Requester = {
  userId: null,
  username: '',
  grants: { superuser: true, userId: null, byAction: new Map() },
};

/** `false`: nothing may be touched; `null`: everything; else the constraints of which one must hold. */
export function allowed(grants: Grants, action: Action, type: string): false | null | Constraint[] {
  if (grants.superuser) return null;
  const found = grants.byAction.get(`${action} ${type}`);
  return found === undefined ? false : found;
}
