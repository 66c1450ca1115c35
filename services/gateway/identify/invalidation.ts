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
    // Of all that a user has, some have ended.
    case 'users.session':
      return { userId: objectId };
    // Who is in a group, or has a permission by one, is not known here.
    case 'users.group':
    case 'users.objectpermission':
      return 'all';
    default:
      return null;
  }
}
