import type { Identities } from './identities.ts';

/** What the gateway has to forget when an object of the auth service changed; null when nothing. */
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
    // The gateway does not know who is in a group, or has a permission through one.
    case 'users.group':
    case 'users.objectpermission':
      return 'all';
    default:
      return null;
  }
}
