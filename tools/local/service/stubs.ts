import { createServer } from 'node:http';
import type { Catalogue } from '@cadastre/model';
import { type GrpcService, grpcService, startGrpcServer } from '@cadastre/service/grpc';
import { type ServiceName, serviceDefinition } from '@cadastre/service/grpc-proto';
import { loadConfig } from '@cadastre/service/config';
import { createLog } from '@cadastre/service/log';
import { grpcServicesOf } from '../../contracts/offered.ts';
import type { Environment } from '../supervisor/plan/environment.ts';
import type { ServicePlan } from '../supervisor/plan/plan.ts';
import { ANSWERS, httpAnswer } from './answers.ts';

const log = createLog('stub', { logLevel: 'warn', logFormat: 'pretty' });

/** A service of proto/ that answers as `answers.ts` says. @throws Error when that names a method that does not exist */
function stubOf(name: ServiceName, caller: string): GrpcService {
  const answers = ANSWERS[name.service] ?? {};
  const methods = Object.entries(serviceDefinition(name));
  const unknown = Object.keys(answers).filter((method) => !methods.some(([known]) => known === method));
  if (unknown.length) throw new Error(`${name.service} has no method ${unknown.join(', ')}`);
  const empty = { unary: () => ({}), stream: async function* () {} };
  return grpcService<Record<string, (request: unknown) => unknown>>(
    name,
    Object.fromEntries(methods.map(([method]) => [method, [caller]])),
    Object.fromEntries(
      methods.map(([method, { responseStream }]) => [
        method,
        answers[method] ?? (responseStream ? empty.stream : empty.unary),
      ]),
    ) as Record<string, (request: unknown) => never>,
  );
}

/** Stands in for neighbours at their addresses, by gRPC and by HTTP. Returns a function that closes them. */
export async function startStubs(
  neighbours: readonly ServicePlan[],
  { caller, keys, catalogue }: { caller: string; keys: Environment; catalogue: Catalogue },
): Promise<() => Promise<void>> {
  const config = loadConfig(keys);
  const closers = await Promise.all(
    neighbours.map(async ({ name, host, httpPort, grpcPort }) => {
      const grpc = await startGrpcServer({
        ...{ name, host, config, log, port: grpcPort! },
        services: grpcServicesOf(name, catalogue).map((one) => stubOf(one, caller)),
      });
      const http = createServer((request, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(httpAnswer(request.url!.split('?', 1)[0]!)));
      });
      await new Promise<void>((resolve) => http.listen(httpPort, host, resolve));
      return async () => {
        http.closeAllConnections();
        await Promise.all([grpc.close(), new Promise((resolve) => http.close(resolve))]);
      };
    }),
  );
  return async () => {
    await Promise.all(closers.map((close) => close()));
  };
}
