import type { Peers, Requester } from '@cadastre/rest';
import { peers } from '@cadastre/rest/testing/database';

// What an engine needs, without the other services, when a test counts its statements.

/** A superuser. */
export const admin: Requester = {
  userId: 1,
  username: 'admin',
  grants: { superuser: true, userId: 1, byAction: new Map() },
};

/** Stubs of other services that answer about references as given, and have no other data. */
export const peersWith = (resolve: Peers['resolve']): Peers => ({ ...peers, resolve });
