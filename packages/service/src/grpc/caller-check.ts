import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { credentialKey } from './credential.ts';
import { asStatus, checkCaller, GrpcError } from './service.ts';
import type { Log } from '../observe/log.ts';
import { isFor } from '../security/tls.ts';

/** The metadata entry in which handlers find the caller's name. Only the caller check writes it. */
export const callerKey = 'x-cadastre-caller';

export interface CallerCheckOptions {
  /** The service to which a credential belongs; undefined for an invalid one. */
  callerOf(credential: string): string | undefined | Promise<string | undefined>;
  /** By the path of a method: who may call it. */
  callers: ReadonlyMap<string, readonly string[]>;
  /** By the path of a method: the server's own answer to any caller, whatever the request. */
  own: ReadonlyMap<string, () => Promise<unknown>>;
  /** With TLS: the caller's certificate must be for the service that its credential names. */
  certified: boolean;
  log: Log;
}

export const metadataValue = (metadata: Metadata, key: string): string | undefined => metadata.get(key)[0]?.toString();

/** Of work that ends although its caller has gone. */
const unaborted = new AbortController().signal;

/**
 * Decides whether a caller may call before any part of a message is read: the library decompresses and parses
 * everything that it reads, up to the largest message, for as many calls as arrive at once.
 */
export function callerCheck({ callerOf, callers, own, certified, log }: CallerCheckOptions): ServerInterceptor {
  async function caller(metadata: Metadata, path: string, call: ServerInterceptingCallInterface): Promise<string> {
    const credential = metadataValue(metadata, credentialKey);
    const found = credential === undefined ? undefined : await callerOf(credential);
    if (found === undefined || (certified && !isFor(found, call.getAuthContext().sslPeerCertificate)))
      throw new GrpcError(status.UNAUTHENTICATED, 'not a service of this installation');
    checkCaller(found, path, callers.get(path) ?? [], log);
    return found;
  }
  const refuse = (call: ServerInterceptingCallInterface, path: string) => (error: unknown) =>
    call.sendStatus(asStatus(error, path, log, unaborted));
  return ({ path }, call) => {
    const answer = own.get(path);
    return new ServerInterceptingCall(call, {
      start(next) {
        if (answer)
          return void answer().then(
            (message) => call.sendMessage(message, () => call.sendStatus({ code: status.OK, details: '' })),
            refuse(call, path),
          );
        next({
          onReceiveMetadata(metadata, proceed) {
            caller(metadata, path, call).then(
              (name) => {
                metadata.set(callerKey, name);
                proceed(metadata);
              },
              refuse(call, path),
            );
          },
        });
      },
    });
  };
}
