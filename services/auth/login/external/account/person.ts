import type { Account } from '../../../passwords/users.ts';

/** Somebody whom another system vouches for. */
export interface ExternalPerson {
  /** The kind of system: `oidc`, `remote`, `ldap`. */
  source: string;
  /** The system's own lasting id: issuer and subject, the entryUUID of a directory; for `remote` the name. */
  subject: string;
  username: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  /** Of the client, for the record of who came. */
  address?: string;
  /** Null or absent: the system tells none, so memberships stay as they are. */
  groups?: readonly string[] | null;
  /** What the system was asked for: a login, unless it was a look at all accounts. */
  asked?: 'login' | 'look';
}

/** What an administrator has decided about those who come from one system. */
export interface ExternalPolicy {
  /** Whether a user without an account here gets one. */
  createUsers: boolean;
  /** Whether groups that are not here are made. */
  createGroups: boolean;
  /** Whether memberships that the system does not tell of are taken away, too. */
  syncGroups: boolean;
  /** Groups of all users who come from there, by name. */
  defaultGroups: readonly string[];
  /** Who is in one of these (by the name there, or here) is a superuser, and nobody else who comes from there. */
  superuserGroups: readonly string[];
  /** Whether the system decides who is a superuser also where none of these groups is told of. */
  decidesSuperusers?: boolean;
  /** Names of users who are superusers in any case. */
  superusers: readonly string[];
  /** Names of groups there to names of groups here; all others have the same name. */
  groupMap?: ReadonlyMap<string, string>;
  /**
   * Whether an account that is here already, with a password or of a superuser or of another system, becomes that of
   * whoever comes with its name. Without it only accounts that nobody can log in to are taken.
   */
  linkUsers?: boolean;
}

/**
 * Why somebody does not come in: no account, one that is not active, a name that is an account of another kind, or
 * one that no account can have.
 */
export type ExternalRefusal = 'unknown' | 'inactive' | 'taken' | 'unusable';

export type ExternalOutcome = { account: Account } | { refused: ExternalRefusal };
