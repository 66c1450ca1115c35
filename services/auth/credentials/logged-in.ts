import type { Account } from '../passwords/users.ts';
import type { User } from './verify.ts';

/** Somebody who has proved who they are, as the gateway hears of them. */
export interface LoggedIn {
  ok: boolean;
  user: User | null;
  permissions_version: number;
  stamp: string;
}

export const loggedIn = (account: Account | null): LoggedIn =>
  account
    ? {
        ok: true,
        user: { id: account.id, username: account.username, superuser: account.superuser, active: true },
        permissions_version: account.permissionsVersion,
        stamp: account.stamp,
      }
    : { ok: false, user: null, permissions_version: 0, stamp: '' };
