import { expect, test } from '@jest/globals';
import { invalidationFor } from './invalidation.ts';

test.each([
  ['users.token', { tokenId: 5 }],
  ['users.user', { userId: 5 }],
  ['users.session', { userId: 5 }],
  ['users.group', 'all'],
  ['users.objectpermission', 'all'],
  ['users.owner', null],
  ['dcim.site', null],
])('%s', (objectType, what) => expect(invalidationFor({ objectType, objectId: 5 })).toEqual(what));
