import { join } from 'node:path';

/** The folder of a service's migrations. */
export const migrationsOf = (services: string, service: string): string => join(services, service, 'migrations');
