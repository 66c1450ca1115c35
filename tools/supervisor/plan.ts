import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { reachableHost } from './ports.ts';

/** The service that clients speak to; it listens on PORT. */
export const publicService = 'gateway';
/**
 * What only one service needs, and no other gets: the account of the superuser and the peppers, the keys of sessions
 * and identities, those of users' secrets.
 */
const ownVariables: Readonly<Record<string, readonly string[]>> = {
  auth: ['API_TOKEN_PEPPERS', 'SUPERUSER_NAME', 'SUPERUSER_EMAIL', 'SUPERUSER_PASSWORD', 'SUPERUSER_API_TOKEN'],
  [publicService]: ['SERVICE_SECRET', 'IDENTITY_KEY'],
  webhooks: ['SECRETS_KEYS'],
};

export type Environment = Record<string, string | undefined>;
export type ServicePlan = {
  readonly name: string;
  readonly main: string;
  /** Where the other processes of this machine find it. */
  readonly host: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  /** Where it tells of its health and its metrics. */
  readonly operationsUrl: string;
  readonly hasDatabase: boolean;
};

/** The names of the services: the folders with a main.ts. */
export function serviceNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'main.ts')))
    .sort();
}

/** How many ports a service has. */
export const portsEach = 3;

/**
 * What of the places is settled: where clients connect, and where health and metrics are to be had if somebody has said
 * so.
 */
export type Door = {
  readonly port: number;
  readonly host: string;
  readonly operations?: { readonly host?: string | undefined; readonly port?: number | undefined };
};

/** Gives each service its place. A service has a database when it has migrations. */
export function planServices(
  folder: string,
  names: readonly string[],
  door: Door,
  ports: readonly number[],
): ServicePlan[] {
  const { host, port } = door.operations ?? {};
  return names.map((name, index) => {
    const [http = 0, grpc = 0, operations = 0] = ports.slice(portsEach * index, portsEach * (index + 1));
    return {
      name,
      main: join(folder, name, 'main.ts'),
      host: name === publicService ? door.host : '127.0.0.1',
      httpPort: name === publicService ? door.port : http,
      grpcPort: grpc,
      operationsUrl: `http://${reachableHost(host)}:${port === undefined ? operations : port + index}`,
      hasDatabase: existsSync(join(folder, name, 'migrations')),
    };
  });
}

/** The environment of one service: the common one, its own ports, and where all the others are. */
export function serviceEnvironment(
  service: ServicePlan,
  all: readonly ServicePlan[],
  common: Environment,
): Environment {
  const env: Environment = {
    ...common,
    HTTP_PORT: String(service.httpPort),
    GRPC_PORT: String(service.grpcPort),
    OPERATIONS_PORT: new URL(service.operationsUrl).port,
  };
  // What only this machine's processes use must not be reachable from others.
  if (service.name !== publicService) env.LISTEN_HOST = '127.0.0.1';
  env.OPERATIONS_HOST ||= '127.0.0.1';
  for (const [owner, names] of Object.entries(ownVariables))
    if (owner !== service.name) for (const name of names) delete env[name];
  if (!service.hasDatabase) delete env.DATABASE_URL;
  for (const peer of all) {
    const prefix = variablePrefix(peer.name);
    if (peer.name !== service.name) delete env[`${prefix}_DATABASE_URL`];
    env[`${prefix}_HTTP_URL`] =
      `${env[peer.name === publicService ? 'TLS_CERT_FILE' : 'PEER_TLS_CERT_FILE'] ? 'https' : 'http'}://${peer.host}:${peer.httpPort}`;
    env[`${prefix}_GRPC_ADDRESS`] = `${peer.host}:${peer.grpcPort}`;
  }
  return env;
}

const variablePrefix = (service: string): string => service.toUpperCase().replaceAll('-', '_');
