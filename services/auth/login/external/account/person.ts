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
  /** Null or absent: the system does not report groups, so memberships stay as they are. */
  groups?: readonly string[] | null;
  /** What the system was asked for: a login (the default), or a regular check of all accounts. */
  asked?: 'login' | 'look';
}

/** What an administrator has decided about those who come from one system. */
export interface ExternalPolicy {
  /** Whether a user without an account here gets one. */
  createUsers: boolean;
  /** Whether groups that are not here are made. */
  createGroups: boolean;
  /** Whether memberships that the system did not give end if it does not name them. */
  syncGroups: boolean;
  /** Groups of all users who come from there, by name. */
  defaultGroups: readonly string[];
  /**
   * Members of one of these (by the group's name there, or here) are superusers, and nobody else from that system is.
   */
  superuserGroups: readonly string[];
  /** Whether the system decides who is a superuser; by default it does if `superuserGroups` names any group. */
  decidesSuperusers?: boolean;
  /** Names of users who are superusers in any case. */
  superusers: readonly string[];
  /** Names of groups there to names of groups here; all others have the same name. */
  groupMap?: ReadonlyMap<string, string>;
  /**
   * Whether a login may take over the existing account of its name even if that account has a password, is a
   * superuser's, or is linked to another system. Otherwise only accounts that nobody can log in to are taken over.
   */
  linkUsers?: boolean;
}

/**
 * Why a login is refused: there is no account, the account is not active, the name is taken by an account that may not
 * be taken over, or no account can have that name.
 */
export type ExternalRefusal = 'unknown' | 'inactive' | 'taken' | 'unusable';

export type ExternalOutcome = { account: Account } | { refused: ExternalRefusal };
