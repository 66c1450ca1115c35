import { randomUUID } from 'node:crypto';
import { Metadata, type MethodDefinition, type ServiceError, status } from '@grpc/grpc-js';
import type { CallOptions, GrpcClient, GrpcClientOptions, Method } from '../grpc/client.ts';
import { serviceDefinition } from '../grpc/proto.ts';
import { type AnyHandler, asStatus, type CallContext, checkCaller, GrpcError } from '../grpc/service.ts';
import { currentRequestId, currentPendingWrites, withRequestId } from '../request/request-context.ts';
import type { LocalService, LocalServices } from './local-services.ts';

export type LocalClientOptions = Omit<GrpcClientOptions, 'address' | 'config'> & {
  readonly config: Pick<GrpcClientOptions['config'], 'grpcTimeoutMs' | 'grpcMaxMessageBytes'>;
  readonly neighbours: LocalServices;
};

/**
 * A client of a service of the same process: it calls the same handlers without a connection. Messages are serialized
 * and parsed as if they were sent, so that types, limits and ownership of objects are the same; so are errors,
 * deadlines and the caller check.
 */
export function localClient<Api extends { [Name in keyof Api]: Method }>(options: LocalClientOptions): GrpcClient<Api> {
  const { to, from, config, neighbours } = options;
  const max = config.grpcMaxMessageBytes;
  const ended = new AbortController();

  const reach = async (failFast: boolean | undefined, signal: AbortSignal): Promise<LocalService> => {
    const here = neighbours.here(to);
    if (here) return here;
    if (failFast) throw errorOf({ code: status.UNAVAILABLE, details: `${to} does not answer yet, or no longer` });
    return neighbours.ready(to, signal);
  };
  const found = (here: LocalService, name: string, path: string): AnyHandler => {
    const offered = here.grpc.get(options.service);
    const handler = offered?.handlers[name];
    if (!offered || !handler) throw new GrpcError(status.UNIMPLEMENTED, `${to} has no ${path}`);
    checkCaller(from, path, offered.callers[name] ?? [], here.log);
    return handler;
  };
  /** What the callee knows of the call. Nothing else of the caller's async context is passed on. */
  const context = (signal: AbortSignal): CallContext => ({
    caller: from,
    requestId: currentRequestId() ?? randomUUID(),
    pendingWrites: currentPendingWrites(),
    signal,
  });
  const within = <T>(here: LocalService, { requestId, pendingWrites }: CallContext, work: () => T): T =>
    here.inside(() => withRequestId(requestId, work, pendingWrites));

  async function ask(name: string, method: AnyMethod, request: unknown, call: CallOptions): Promise<unknown> {
    const limit = limits([call.signal, ended.signal], call.timeoutMs ?? config.grpcTimeoutMs);
    try {
      const given = travelled(method, 'request', request, max);
      const here = await reach(call.failFast, limit.signal);
      const about = context(limit.signal);
      const work = async (): Promise<unknown> => found(here, name, method.path)(given, about);
      const answered = within(here, about, work).catch((error: unknown) => {
        throw errorOf(asStatus(error, method.path, here.log, about.signal));
      });
      return travelled(method, 'response', await orAborted(answered, limit.signal), max);
    } finally {
      limit.end();
    }
  }

  async function* stream(
    name: string,
    method: AnyMethod,
    request: unknown,
    call: CallOptions,
  ): AsyncGenerator<unknown> {
    const limit = limits([call.signal, ended.signal], call.timeoutMs);
    let items: AsyncIterator<unknown> | undefined;
    let leave: (() => unknown) | undefined;
    try {
      const given = travelled(method, 'request', request, max);
      const here = await reach(call.failFast, limit.signal);
      const about = context(limit.signal);
      const next = async (): Promise<IteratorResult<unknown>> => {
        items ??= (found(here, name, method.path)(given, about) as AsyncIterable<unknown>)[Symbol.asyncIterator]();
        return items.next();
      };
      leave = () => within(here, about, () => items?.return?.());
      for (;;) {
        const item = within(here, about, next).catch((error: unknown) => {
          throw errorOf(asStatus(error, method.path, here.log, about.signal));
        });
        const { done, value } = await orAborted(item, limit.signal);
        if (done) return;
        yield travelled(method, 'response', value, max);
      }
    } finally {
      limit.end();
      // The generator may be waiting for something that never comes, so its end is not awaited.
      Promise.resolve(leave?.()).catch(() => undefined);
    }
  }

  const calls: Record<string, unknown> = {
    ready: async (withinMs: number) => {
      const limit = limits([ended.signal], withinMs);
      await neighbours.ready(to, limit.signal).finally(limit.end);
    },
    close: () => ended.abort(errorOf({ code: status.CANCELLED, details: 'the client is closed' })),
  };
  for (const [name, method] of Object.entries(serviceDefinition(options)))
    calls[name] = method.responseStream
      ? (request: unknown, call: CallOptions = {}) => stream(name, method, request, call)
      : (request: unknown, call: CallOptions = {}) => ask(name, method, request, call);
  return calls as GrpcClient<Api>;
}

// biome-ignore lint/suspicious/noExplicitAny: as grpc-js has it
type AnyMethod = MethodDefinition<any, any>;

/** A message as the receiver gets it. @throws ServiceError when it is too large to be sent */
function travelled(method: AnyMethod, which: 'request' | 'response', message: unknown, max: number): unknown {
  const bytes = which === 'request' ? method.requestSerialize(message) : method.responseSerialize(message);
  if (bytes.length > max)
    throw errorOf({ code: status.RESOURCE_EXHAUSTED, details: `the message has ${bytes.length} bytes, ${max} may be` });
  return which === 'request' ? method.requestDeserialize(bytes) : method.responseDeserialize(bytes);
}

/** As grpc-js makes them. */
const errorOf = ({ code, details }: { code: status; details: string }): ServiceError =>
  Object.assign(new Error(`${code} ${status[code]}: ${details}`), { code, details, metadata: new Metadata() });

/**
 * The abort reason for work that continues after its caller has the answer. Created once, as it is hardly ever looked
 * at.
 */
const answered = errorOf({ code: status.CANCELLED, details: 'the caller has its answer' });

/**
 * A signal that aborts with the error that the caller gets: when the time is up, or when one of the other signals
 * aborts.
 */
function limits(others: readonly (AbortSignal | undefined)[], timeoutMs: number | undefined) {
  const over = new AbortController();
  const late = () => over.abort(errorOf({ code: status.DEADLINE_EXCEEDED, details: 'Deadline exceeded' }));
  const left = () => over.abort(errorOf({ code: status.CANCELLED, details: 'Cancelled on client' }));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  for (const one of others)
    if (one?.aborted) left();
    else one?.addEventListener('abort', left, { once: true });
  return {
    signal: over.signal,
    /** The caller no longer waits: code that still works on the call may stop. */
    end() {
      clearTimeout(timer);
      for (const one of others) one?.removeEventListener('abort', left);
      over.abort(answered);
    },
  };
}

/** The result of the work, or the reason of the signal if that aborts first. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // A rejection that comes too late must not count as unhandled.
  work.catch(() => undefined);
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
