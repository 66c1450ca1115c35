import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import {
  Client,
  ConstraintViolationError,
  type Filter,
  InappropriateAuthError,
  InsufficientAccessError,
  InvalidCredentialsError,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  UnwillingToPerformError,
} from 'ldapts';
import type { LdapSettings } from './settings.ts';
import { Unavailable } from './unavailable.ts';

export type ConnectionSettings = Pick<
  LdapSettings,
  | 'ldapUrl'
  | 'ldapStartTls'
  | 'ldapInsecureNoVerification'
  | 'ca'
  | 'ldapConnectTimeoutMs'
  | 'ldapOperationTimeoutMs'
  | 'ldapCheckTimeoutMs'
>;

/** An entry of the directory; the names of its attributes are in small letters. */
export interface Entry {
  dn: string;
  attributes: ReadonlyMap<string, readonly (string | Buffer)[]>;
}

interface Search {
  filter?: Filter;
  scope: 'base' | 'sub';
  attributes: readonly string[];
  /** How many entries are wanted; without this, all there are. */
  most?: number;
}

/** A connection to the directory, for one login. */
export interface Connection {
  /** Whether the password is that of the entry. @throws Unavailable when the directory does not say */
  bind(dn: string, password: string): Promise<boolean>;
  /** Referrals are not followed. @throws Unavailable, also when the directory has more than it tells */
  search(base: string, what: Search): Promise<Entry[]>;
}

/**
 * Runs the work with a connection to the first server that is available, within the time limit for one login. A refusal
 * by a server is an answer; the next server is only tried if one is unavailable.
 * @throws Unavailable
 */
export async function connected<T>(
  settings: ConnectionSettings,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const until = Date.now() + settings.ldapCheckTimeoutMs;
  let failure: Unavailable | undefined;
  for (const url of settings.ldapUrl) {
    if (failure && Date.now() >= until) break;
    try {
      return await withServer(url, settings, until - Date.now(), work);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failure = error;
    }
  }
  throw failure!;
}

async function withServer<T>(
  url: string,
  settings: ConnectionSettings,
  withinMs: number,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { ldapStartTls, ldapConnectTimeoutMs: connectTimeout, ldapOperationTimeoutMs: timeout } = settings;
  const tls = tlsOptions(url, settings);
  const client = new Client({ url, connectTimeout, timeout, ...(isTls(url) ? { tlsOptions: tls } : {}) });
  try {
    return await within(withinMs, url, async () => {
      if (ldapStartTls) await within(connectTimeout, url, () => startTls(client, tls));
      return work(connectionOf(client, url, ldapStartTls));
    });
  } catch (error) {
    throw error instanceof Unavailable ? error : new Unavailable(url, reasonOf(error));
  } finally {
    // Nothing waits for the unbind.
    client.unbind().catch(() => undefined);
  }
}

/** What directories say to a wrong password, and to one of an entry that is locked, has none or is not there. */
const REFUSALS = [
  InvalidCredentialsError,
  InappropriateAuthError,
  InsufficientAccessError,
  ConstraintViolationError,
  UnwillingToPerformError,
  NoSuchObjectError,
  InvalidDNSyntaxError,
];

const isTls = (url: string): boolean => url.startsWith('ldaps:');

function tlsOptions(url: string, { ca, ldapInsecureNoVerification }: ConnectionSettings): ConnectionOptions {
  const host = new URL(url).hostname;
  return {
    // For StartTLS the library does not pass on which host the certificate has to be for.
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(ca === undefined ? {} : { ca }),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: !ldapInsecureNoVerification,
  };
}

async function startTls(client: Client, tls: ConnectionOptions): Promise<void> {
  await client.startTLS({ ...tls });
  // Plain text that is still in the buffer would be read as the beginning of the first encrypted answer, so a man in
  // the middle could answer instead of the directory.
  const { messageParser } = client as unknown as { messageParser: { buffer?: Buffer } };
  if (messageParser.buffer?.length) throw new Error('data in plain text came along with the answer to StartTLS');
}

function connectionOf(client: Client, url: string, needsTls: boolean): Connection {
  /** The library reconnects when a connection has ended, and does so without StartTLS. */
  const stillThere = () => {
    if (needsTls && !client.isConnected) throw new Unavailable(url, 'the connection has ended');
  };
  return {
    async bind(dn, password) {
      // A bind with an empty name or password proves nothing, but directories accept it (RFC 4513, 5.1.1 and 5.1.2).
      if (password === '' || !dn.includes('=')) return false;
      stillThere();
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (REFUSALS.some((kind) => error instanceof kind)) return false;
        throw error;
      }
    },
    async search(base, { filter, scope, attributes, most = 0 }) {
      stillThere();
      const result = await client
        .search(base, {
          scope,
          ...(filter ? { filter } : {}),
          attributes: [...attributes],
          sizeLimit: most,
          // Kept as bytes, as text would lose some of them.
          explicitBufferAttributes: ['objectGUID'],
        })
        .catch((error: unknown) => {
          if (scope === 'base' && error instanceof NoSuchObjectError) return { searchEntries: [] };
          throw error;
        });
      return result.searchEntries.map(({ dn, ...values }) => ({
        dn,
        attributes: new Map(
          Object.entries(values).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value : [value]]),
        ),
      }));
    },
  };
}

async function within<T>(ms: number, url: string, work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Unavailable(url, `no answer within ${ms} ms`)), Math.max(ms, 1));
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** For the log. Errors here never contain what was sent. */
function reasonOf(error: unknown): string {
  const { code, name, message } = error as Error & { code?: string | number };
  return [code ?? name, message]
    .filter((part) => part !== undefined && part !== '')
    .join(': ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);
}
