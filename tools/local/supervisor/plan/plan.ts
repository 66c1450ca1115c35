import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reachableHost } from './ports.ts';

/** The service that clients speak to; it listens on PORT. */
export const publicService = 'gateway';

/** The address of a service. One that is called only within its own process listens nowhere. */
export type ServicePlan = {
  readonly name: string;
  /** Where the other processes of this machine find it. */
  readonly host: string;
  readonly httpPort?: number;
  readonly grpcPort?: number;
  readonly hasDatabase: boolean;
};

/** A process, and the services that it hosts. */
export type ProcessPlan = {
  readonly services: readonly ServicePlan[];
  /** Where its health and metrics are served. */
  readonly operationsUrl: string;
};

/** The names of the services: the folders with a main.ts. */
export function serviceNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'main.ts')))
    .sort();
}

/** A service has a database when it has migrations. */
export const hasDatabase = (folder: string, name: string): boolean => existsSync(join(folder, name, 'migrations'));

/** The largest number of ports of a service, that of its process included. */
export const portsEach = 3;

/** Where clients connect and, if the settings say so, where health and metrics are. */
export type GatewayAddress = {
  readonly port: number;
  readonly host: string;
  readonly operations?: { readonly host?: string | undefined; readonly port?: number | undefined };
};

/** Gives each process and each of its services its place. */
export function planProcesses(
  folder: string,
  shared: readonly (readonly string[])[],
  gateway: GatewayAddress,
  ports: readonly number[],
): ProcessPlan[] {
  const left = [...ports];
  const next = (): number => left.shift() ?? 0;
  const { host, port } = gateway.operations ?? {};
  return shared.map((names, index) => ({
    operationsUrl: `http://${reachableHost(host)}:${port === undefined ? next() : port + index}`,
    services: names.map((name) => ({
      name,
      host: name === publicService ? gateway.host : '127.0.0.1',
      hasDatabase: hasDatabase(folder, name),
      ...(name === publicService
        ? { httpPort: gateway.port }
        : names.includes(publicService)
          ? {}
          : { httpPort: next() }),
      ...(shared.length > 1 ? { grpcPort: next() } : {}),
    })),
  }));
}

/** The program for services: the main.ts of one, else the host of several. */
export const commandOf = (folder: string, services: readonly string[]): string[] =>
  services.length === 1
    ? [join(folder, services[0]!, 'main.ts')]
    : [fileURLToPath(import.meta.resolve('@cadastre/service/host/main')), folder, ...services];

/** The name of a process in messages. */
export const titleOf = (services: readonly string[]): string =>
  `${services.length === 1 ? 'service' : 'services'} ${services.join(', ')}`;
