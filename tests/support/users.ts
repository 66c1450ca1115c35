import type { Body, Client } from './client.ts';
import { unique } from './unique.ts';

export interface Grant {
  types?: string[];
  actions: string[];
  constraints?: unknown;
}

/** A new user with these permissions, and a client with the user's token. */
export async function userWith(
  admin: Client,
  ...grants: Grant[]
): Promise<{ client: Client; id: number; name: string; permissions: Body[] }> {
  const name = unique('user');
  const password = 'Correct-Horse-9';
  const { id } = await admin.make('/api/users/users/', { username: name, password });
  const permissions: Body[] = [];
  for (const { types = ['dcim.site'], actions, constraints = null } of grants)
    permissions.push(
      await admin.make('/api/users/permissions/', {
        name: unique('p'),
        object_types: types,
        actions,
        constraints,
        users: [id],
      }),
    );
  // Created by the administrator: provisioning a token would check a password, which is slow by design.
  const { key, token } = await admin.make('/api/users/tokens/', { user: id });
  return { client: admin.as(`Bearer svc_${key}.${token}`), id, name, permissions };
}
