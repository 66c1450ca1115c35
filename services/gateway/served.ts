import { background, type Served } from './routes.ts';

const collections = (service: string, app: string, ...paths: string[]): Served[] => paths.map((path) => ({ app, path, service }));

/** Which service answers for which collection. */
export const served: readonly Served[] = [
  ...collections('auth', 'users', 'groups', 'permissions', 'tokens', 'users'),
  ...collections('tenancy', 'tenancy', 'tenant-groups', 'tenants'),
  ...collections('dcim', 'dcim', 'regions', 'site-groups', 'sites'),
  ...collections('extras', 'extras', 'custom-field-choice-sets', 'custom-fields', 'object-changes', 'tags'),
  ...collections('extras', 'core', 'object-changes'),
  ...collections('webhooks', 'extras', 'event-rules', 'webhook-deliveries', 'webhooks'),
  ...background,
];
