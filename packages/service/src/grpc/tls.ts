import { ServerCredentials } from '@grpc/grpc-js';
import { ciphers, minVersion, type TlsParts } from '../security/tls.ts';

/**
 * How a gRPC server accepts TLS connections: only from clients with a certificate of the same authorities, and with the
 * TLS versions and cipher suites of all our listeners, which the library's own way leaves to Node.
 */
export class PeerCredentials extends ServerCredentials {
  constructor({ ca, cert, key }: Required<TlsParts>) {
    super({ requestCert: true, rejectUnauthorized: true }, { ca, cert, key, ciphers, minVersion });
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
