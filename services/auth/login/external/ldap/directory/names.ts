import { DN } from 'ldapts';

/** A group as a login finds it. */
export interface DirectoryGroup {
  dn: string;
  name: string;
}

/** Where a user's own entry is: `uid=%(user)s,ou=people,dc=example,dc=com`. */
export interface DnTemplate {
  attribute: string;
  parent: string;
}

const TEMPLATE = /^\s*([a-z][a-z0-9-]*)\s*=\s*%\(user\)s\s*,\s*([^%]+=[^%]+)$/i;

/**
 * Null if the text is not such a template. The name has to be the whole value of the first RDN, where it can be
 * escaped.
 */
export function parseDnTemplate(text: string): DnTemplate | null {
  const [, attribute, parent] = TEMPLATE.exec(text) ?? [];
  return attribute && parent ? { attribute, parent: parent.trim() } : null;
}

/** The DN of an entry below another. */
export const dnBelow = (attribute: string, value: string, parent: string): string =>
  `${new DN().addPairRDN(attribute, value).toString()},${parent}`;

/** A DN in the form in which two are compared: directories do not tell them apart by case, or by space around commas. */
export const comparable = (dn: string): string =>
  dn
    .trim()
    .toLowerCase()
    .replace(/(?<!\\)\s*([,+=])\s*/g, '$1');

/** Whether a setting names a group by its DN rather than by its name. */
export const isDn = (text: string): boolean => text.includes('=');

/**
 * Whether one of these groups is wanted, by its DN or by its name. A name is never compared with a DN: somebody who may
 * name a group freely could give it the DN of another one as its name.
 */
export const isIn = (groups: readonly DirectoryGroup[], wanted: readonly string[]): boolean => {
  const dns = new Set(wanted.filter(isDn).map(comparable));
  const names = new Set(wanted.filter((text) => !isDn(text)));
  return groups.some(({ dn, name }) => dns.has(comparable(dn)) || names.has(name));
};
