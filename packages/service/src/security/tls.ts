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

/** How a server takes connections by TLS. */
export interface ListenerTls {
  readonly files: readonly string[];
  /** Reads the files. @throws ConfigError */
  read(): TlsParts;
  /** Only those may connect whose certificate is for one of these names. */
  readonly callers?: readonly string[];
  /** How often the files are looked at, in milliseconds. */
  readonly lookMs?: number;
}

/** Nothing older is spoken, by any listener or client of ours. */
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
/** How long somebody who connects may take until both sides can speak. */
const HANDSHAKE_MS = 10_000;

/** How the gateway takes connections from clients, where it does so by TLS. */
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

/** By which the services prove themselves to each other, when they do so by TLS. @throws ConfigError */
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

/** How a service takes connections of others, when they speak by TLS: of those that `callers` names. */
export function peerListenerTls(config: PeerConfig, callers: readonly string[]): ListenerTls | undefined {
  const { peerTlsCaFile: ca, peerTlsCertFile: cert, peerTlsKeyFile: key } = config;
  return ca === undefined || cert === undefined || key === undefined
    ? undefined
    : { files: [ca, cert, key], callers, read: () => peerTls(config)! };
}

/** A key that is not the certificate's, say, is told at the start and not by every connection. */
function fitting<Parts extends TlsParts>(variables: string, parts: Parts): Parts {
  try {
    createSecureContext({ ...parts, minVersion });
  } catch (error) {
    throw new ConfigError([`${variables} cannot be used together: ${(error as Error).message}`]);
  }
  return parts;
}

/**
 * Whether a certificate is for the service of that name. That it comes from the right authority was seen when the
 * connection was made.
 */
export const isFor = (name: string, certificate: PeerCertificate | undefined): boolean =>
  certificate?.subject !== undefined && checkServerIdentity(name, certificate) === undefined;

/**
 * A server, by TLS where it is asked for. Certificates that change are taken up for new connections within seconds;
 * ones that are of no use are told of, and those before stay.
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
  // First of all who hear of a connection: nothing is read from one that is turned away.
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
 * Tells of files that have changed once they are the same in two looks: a certificate and its key are seldom written at
 * once.
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
