import type { Identities } from './identities.ts';

/** What the gateway has to forget when an object of the auth service has changed; null for nothing. */
export function invalidationFor({
  objectType,
  objectId,
}: {
  objectType: string;
  objectId: number;
}): Parameters<Identities['invalidate']>[0] | null {
  switch (objectType) {
    case 'users.token':
      return { tokenId: objectId };
    case 'users.user':
    // Some of the user's sessions have ended.
    case 'users.session':
      return { userId: objectId };
    // The gateway does not know which users are in a group, or have a permission by one.
    case 'users.group':
    case 'users.objectpermission':
      return 'all';
    default:
      return null;
  }
}
