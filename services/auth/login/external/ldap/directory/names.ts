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

/** Null for what is no such template. A name stands for the whole value of the first part, where it can be escaped. */
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

/** Whether a group is meant by its DN, and not by its name. */
export const isDn = (text: string): boolean => text.includes('=');

/**
 * Whether one of the groups is meant: by its DN, or by its name. A DN is no name: whoever may give a group of theirs any
 * name could give it that of another's DN.
 */
export const isIn = (groups: readonly DirectoryGroup[], wanted: readonly string[]): boolean => {
  const dns = new Set(wanted.filter(isDn).map(comparable));
  const names = new Set(wanted.filter((text) => !isDn(text)));
  return groups.some(({ dn, name }) => dns.has(comparable(dn)) || names.has(name));
};
