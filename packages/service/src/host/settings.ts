import type { Environment } from '../settings/read-settings.ts';

/**
 * Variables that only one service needs and no other gets: the superuser's account, the peppers and the keys of second
 * factors, the passwords for OpenID Connect and LDAP, the keys of sessions and identities, those of users' secrets.
 */
export const ownVariables: Readonly<Record<string, readonly string[]>> = {
  auth: [
    'API_TOKEN_PEPPERS',
    'FACTOR_KEYS',
    'SUPERUSER_NAME',
    'SUPERUSER_EMAIL',
    'SUPERUSER_PASSWORD',
    'SUPERUSER_API_TOKEN',
    'OIDC_CLIENT_SECRET',
    'LDAP_BIND_PASSWORD',
  ],
  gateway: ['SERVICE_SECRET', 'IDENTITY_KEY'],
  webhooks: ['SECRETS_KEYS'],
};

/** The prefix of a service's variables. */
export const variablePrefix = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_`;

/**
 * Where a service is, which others need too; and where its database is, which the service and the program that creates
 * databases need.
 */
const places = ['HTTP_URL', 'GRPC_ADDRESS', 'DATABASE_URL'];
/**
 * Variables of a single service: where a process hosts several, the unprefixed variable must not apply to each of them.
 */
const single = ['HTTP_PORT', 'GRPC_PORT', 'SERVICE_KEY'];

/**
 * The variables of one of the services that a process hosts. If it hosts several, `<SERVICE>_<VARIABLE>` is the
 * variable of that service. Variables that only another service may know are left out.
 */
export function environmentOf(env: Environment, service: string, hosted: readonly string[]): Environment {
  const own: Record<string, string | undefined> = { ...env };
  for (const [owner, names] of Object.entries(ownVariables))
    if (owner !== service) for (const name of names) delete own[name];
  if (hosted.length === 1) return own;
  for (const name of single) delete own[name];
  for (const other of hosted) {
    const prefix = variablePrefix(other);
    for (const name of Object.keys(env)) {
      if (!name.startsWith(prefix)) continue;
      const variable = name.slice(prefix.length);
      if (places.includes(variable)) {
        if (other !== service && variable === 'DATABASE_URL') delete own[name];
        continue;
      }
      delete own[name];
      if (other === service && env[name]) own[variable] = env[name];
    }
  }
  return own;
}
