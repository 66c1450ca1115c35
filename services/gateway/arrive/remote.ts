import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Config } from '@cadastre/service/config';
import { within } from './addresses.ts';

export type RemoteOptions = Pick<
  Config,
  | 'remoteAuthEnabled'
  | 'remoteAuthProxies'
  | 'remoteAuthHeader'
  | 'remoteAuthGroupHeader'
  | 'remoteAuthGroupSeparator'
  | 'remoteAuthUserEmail'
  | 'remoteAuthUserFirstName'
  | 'remoteAuthUserLastName'
>;

/** The user whom a proxy names. Empty values are those that the proxy does not send. */
export interface Remote {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  groups: string[];
}

/** The user whom a proxy names; `'twice'` if a header is repeated, null if there is no such header. */
export type RemoteUser = (req: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>) => Remote | 'twice' | null;

/**
 * Reads the headers in which a proxy names the user, and removes them from every request. Any client can write such
 * headers, so they count only when the connection itself comes from one of the proxies that the settings name.
 */
export function remoteUser(options: RemoteOptions): RemoteUser {
  const trusted = within(options.remoteAuthProxies);
  const names = [
    options.remoteAuthHeader,
    options.remoteAuthGroupHeader,
    options.remoteAuthUserEmail,
    options.remoteAuthUserFirstName,
    options.remoteAuthUserLastName,
  ];
  // Some servers treat both spellings as the same header.
  const spellings = [...new Set(names.flatMap((name) => [name, name.replaceAll('-', '_')]))];
  return ({ headers, rawHeaders, socket }) => {
    if (!spellings.some((name) => headers[name] !== undefined)) return null;
    const said = Object.fromEntries(names.map((name) => [name, plain(headers[name])]));
    for (const name of spellings) delete headers[name];
    if (!options.remoteAuthEnabled || !trusted(socket.remoteAddress ?? '')) return null;
    if (isRepeated(rawHeaders, names)) return 'twice';
    const username = said[options.remoteAuthHeader]!;
    if (username === '') return null;
    return {
      username,
      email: said[options.remoteAuthUserEmail]!,
      firstName: said[options.remoteAuthUserFirstName]!,
      lastName: said[options.remoteAuthUserLastName]!,
      groups: said[options.remoteAuthGroupHeader]!.split(options.remoteAuthGroupSeparator)
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    };
  };
}

/** Node reads headers as Latin-1, but proxies write names in UTF-8. */
function plain(value: IncomingHttpHeaders[string]): string {
  const text = String(value ?? '').trim();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

/** Node joins repeated headers, so one could carry two names. */
function isRepeated(raw: readonly string[], names: readonly string[]): boolean {
  const wanted = new Set(names);
  const seen = raw.filter((name, i) => i % 2 === 0 && wanted.has(name.toLowerCase())).map((name) => name.toLowerCase());
  return new Set(seen).size < seen.length;
}
