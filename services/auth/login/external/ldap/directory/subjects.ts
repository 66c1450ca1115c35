import { EqualityFilter, type Filter } from 'ldapts';
import type { Entry } from './connection.ts';
import { named } from './entry.ts';
import { comparable } from './names.ts';

/** The parsed subject of an account's link: a lasting id with its attribute, otherwise the DN of the entry. */
export type Subject = { attribute: string; value: string } | { dn: string };

/** Null if the subject's attribute is unknown, as LDAP_ID_ATTRIBUTE was another one when the link was written. */
export function subjectOf(subject: string, chosen: string | undefined): Subject | null {
  const at = subject.indexOf('=');
  const attribute = [...named(chosen), ...named(undefined)].find(
    (name) => name.toLowerCase() === subject.slice(0, at).toLowerCase(),
  );
  if (attribute !== undefined) return { attribute, value: subject.slice(at + 1) };
  return subject.includes(',') ? { dn: subject } : null;
}

/** The only id whose value is no text. */
const isBinary = (attribute: string): boolean => attribute.toLowerCase() === 'objectguid';

export const byId = ({ attribute, value }: { attribute: string; value: string }): Filter =>
  new EqualityFilter({ attribute, value: isBinary(attribute) ? Buffer.from(value, 'hex') : value });

/** All that an account may be kept under whose entry this is. */
export function subjectsOf(entry: Entry, chosen: string | undefined): string[] {
  const ids = [...named(chosen), ...named(undefined)].flatMap((name) => {
    const value = entry.attributes.get(name.toLowerCase())?.[0];
    return value?.length ? [`${name.toLowerCase()}=${typeof value === 'string' ? value : value.toString('hex')}`] : [];
  });
  return [...new Set([...ids, comparable(entry.dn)])];
}
