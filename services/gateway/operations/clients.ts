import { HttpError, notFound, unavailable } from '@cadastre/service/errors';
import type { Calls } from '@cadastre/service/calls';
import { type GrpcClient, GrpcStatus, isUnreachable } from '@cadastre/service/grpc';
import { OPERATIONS, type OperationsApi } from '@cadastre/service/operations';

type OperationsClient = GrpcClient<OperationsApi>;

/** The services, asked for what administrators want to know. */
export interface OperationsClients {
  services: readonly string[];
  /** @throws HttpError 404 for a name that is not a service */
  client(service: string): OperationsClient;
}

export function operationsClients(services: readonly string[], calls: Calls): OperationsClients {
  return {
    services,
    client(service) {
      if (!services.includes(service)) throw notFound();
      return calls.to<OperationsApi>(service, OPERATIONS);
    },
  };
}

/** A service's answer, or a refusal as the client is told it. */
export async function asked<T>(service: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isUnreachable(error)) throw unavailable(`The ${service} service is not available. Please try again.`);
    const { code, details } = error as { code?: number; details?: string };
    if (code === GrpcStatus.NOT_FOUND) throw notFound();
    if (code === GrpcStatus.ABORTED || code === GrpcStatus.FAILED_PRECONDITION)
      throw new HttpError(409, { detail: details ?? '' });
    if (code === GrpcStatus.INVALID_ARGUMENT) throw new HttpError(400, { detail: details ?? '' });
    throw error;
  }
}

/** The same for several services at once; those that cannot be reached are listed. */
export async function askAll<T>(
  services: readonly string[],
  ask: (service: string) => Promise<T>,
): Promise<{ answers: Map<string, T>; unavailable: string[] }> {
  const answers = new Map<string, T>();
  const missing: string[] = [];
  await Promise.all(
    services.map(async (service) => {
      try {
        answers.set(service, await ask(service));
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        missing.push(service);
      }
    }),
  );
  return { answers, unavailable: missing.sort() };
}
