import { type ClientReadableStream, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Config } from '../settings/config.ts';
import { createCredential, credentialKey } from './credential.ts';
import { constructorOf, type ServiceName } from './proto.ts';
import { serviceSigningKey } from '../settings/key-pairs.ts';
import { currentRequestId, currentPendingWrites } from '../request/request-context.ts';
import { peerTls } from '../security/tls.ts';
import { pendingHeader } from '../request/write-positions.ts';

export type CallOptions = {
  /** Default: GRPC_TIMEOUT_MS for calls with one answer, none for streams. */
  readonly timeoutMs?: number;
  /** Fail at once when there is no connection; by default a call waits for one until its deadline. */
  readonly failFast?: boolean;
  readonly signal?: AbortSignal;
};

// biome-ignore lint/suspicious/noExplicitAny: a method's parameter may be of any message type
export type Method = (request: any) => unknown;

/**
 * The methods of `Api` as calls: one answer as a promise, a stream as an async iterable. Errors are grpc-js's
 * ServiceError.
 */
export type GrpcClient<Api extends { [Name in keyof Api]: Method }> = {
  readonly [Name in keyof Api]: ReturnType<Api[Name]> extends AsyncIterable<infer Item>
    ? (request: Parameters<Api[Name]>[0], options?: CallOptions) => AsyncIterable<Item>
    : (request: Parameters<Api[Name]>[0], options?: CallOptions) => Promise<Awaited<ReturnType<Api[Name]>>>;
} & {
  /** Resolves when there is a connection; rejects when there is none within that time. */
  ready(withinMs: number): Promise<void>;
  close(): void;
};

export type GrpcClientOptions = ServiceName & {
  readonly address: string;
  /** The name of the service that is called. The caller's credential is valid for that service only. */
  readonly to: string;
  /** The calling service's own name. */
  readonly from: string;
  readonly config: Pick<
    Config,
    | 'serviceKey'
    | 'servicePublicKeys'
    | 'grpcTimeoutMs'
    | 'grpcMaxMessageBytes'
    | 'peerTlsCaFile'
    | 'peerTlsCertFile'
    | 'peerTlsKeyFile'
  >;
};

const channel = {
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  // The longest time for which a service that is reachable again is still taken for unreachable.
  'grpc.max_reconnect_backoff_ms': 500,
};

/** A client of another service's gRPC service. It connects on the first call and again after failures. */
export function grpcClient<Api extends { [Name in keyof Api]: Method }>(options: GrpcClientOptions): GrpcClient<Api> {
  const { config } = options;
  const Client = constructorOf(options);
  const max = config.grpcMaxMessageBytes;
  const tls = peerTls(config);
  const client = new Client(
    options.address,
    tls
      ? credentials.createSsl(Buffer.from(tls.ca), Buffer.from(tls.key), Buffer.from(tls.cert))
      : credentials.createInsecure(),
    {
      ...channel,
      ...(tls ? { 'grpc.ssl_target_name_override': options.to, 'grpc.default_authority': options.to } : {}),
      'grpc.max_receive_message_length': max,
      'grpc.max_send_message_length': max,
    },
  );
  const credential = createCredential(serviceSigningKey(config, options.from), options.to);
  const metadata = async (call: CallOptions): Promise<Metadata> => {
    const entries = new Metadata({ waitForReady: !call.failFast });
    entries.set(credentialKey, await credential());
    const id = currentRequestId();
    if (id !== undefined) entries.set('x-request-id', id);
    const pendingWrites = currentPendingWrites();
    if (pendingWrites !== undefined) entries.set(pendingHeader, pendingWrites);
    return entries;
  };
  const ready = (withinMs: number) =>
    new Promise<void>((resolve, reject) => {
      client.waitForReady(Date.now() + withinMs, (error) => (error ? reject(error) : resolve()));
    });
  const calls: Record<string, unknown> = { ready, close: () => client.close() };
  for (const [name, { path, requestSerialize, responseDeserialize, responseStream }] of Object.entries(
    Client.service,
  )) {
    calls[name] = responseStream
      ? async function* (request: unknown, call: CallOptions = {}): AsyncGenerator<unknown> {
          const stream = client.makeServerStreamRequest(
            path,
            requestSerialize,
            responseDeserialize,
            request,
            await metadata(call),
            deadline(call.timeoutMs),
          );
          yield* readStream(stream, call.signal);
        }
      : async (request: unknown, call: CallOptions = {}): Promise<unknown> => {
          const entries = await metadata(call);
          return new Promise((resolve, reject) => {
            const unary = client.makeUnaryRequest(
              path,
              requestSerialize,
              responseDeserialize,
              request,
              entries,
              deadline(call.timeoutMs ?? config.grpcTimeoutMs),
              (error: ServiceError | null, response: unknown) => (error ? reject(error) : resolve(response)),
            );
            if (call.signal?.aborted) unary.cancel();
            call.signal?.addEventListener('abort', () => unary.cancel(), { once: true });
          });
        };
  }
  return calls as GrpcClient<Api>;
}

const deadline = (timeoutMs: number | undefined) =>
  timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };

async function* readStream(stream: ClientReadableStream<unknown>, signal?: AbortSignal): AsyncGenerator<unknown> {
  const cancel = () => stream.cancel();
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for await (const item of stream) yield item;
  } finally {
    signal?.removeEventListener('abort', cancel);
    stream.cancel();
  }
}

/** Whether a call failed because the other side could not be reached in time, so that a later try may succeed. */
export const isUnreachable = (error: unknown): boolean => {
  const code = (error as Partial<ServiceError> | undefined)?.code;
  return code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED;
};
