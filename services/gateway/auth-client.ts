import { type GrpcClient, grpcClient, type GrpcClientOptions, isUnreachable } from '@cadastre/service/grpc';
import { unavailable } from '@cadastre/service/errors';
import type { IdentitiesOptions } from './identities.ts';

/** The part of proto/auth.proto that the gateway uses. */
interface AuthApi {
  Verify(request: { version: number; key: string; plaintext: string; client_ip: string }): {
    ok: boolean; error: string; permissions_version: number;
    user: { id: number; username: string; superuser: boolean; active: boolean } | null;
    token: { id: number; write_enabled: boolean; expires: string; allowed_ips: string[] } | null;
  };
}

export type AuthClient = GrpcClient<AuthApi>;

/** A client of the auth service. */
export const authClient = (options: Pick<GrpcClientOptions, 'address' | 'config'>): AuthClient =>
  grpcClient<AuthApi>({ ...options, from: 'gateway', proto: 'auth.proto', service: 'cadastre.auth.Auth' });

/** Asks the auth service about a token. @throws HttpError 503 when it cannot be reached */
export const verifyWith = (auth: AuthClient): IdentitiesOptions['verify'] => async ({ version, key, plaintext }, clientIp) => {
  const { ok, error, user, token, permissions_version } = await auth.Verify({ version, key, plaintext, client_ip: clientIp }).catch((reason: unknown) => {
    throw isUnreachable(reason) ? unavailable('Tokens cannot be checked at present. Please try again.') : reason;
  });
  return {
    error: ok ? '' : error || 'Invalid token', permissionsVersion: permissions_version,
    user: user && { id: user.id, username: user.username, superuser: user.superuser },
    token: token && { id: token.id, writeEnabled: token.write_enabled, expires: token.expires, allowedIps: token.allowed_ips },
  };
};
