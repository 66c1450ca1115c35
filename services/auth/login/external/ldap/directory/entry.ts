import type { Entry } from './connection.ts';
import { comparable } from './names.ts';

/** Ids that stay with an entry when it is renamed or moved: RFC 4530, Active Directory, FreeIPA, 389 Directory Server. */
const LASTING = ['entryUUID', 'objectGUID', 'ipaUniqueID', 'nsUniqueId'];

/** The attributes that may hold an entry's id. */
export const named = (chosen: string | undefined): string[] => (chosen === undefined ? LASTING : [chosen]);

const firstOf = ({ attributes }: Entry, name: string): string | Buffer | undefined =>
  attributes.get(name.toLowerCase())?.[0];

/** The first value of an attribute; '' when there is none that is text. */
export function nameOf(entry: Entry, attribute: string): string {
  const value = firstOf(entry, attribute);
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * What an account here is kept under: the lasting id of its entry, else the entry's DN. A name would not do, as it may be
 * given to somebody else one day, who is not to get the account.
 */
export function idOf(entry: Entry, chosen: string | undefined): string {
  for (const name of named(chosen)) {
    const value = firstOf(entry, name);
    if (value?.length) return `${name.toLowerCase()}=${typeof value === 'string' ? value : value.toString('hex')}`;
  }
  return chosen === undefined ? comparable(entry.dn) : '';
}
