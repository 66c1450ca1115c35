import { join } from 'node:path';

/**
 * Files in PEM form, good for nothing but tests, as the keys are known to everybody. Of clients' destinations: an
 * authority (`ca.pem`) and a certificate from it for `hooks.test`, `localhost` and 127.0.0.1 (`server.pem`) with its
 * key (`server.key`). Of services: an authority (`peers.pem`), certificates from it for the service that each is called
 * by, `everyone` for all of them, and `stranger`, which is for `gateway` and `dcim` but from another authority.
 */
export const certificateFile = (
  name: 'ca.pem' | 'peers.pem' | `${'server' | 'gateway' | 'dcim' | 'auth' | 'everyone' | 'stranger'}.${'pem' | 'key'}`,
): string => join(import.meta.dirname, name);

/** The settings by which a service proves itself to others with one of these. */
export const peerCertificate = (
  name: 'gateway' | 'dcim' | 'auth' | 'everyone' | 'stranger',
): Record<string, string> => ({
  PEER_TLS_CA_FILE: certificateFile('peers.pem'),
  PEER_TLS_CERT_FILE: certificateFile(`${name}.pem`),
  PEER_TLS_KEY_FILE: certificateFile(`${name}.key`),
});
