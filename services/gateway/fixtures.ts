// What a gateway in a test stands on.
import { type GrpcServer, grpcService, startGrpcServer } from '@cadastre/service/grpc';
import { createLog } from '@cadastre/service/log';
import { Secret } from '@cadastre/service/secret';

export const secret = 's'.repeat(32);
export const log = createLog('gateway', { logLevel: 'silent', logFormat: 'json' });

export interface Asked { version: number; plaintext: string }

/** An auth service that is asked about nothing but tokens. */
export const startAuth = (Verify: (asked: Asked) => unknown): Promise<GrpcServer> => startGrpcServer({
  port: 0, host: '127.0.0.1', config: { serviceSecret: new Secret(secret), grpcMaxMessageBytes: 1_000_000 }, log,
  services: [grpcService<{ Verify(asked: Asked): unknown }>({ proto: 'auth.proto', service: 'cadastre.auth.Auth' }, {
    Verify,
    // biome-ignore lint/suspicious/noExplicitAny: the calls that the gateway does not make
    ...({ Permissions: () => ({}), CheckPassword: () => ({}), Session: () => ({}), EndSession: () => ({}) } as any),
  })],
});
