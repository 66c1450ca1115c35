import { statSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { checkServerIdentity, createSecureContext, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { Config } from '../settings/config.ts';
import { readPem } from '../settings/pem.ts';
import { ConfigError } from '../settings/read-settings.ts';

/** What a TLS connection is made of, in PEM form. */
export interface TlsParts {
  readonly cert: string;
  readonly key: string;
  /** The authorities that the other side's certificate must come from. */
  readonly ca?: string;
}

/** How a server accepts connections by TLS. */
export interface ListenerTls {
  readonly files: readonly string[];
  /** Reads the files. @throws ConfigError */
  read(): TlsParts;
  /** Only those may connect whose certificate is for one of these names. */
  readonly callers?: readonly string[];
  /** How often the files are checked for changes, in milliseconds. */
  readonly lookMs?: number;
}

/** The minimum TLS version of all our listeners and clients. */
export const minVersion = 'TLSv1.2';
/**
 * The suites of TLS 1.3, and those of 1.2 with forward secrecy and authenticated encryption; the strongest first. Node's
 * own list has others for 1.2 besides.
 */
export const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');
const LOOK_MS = 5_000;
/** How long a TLS handshake may take. */
const HANDSHAKE_MS = 10_000;

/** How the gateway accepts connections of clients, if it uses TLS for them. */
export function publicTls({
  tlsCertFile,
  tlsKeyFile,
}: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>): ListenerTls | undefined {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined;
  return {
    files: [tlsCertFile, tlsKeyFile],
    read() {
      const { TLS_CERT_FILE: cert = '', TLS_KEY_FILE: key = '' } = readPem({
        TLS_CERT_FILE: tlsCertFile,
        TLS_KEY_FILE: tlsKeyFile,
      });
      return fitting('TLS_CERT_FILE and TLS_KEY_FILE', { cert, key });
    },
  };
}

type PeerConfig = Pick<Config, 'peerTlsCaFile' | 'peerTlsCertFile' | 'peerTlsKeyFile'>;

/** The certificates by which services authenticate each other, if they use TLS. @throws ConfigError */
export function peerTls({
  peerTlsCaFile,
  peerTlsCertFile,
  peerTlsKeyFile,
}: PeerConfig): Required<TlsParts> | undefined {
  if (peerTlsCertFile === undefined) return undefined;
  const {
    PEER_TLS_CA_FILE: ca = '',
    PEER_TLS_CERT_FILE: cert = '',
    PEER_TLS_KEY_FILE: key = '',
  } = readPem({
    PEER_TLS_CA_FILE: peerTlsCaFile,
    PEER_TLS_CERT_FILE: peerTlsCertFile,
    PEER_TLS_KEY_FILE: peerTlsKeyFile,
  });
  return fitting('PEER_TLS_CA_FILE, PEER_TLS_CERT_FILE and PEER_TLS_KEY_FILE', { ca, cert, key });
}

/** How a service accepts connections of other services, if they use TLS: only from those that `callers` names. */
export function peerListenerTls(config: PeerConfig, callers: readonly string[]): ListenerTls | undefined {
  const { peerTlsCaFile: ca, peerTlsCertFile: cert, peerTlsKeyFile: key } = config;
  return ca === undefined || cert === undefined || key === undefined
    ? undefined
    : { files: [ca, cert, key], callers, read: () => peerTls(config)! };
}

/**
 * A key that does not belong to the certificate, for example, is reported at the start and not with every connection.
 */
function fitting<Parts extends TlsParts>(variables: string, parts: Parts): Parts {
  try {
    createSecureContext({ ...parts, minVersion });
  } catch (error) {
    throw new ConfigError([`${variables} cannot be used together: ${(error as Error).message}`]);
  }
  return parts;
}

/**
 * Whether a certificate is for the service of that name. That the right authority issued it was verified during the
 * handshake.
 */
export const isFor = (name: string, certificate: PeerCertificate | undefined): boolean =>
  certificate?.subject !== undefined && checkServerIdentity(name, certificate) === undefined;

/**
 * A server, with TLS if requested. Changed certificates are used for new connections within seconds; if they are
 * unusable, this is reported and the previous ones stay in use.
 */
export function serverFor(
  tls: ListenerTls | undefined,
  options: ServerOptions,
  listener: RequestListener,
  failed: (error: unknown) => void,
): Server {
  if (!tls) return createHttpServer(options, listener);
  const { files, callers } = tls;
  const server = createHttpsServer(
    {
      ...options,
      ...tls.read(),
      minVersion,
      ciphers,
      handshakeTimeout: HANDSHAKE_MS,
      requestCert: callers !== undefined,
      rejectUnauthorized: callers !== undefined,
    },
    listener,
  );
  // Before all other listeners: nothing is read from a connection that is refused.
  if (callers)
    server.prependListener('secureConnection', (socket: TLSSocket) => {
      if (!callers.some((name) => isFor(name, socket.getPeerCertificate()))) socket.destroy();
    });
  const changed = () => {
    try {
      server.setSecureContext({ ...tls.read(), minVersion, ciphers });
    } catch (error) {
      failed(error);
    }
  };
  const looking = setInterval(changes(files, changed), tls.lookMs ?? LOOK_MS);
  looking.unref();
  server.once('close', () => clearInterval(looking));
  return server;
}

/**
 * Reports that files have changed once they are the same in two consecutive checks: a certificate and its key are
 * seldom written at the same moment.
 */
function changes(files: readonly string[], changed: () => void): () => void {
  const look = () =>
    files
      .map((file) => {
        const { mtimeMs, ino, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
        return `${mtimeMs} ${ino} ${size}`;
      })
      .join();
  let used = look();
  let last = used;
  return () => {
    const now = look();
    if (now !== used && now === last) {
      used = now;
      changed();
    }
    last = now;
  };
}
