// What tests of a gateway need.
import type { Server } from 'node:http';
import type { Server as TcpServer } from 'node:net';
import { loadConfig } from '@cadastre/service/config';
import { callsOf } from '@cadastre/service/calls';
import { type GrpcServer, grpcService, startGrpcServer } from '@cadastre/service/grpc';
import { serviceDefinition } from '@cadastre/service/grpc-proto';
import { createLog } from '@cadastre/service/log';
import { peerHttp } from '@cadastre/service/peer-http';
import { type Behind, createGateway, type GatewayParts } from '../start.ts';

export const log = createLog('gateway', { logLevel: 'silent', logFormat: 'json' });

export interface Asked {
  version: number;
  plaintext: string;
}

const AUTH = { proto: 'auth.proto', service: 'cadastre.auth.Auth' };
const others = Object.keys(serviceDefinition(AUTH)).filter((name) => name !== 'VerifyToken');
const ofOthers = <T>(value: T): Record<string, T> => Object.fromEntries(others.map((name) => [name, value]));

/**
 * An auth service with these keys that answers only questions about tokens, and about sessions if an answer is given.
 */
export const startAuth = (
  keys: Record<string, string>,
  verify: (asked: Asked) => unknown,
  checkSession: (asked: { id: string; user_id: number; stamp: string }) => unknown = () => ({}),
): Promise<GrpcServer> =>
  startGrpcServer({
    name: 'auth',
    port: 0,
    host: '127.0.0.1',
    config: loadConfig(keys),
    log,
    services: [
      grpcService<{ VerifyToken: typeof verify; CheckSession: typeof checkSession }>(
        AUTH,
        { VerifyToken: ['gateway'], ...ofOthers([]), CheckSession: ['gateway'] },
        { VerifyToken: verify, ...ofOthers(() => ({})), CheckSession: checkSession },
      ),
    ],
  });

/** A gateway by itself: all services are elsewhere. */
export function gatewayAlone(env: Record<string, string>, behind: Behind): GatewayParts {
  const config = loadConfig(env);
  const calls = callsOf('gateway', config);
  const made = createGateway({ config, log, calls, peers: peerHttp(config) }, behind);
  return {
    ...made,
    close: () => {
      made.close();
      calls.close();
    },
  };
}

/**
 * Ends everything that a test has started so far: what stays open after a failed start would keep the process running.
 */
export async function endAll(
  gateway: GatewayParts | undefined,
  auth: GrpcServer | undefined,
  ...services: (Server | TcpServer | undefined)[]
): Promise<void> {
  await gateway?.http.close();
  gateway?.close();
  await auth?.close();
  for (const service of services) {
    if (service && 'closeAllConnections' in service) service.closeAllConnections();
    service?.close();
  }
}
