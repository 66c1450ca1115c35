import type { Calls } from '../peers/calls.ts';
import type { PermissionSet } from './grants.ts';
import type { Rights } from './viewers.ts';

/** The methods of the auth service that other services call. */
interface AuthApi {
  Permissions(request: { user_id: number }): PermissionSet;
  UserPermissions(request: { user_ids: readonly number[] }): { users: Awaited<ReturnType<Rights>> };
}

/** What users may do, according to the auth service. */
export function askAuth(calls: Calls): { permissions(userId: number): Promise<PermissionSet>; rights: Rights } {
  const auth = calls.to<AuthApi>('auth', { proto: 'auth.proto', service: 'cadastre.auth.Auth' });
  return {
    permissions: (userId) => auth.Permissions({ user_id: userId }),
    rights: async (userIds) => (await auth.UserPermissions({ user_ids: userIds })).users,
  };
}
