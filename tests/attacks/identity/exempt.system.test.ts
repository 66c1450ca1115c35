import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from '../../../tools/testing/fresh-system.ts';
import { Client } from '../../support/client.ts';

// A system of its own, with the most permissive settings.
let system: System;
let admin: Client;
let nobody: Client;
beforeAll(async () => {
  system = await startSystem({
    EXEMPT_VIEW_PERMISSIONS:
      '*, extras.webhook, extras.webhookdelivery, extras.webhookreplay, users.token, users.objectpermission',
    LOGIN_REQUIRED: 'false',
  });
  admin = new Client(system.base, `Token ${system.token}`);
  nobody = new Client(system.base);
}, 300_000);
afterAll(() => system?.stop());

test('what holds secrets or is about people stays closed to everybody, what does not is open', async () => {
  await admin.make('/api/dcim/sites/', { name: 'open', slug: 'open' });
  const webhook = await admin.make('/api/extras/webhooks/', { name: 'hook', payload_url: 'http://127.0.0.1:9/' });
  for (const path of [
    'dcim/sites',
    'extras/tags',
    'tenancy/tenants',
    'ipam/prefixes',
    'circuits/providers',
    'virtualization/clusters',
  ])
    expect([path, (await nobody.get(`/api/${path}/`)).status]).toEqual([path, 200]);
  const user = await admin.make('/api/users/users/', { username: 'reader', password: 'Correct-Horse-9' });
  const { key, token } = await admin.make('/api/users/tokens/', { user: user.id });
  const reader = new Client(system.base, `Bearer svc_${key}.${token}`);
  const closed = [
    'extras/webhooks',
    `extras/webhooks/${webhook.id}`,
    'extras/webhook-deliveries',
    'extras/webhook-deliveries/tail',
    'extras/webhook-replays',
    'extras/event-rules',
    'extras/object-changes',
    'core/object-changes',
    'extras/notification-groups',
    'users/users',
    'users/groups',
    'users/owners',
    'users/permissions',
  ];
  for (const path of closed)
    for (const [who, client] of [
      ['nobody', nobody],
      ['a user', reader],
    ] as const)
      expect([who, path, (await client.get(`/api/${path}/`)).status]).toEqual([who, path, 403]);
  // Every user may view their own; those of others are not among them.
  await admin.make('/api/extras/bookmarks/', { object_type: 'dcim.site', object_id: 1, user: 1 });
  for (const path of ['extras/bookmarks', 'extras/notifications', 'extras/subscriptions', 'users/tokens']) {
    expect([path, (await nobody.get(`/api/${path}/`)).status]).toEqual([path, 403]);
    const { body } = await reader.get(`/api/${path}/`);
    expect([path, body.results.filter((one: { user: { id: number } }) => one.user.id !== user.id)]).toEqual([path, []]);
  }
});
