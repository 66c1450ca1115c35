import { status } from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { isTransient } from '@cadastre/events/transient';
import { type ServiceName, serviceDefinition } from './proto.ts';
import type { Log } from '../observe/log.ts';

/** Thrown by handlers to answer with a gRPC status of their choice. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  readonly code: status;
  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

export type CallContext = {
  /** The calling service. */
  readonly caller: string;
  readonly requestId: string;
  /** The writes that had been made before the request on whose behalf this call is made (`write-positions.ts`). */
  readonly pendingWrites: string | undefined;
  /** Aborted when the caller is gone or its deadline has passed. */
  readonly signal: AbortSignal;
};

/** The implementation of a service: a promise for one answer, an async iterable for a stream. */
export type Handlers<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (request: infer Request) => infer Answer
    ? (
        request: Request,
        context: CallContext,
      ) => Answer extends AsyncIterable<unknown> ? Answer : Answer | Promise<Awaited<Answer>>
    : never;
};

/** The services that may call each method; no others may. */
export type Callers<Api> = { readonly [Name in keyof Api]: readonly string[] };

export type GrpcService = ServiceName & {
  readonly definition: ServiceDefinition;
  readonly handlers: Record<string, AnyHandler>;
  readonly callers: Readonly<Record<string, readonly string[]>>;
};
export type AnyHandler = (request: unknown, context: CallContext) => unknown;

/** Pairs a service of a proto file with its implementation, and with who may call it. */
export function grpcService<Api>(name: ServiceName, callers: Callers<Api>, handlers: Handlers<Api>): GrpcService {
  return {
    ...name,
    definition: serviceDefinition(name),
    handlers: handlers as unknown as Record<string, AnyHandler>,
    callers,
  };
}

/** @throws GrpcError when a service may not call a method */
export function checkCaller(caller: string, path: string, callers: readonly string[], log: Log): void {
  if (callers.includes(caller)) return;
  log.warn({ caller, method: path }, 'a service called what it may not');
  throw new GrpcError(status.PERMISSION_DENIED, `${caller} may not call ${path}`);
}

/**
 * The status that a caller gets for a failure: the one that the handler chose, and no details of unforeseen errors.
 * Work that ends because its `signal` was aborted has not failed.
 */
export function asStatus(
  error: unknown,
  path: string,
  log: Log,
  signal: AbortSignal,
): { code: status; details: string } {
  if (error instanceof GrpcError) return { code: error.code, details: error.message };
  if (signal.aborted && error === signal.reason) return { code: status.CANCELLED, details: 'nobody waits for it' };
  if (isTransient(error)) {
    log.warn({ err: error, method: path }, 'gRPC call not served');
    return { code: status.UNAVAILABLE, details: 'not available at present' };
  }
  log.error({ err: error, method: path }, 'gRPC call failed');
  return { code: status.INTERNAL, details: 'internal error' };
}
