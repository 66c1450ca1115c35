import { ownVariables, variablePrefix } from '@cadastre/service/host/settings';
import { type ProcessPlan, publicService, type ServicePlan } from './plan.ts';

export type Environment = Record<string, string | undefined>;

/**
 * The environment of a process: the shared variables that its services may know, the addresses of all other services,
 * and each service's own variables (`ownOf`, its ports). With several services these get the prefix of the service's
 * name.
 */
export function processEnvironment(
  { services, operationsUrl }: ProcessPlan,
  all: readonly ServicePlan[],
  common: Environment,
  ownOf: (service: ServicePlan) => Environment = () => ({}),
): Environment {
  const hosted = new Set(services.map(({ name }) => name));
  const env: Environment = {
    ...withoutOthers(common, all, hosted),
    OPERATIONS_HOST: common.OPERATIONS_HOST || '127.0.0.1',
    OPERATIONS_PORT: new URL(operationsUrl).port,
  };
  if (!services.some((service) => service.hasDatabase)) delete env.DATABASE_URL;
  for (const service of all) Object.assign(env, addressesOf(service, env));
  for (const service of services) {
    const prefix = services.length === 1 ? '' : variablePrefix(service.name);
    for (const [name, value] of Object.entries({ ...placeOf(service), ...ownOf(service) }))
      if (value !== undefined) env[prefix + name] = value;
  }
  return env;
}

/** Without variables that only services of other processes need. */
function withoutOthers(common: Environment, all: readonly ServicePlan[], hosted: ReadonlySet<string>): Environment {
  const others = all.filter(({ name }) => !hosted.has(name)).map(({ name }) => variablePrefix(name));
  const foreign = new Set(Object.entries(ownVariables).flatMap(([owner, names]) => (hosted.has(owner) ? [] : names)));
  return Object.fromEntries(
    Object.entries(common).filter(([name]) => !foreign.has(name) && !others.some((prefix) => name.startsWith(prefix))),
  );
}

/** The address of a service for those outside its process. */
function addressesOf({ name, host, httpPort, grpcPort }: ServicePlan, env: Environment): Environment {
  const prefix = variablePrefix(name);
  const secure = env[name === publicService ? 'TLS_CERT_FILE' : 'PEER_TLS_CERT_FILE'];
  return {
    ...(httpPort === undefined ? {} : { [`${prefix}HTTP_URL`]: `${secure ? 'https' : 'http'}://${host}:${httpPort}` }),
    ...(grpcPort === undefined ? {} : { [`${prefix}GRPC_ADDRESS`]: `${host}:${grpcPort}` }),
  };
}

const portText = (port: number | undefined): string | undefined => (port === undefined ? undefined : String(port));

/** The host on which a service listens. What only this machine's processes use must not be reachable from others. */
const placeOf = ({ name, httpPort, grpcPort }: ServicePlan): Environment => ({
  HTTP_PORT: portText(httpPort),
  GRPC_PORT: portText(grpcPort),
  ...(name === publicService ? {} : { LISTEN_HOST: '127.0.0.1' }),
});
