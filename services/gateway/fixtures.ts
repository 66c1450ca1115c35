// What a gateway in a test stands on.
import { loadConfig } from '@cadastre/service/config';
import { type GrpcServer, grpcService, startGrpcServer } from '@cadastre/service/grpc';
import { createLog } from '@cadastre/service/log';

export const log = createLog('gateway', { logLevel: 'silent', logFormat: 'json' });

export interface Asked { version: number; plaintext: string }

/** An auth service with these keys that is asked about nothing but tokens. */
export const startAuth = (keys: Record<string, string>, Verify: (asked: Asked) => unknown): Promise<GrpcServer> => startGrpcServer({
  name: 'auth', port: 0, host: '127.0.0.1', config: loadConfig(keys), log,
  services: [grpcService<{ Verify(asked: Asked): unknown }>({ proto: 'auth.proto', service: 'cadastre.auth.Auth' }, { Verify: ['gateway'], ...Object.fromEntries(['Permissions', 'CheckPassword', 'Session', 'EndSession'].map((name) => [name, []])) }, {
    Verify,
    // biome-ignore lint/suspicious/noExplicitAny: the calls that the gateway does not make
    ...({ Permissions: () => ({}), CheckPassword: () => ({}), Session: () => ({}), EndSession: () => ({}) } as any),
  })],
});
