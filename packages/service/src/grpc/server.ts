import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Config } from '../settings/config.ts';
import { createCredentialCheck } from './credential.ts';
import { callerKey, callerCheck, metadataValue } from './caller-check.ts';
import { enterStage } from '../request/current-work.ts';
import { type ServiceName, serviceDefinition } from './proto.ts';
import { PeerCredentials } from './tls.ts';
import { type AnyHandler, asStatus, type CallContext, type GrpcService } from './service.ts';
import { serviceKeys } from '../settings/key-pairs.ts';
import { type Log, withRequestId } from '../observe/log.ts';
import { peerTls } from '../security/tls.ts';
import { pendingHeader } from '../request/write-positions.ts';

export type GrpcServerOptions = {
  /** The name of the service: calls meant for another one are refused. */
  readonly name: string;
  readonly port: number;
  /** Default: all addresses. */
  readonly host?: string;
  readonly services: readonly GrpcService[];
  readonly config: Pick<
    Config,
    'servicePublicKeys' | 'grpcMaxMessageBytes' | 'peerTlsCaFile' | 'peerTlsCertFile' | 'peerTlsKeyFile'
  >;
  readonly log: Log;
  /** For the health service: throws when the process cannot serve. */
  readonly check?: () => Promise<void>;
};

export type GrpcServer = { readonly port: number; close(): Promise<void> };

/**
 * Starts a gRPC server. It answers only services that prove their identity, each only the methods that it may call, and
 * health probes.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { config, log, check = async () => undefined } = options;
  const max = config.grpcMaxMessageBytes;
  const tls = peerTls(config);
  const callersOf = new Map<string, readonly string[]>();
  const own = new Map<string, () => Promise<unknown>>();
  const server = new Server({
    interceptors: [
      callerCheck({
        callerOf: createCredentialCheck(serviceKeys(config), options.name),
        callers: callersOf,
        own,
        certified: tls !== undefined,
        log,
      }),
    ],
    'grpc.max_receive_message_length': max,
    'grpc.max_send_message_length': max,
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  for (const { definition, handlers, callers } of options.services) {
    const implementation: UntypedServiceImplementation = {};
    for (const [name, method] of Object.entries(definition)) {
      const handler = handlers[name];
      const allowed = callers[name];
      if (!handler) throw new Error(`no handler for ${method.path}`);
      if (!allowed) throw new Error(`nothing says who may call ${method.path}`);
      callersOf.set(method.path, allowed);
      const served: Served = { handler, path: method.path, log };
      implementation[name] = method.responseStream ? streaming(served) : unary(served);
    }
    server.addService(definition, implementation);
  }
  const health: ServiceName = {
    proto: fileURLToPath(new URL('./health.proto', import.meta.url)),
    service: 'grpc.health.v1.Health',
  };
  const healthy = serviceDefinition(health);
  own.set(healthy['Check']!.path, () =>
    check().then(
      () => ({ status: 'SERVING' }),
      () => ({ status: 'NOT_SERVING' }),
    ),
  );
  server.addService(healthy, {
    Check: () => {
      throw new Error('the caller check answers this');
    },
  });
  const port = await bind(
    server,
    tls ? new PeerCredentials(tls) : ServerCredentials.createInsecure(),
    options.port,
    options.host,
  );
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.tryShutdown(() => resolve());
      }),
  };
}

function bind(server: Server, credentials: ServerCredentials, port: number, host?: string): Promise<number> {
  const one = (address: string) =>
    new Promise<number>((resolve, reject) => {
      server.bindAsync(`${address}:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
    });
  if (host !== undefined) return one(host.includes(':') ? `[${host}]` : host);
  // A machine without IPv6 does not have the address `::`.
  return one('[::]').catch((error: Error) =>
    error.message.includes('EADDRINUSE') ? Promise.reject(error) : one('0.0.0.0'),
  );
}

interface Served {
  handler: AnyHandler;
  path: string;
  log: Log;
}

type Call = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** Aborts when the caller no longer waits for the answer. */
function cancellation(call: Call): AbortSignal {
  const cancelled = new AbortController();
  call.on('cancelled', () => cancelled.abort());
  return cancelled.signal;
}

/** @throws when the call has not passed the caller check */
function contextOf({ metadata }: Call, signal: AbortSignal): CallContext {
  const caller = metadataValue(metadata, callerKey);
  if (caller === undefined) throw new Error('nobody has said who calls');
  return {
    caller,
    requestId: metadataValue(metadata, 'x-request-id') ?? randomUUID(),
    pendingWrites: metadataValue(metadata, pendingHeader),
    signal,
  };
}

function unary({ handler, path, log }: Served) {
  return (
    call: ServerUnaryCall<unknown, unknown>,
    answer: (error: { code: status; details: string } | null, response?: unknown) => void,
  ): void => {
    const signal = cancellation(call);
    const context = contextOf(call, signal);
    withRequestId(
      context.requestId,
      async () => {
        enterStage('call', path);
        return handler(call.request, context);
      },
      context.pendingWrites,
    ).then(
      (response) => answer(null, response),
      (error: unknown) => answer(asStatus(error, path, log, signal)),
    );
  };
}

function streaming({ handler, path, log }: Served) {
  return (call: ServerWritableStream<unknown, unknown>): void => {
    const signal = cancellation(call);
    const context = contextOf(call, signal);
    withRequestId(context.requestId, async () =>
      writeAll(handler(call.request, context) as AsyncIterable<unknown>, call, signal),
    ).then(
      () => call.end(),
      (error: unknown) => {
        // Logs the error even if the caller is gone.
        const answer = asStatus(error, path, log, signal);
        if (!call.cancelled) call.emit('error', answer);
      },
    );
  };
}

/** Writes at the pace of the reader. */
async function writeAll(
  items: AsyncIterable<unknown>,
  call: ServerWritableStream<unknown, unknown>,
  signal: AbortSignal,
): Promise<void> {
  for await (const item of items) {
    if (signal.aborted) return;
    if (!call.write(item))
      await once(call, 'drain', { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
  }
}
