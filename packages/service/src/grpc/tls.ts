import { ServerCredentials } from '@grpc/grpc-js';
import { ciphers, minVersion, type TlsParts } from '../security/tls.ts';

/**
 * How a gRPC server takes connections by TLS: of those alone who have a certificate of the same authorities, and by the
 * versions and suites of all listeners of ours, which the library's own way leaves to Node.
 */
export class PeerCredentials extends ServerCredentials {
  constructor({ ca, cert, key }: Required<TlsParts>) {
    super({ requestCert: true, rejectUnauthorized: true }, { ca, cert, key, ciphers, minVersion });
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
