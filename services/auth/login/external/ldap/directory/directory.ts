import { randomUUID } from 'node:crypto';
import type { Filter } from 'ldapts';
import { ConfigError } from '@cadastre/service/config-error';
import type { Log } from '@cadastre/service/log';
import { type Connection, connected, type Entry } from './connection.ts';
import { DISABLED_BY, isDisabled } from './disabled.ts';
import { idOf, named, nameOf } from './entry.ts';
import { anyOf, filled, inChain, mentions, parseFilter, type Placeholder } from './filters.ts';
import { comparable, type DirectoryGroup, dnBelow, isIn, parseDnTemplate } from './names.ts';
import type { LdapSettings } from './settings.ts';
import { byId, subjectOf, subjectsOf } from './subjects.ts';
import { Unavailable } from './unavailable.ts';

/** Somebody whose password the directory has confirmed. */
export interface DirectoryPerson {
  subject: string;
  username: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Null where no groups are looked for. */
  groups: readonly DirectoryGroup[] | null;
}

/** The present standing of a user who was let in before: as a login would find them, or why it would be refused. */
export type Standing = { person: DirectoryPerson } | { why: string };

export interface Directory {
  /**
   * Null for every refused login, whatever the reason: no such entry, a wrong password, not in the required groups. All
   * of these send the same number of requests. @throws Unavailable
   */
  check(name: string, password: string): Promise<DirectoryPerson | null>;
  /**
   * The standings of the users whose accounts are linked to these subjects; this needs LDAP_BIND_DN, as there are no
   * passwords. Subjects that the directory cannot be asked about are left out. @throws Unavailable
   */
  standings(subjects: readonly string[]): Promise<ReadonlyMap<string, Standing>>;
  /** Whether it can be asked at present. @throws Unavailable */
  probe(): Promise<void>;
}

/** Where entries of users are: found by a search, or said by their names. */
type Finding = { base: string; filter: Filter } | { template: NonNullable<ReturnType<typeof parseDnTemplate>> };

/** No name is longer, so the directory need not be asked for a longer one. */
const LONGEST_NAME = 255;
const GONE = 'gone from the directory';
const DEFAULT_USER_FILTER = '(uid=%(user)s)';

/** @throws ConfigError for filters and templates that are none */
export function directoryOf(settings: LdapSettings, log: Pick<Log, 'info' | 'warn'>): Directory {
  const problems: string[] = [];
  const finding = findingOf(settings, problems);
  const membership = membershipOf(settings, problems);
  if (problems.length) throw new ConfigError(problems);

  async function enterService(connection: Connection): Promise<void> {
    const { ldapBindDn: dn, ldapBindPassword: password } = settings;
    if (dn && password && !(await connection.bind(dn, password.reveal())))
      throw new Unavailable(settings.ldapUrl.join(', '), 'it refuses LDAP_BIND_DN with LDAP_BIND_PASSWORD');
  }

  /** The entry of that name, if there is exactly one. */
  async function entryBySearch(connection: Connection, name: string): Promise<Entry | null> {
    if (!('filter' in finding!)) return null;
    const filter = filled(finding.filter, { user: name, dn: '' });
    const found = await connection.search(finding.base, {
      filter,
      scope: 'sub',
      attributes: wanted(settings),
      most: 2,
    });
    if (found.length > 1) log.warn({ dns: found.map(({ dn }) => dn) }, 'LDAP_USER_FILTER finds more than one entry');
    return found.length === 1 ? found[0]! : null;
  }

  async function searched(connection: Connection, name: string, password: string): Promise<Found | null> {
    await enterService(connection);
    const entry = await entryBySearch(connection, name);
    // For an unknown name the directory gets the same requests, so that timing does not reveal which names exist.
    const dn = entry?.dn ?? dnBelow('cn', randomUUID(), settings.ldapUserBase!);
    const user = entry ? nameOf(entry, settings.ldapUsernameAttribute) : name;
    const groups = membership && (await groupsOf(connection, dn, user));
    return (await connection.bind(dn, password)) && entry ? { entry, groups } : null;
  }

  async function direct(connection: Connection, name: string, password: string): Promise<Found | null> {
    if (!('template' in finding!)) return null;
    const dn = dnBelow(finding.template.attribute, name, finding.template.parent);
    if (!(await connection.bind(dn, password))) return null;
    const [entry] = await connection.search(dn, { scope: 'base', attributes: wanted(settings) });
    if (!entry) log.warn({ dn }, 'an entry of the directory may log in, but may not read itself');
    if (!entry) return null;
    const user = nameOf(entry, settings.ldapUsernameAttribute);
    return { entry, groups: membership && (await groupsOf(connection, dn, user)) };
  }

  /** Groups of an entry; with `search`, also the groups that these are in. */
  async function groupsOf(connection: Connection, dn: string, user: string): Promise<DirectoryGroup[]> {
    const { ldapGroupBase: base, ldapGroupNameAttribute: attribute, ldapMaxGroups: most } = settings;
    const found = new Map<string, DirectoryGroup>();
    let next = [{ dn, user }];
    for (let depth = 0; next.length; depth += 1) {
      const filter = anyOf(next.map((values) => filled(membership!, values)));
      const entries = await connection.search(base!, { filter, scope: 'sub', attributes: [attribute] });
      const groups = entries.flatMap((entry) => {
        const name = nameOf(entry, attribute);
        return name === '' || found.has(comparable(entry.dn)) ? [] : [{ dn: entry.dn, name }];
      });
      for (const group of groups) found.set(comparable(group.dn), group);
      if (found.size > most)
        throw new Unavailable(settings.ldapUrl.join(', '), `${dn} is in more than LDAP_MAX_GROUPS (${most}) groups`);
      const goesOn = settings.ldapNestedGroups === 'search' && depth < settings.ldapNestedDepth;
      // A group has no user's name to be found by.
      next = goesOn ? groups.map((group) => ({ dn: group.dn, user: '' })) : [];
    }
    return [...found.values()];
  }

  /** Why a user with the right password is refused; undefined if the user is let in. */
  function against(person: DirectoryPerson): string | undefined {
    const groups = person.groups ?? [];
    if (person.username === '') return `the entry has no ${settings.ldapUsernameAttribute}`;
    if (settings.ldapRequireGroup.length && !isIn(groups, settings.ldapRequireGroup))
      return 'not in LDAP_REQUIRE_GROUP';
    if (isIn(groups, settings.ldapDenyGroup)) return 'in LDAP_DENY_GROUP';
    return undefined;
  }

  /** The entries that accounts are kept under; one question for all ids. */
  async function entriesOf(connection: Connection, subjects: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    const base = settings.ldapUserBase!;
    const attributes = [...wanted(settings), ...named(undefined), ...DISABLED_BY];
    const read = subjects.flatMap((subject) => subjectOf(subject, settings.ldapIdAttribute) ?? []);
    const ids = read.flatMap((one) => ('dn' in one ? [] : [byId(one)]));
    const found = ids.length ? await connection.search(base, { filter: anyOf(ids), scope: 'sub', attributes }) : [];
    for (const one of read)
      if ('dn' in one && comparable(one.dn).endsWith(`,${comparable(base)}`))
        found.push(...(await connection.search(one.dn, { scope: 'base', attributes })));
    return new Map(
      found.flatMap((entry) => subjectsOf(entry, settings.ldapIdAttribute).map((subject) => [subject, entry])),
    );
  }

  async function standingOf(connection: Connection, subject: string, entry: Entry | undefined): Promise<Standing> {
    if (!entry) return { why: GONE };
    if (isDisabled(entry)) return { why: 'disabled in the directory' };
    const name = nameOf(entry, settings.ldapUsernameAttribute);
    // Whether a login with the entry's own name would find it.
    if (!('filter' in finding!) || !(await isThere(connection, entry, filled(finding.filter, { user: name, dn: '' }))))
      return { why: (await isThere(connection, entry)) ? 'LDAP_USER_FILTER does not find the entry' : GONE };
    const groups = membership && (await groupsOf(connection, entry.dn, name));
    const person = { ...personOf({ entry, groups }, settings), subject };
    const why = against(person);
    return why === undefined ? { person } : { why };
  }

  return {
    async standings(subjects) {
      const known = subjects.filter((subject) => subjectOf(subject, settings.ldapIdAttribute));
      if (!known.length) return new Map();
      // The time of one login for each subject.
      const patient = { ...settings, ldapCheckTimeoutMs: settings.ldapCheckTimeoutMs * known.length };
      return connected(patient, async (connection) => {
        await enterService(connection);
        const entries = await entriesOf(connection, known);
        const standings = new Map<string, Standing>();
        for (const subject of known)
          standings.set(subject, await standingOf(connection, subject, entries.get(subject)));
        return standings;
      });
    },
    async check(name, password) {
      // Directories accept a bind with an empty password as anonymous, so it must not count as one.
      if (
        name === '' ||
        password === '' ||
        name.length > LONGEST_NAME ||
        /\p{Cc}/u.test(name) ||
        password.includes('\0')
      )
        return null;
      const found = await connected(settings, (connection) =>
        'template' in finding! ? direct(connection, name, password) : searched(connection, name, password),
      );
      if (!found) return null;
      const person = personOf(found, settings);
      const problem = against(person);
      if (problem === undefined) return person;
      log.info({ dn: found.entry.dn, problem }, 'somebody of the directory with the right password may not log in');
      return null;
    },
    probe: () =>
      connected(settings, async (connection) => {
        await enterService(connection);
        // Whatever it says: it has answered.
        await connection.search('', { scope: 'base', attributes: ['supportedLDAPVersion'] });
      }),
  };
}

/** Whether an entry is there, and fits the filter, if one is given. */
const isThere = async (connection: Connection, { dn }: Entry, filter?: Filter): Promise<boolean> =>
  (await connection.search(dn, { ...(filter && { filter }), scope: 'base', attributes: ['1.1'] })).length > 0;

interface Found {
  entry: Entry;
  groups: DirectoryGroup[] | null;
}

const wanted = (settings: LdapSettings): string[] => [
  ...named(settings.ldapIdAttribute),
  settings.ldapUsernameAttribute,
  settings.ldapFirstNameAttribute,
  settings.ldapLastNameAttribute,
  settings.ldapEmailAttribute,
];

const personOf = ({ entry, groups }: Found, settings: LdapSettings): DirectoryPerson => ({
  subject: idOf(entry, settings.ldapIdAttribute),
  username: nameOf(entry, settings.ldapUsernameAttribute),
  firstName: nameOf(entry, settings.ldapFirstNameAttribute),
  lastName: nameOf(entry, settings.ldapLastNameAttribute),
  email: nameOf(entry, settings.ldapEmailAttribute),
  groups,
});

function findingOf(settings: LdapSettings, problems: string[]): Finding | null {
  const { ldapUserDnTemplate, ldapUserBase, ldapUserFilter = DEFAULT_USER_FILTER } = settings;
  if (ldapUserDnTemplate === undefined) {
    const filter = filterOf('LDAP_USER_FILTER', ldapUserFilter, ['user'], problems);
    return filter && { base: ldapUserBase!, filter };
  }
  const template = parseDnTemplate(ldapUserDnTemplate);
  if (template) return { template };
  problems.push('LDAP_USER_DN_TEMPLATE must be a DN like uid=%(user)s,ou=people,dc=example,dc=com');
  return null;
}

function membershipOf(settings: LdapSettings, problems: string[]): Filter | null {
  const { ldapGroupBase, ldapGroupFilter, ldapNestedGroups } = settings;
  if (!ldapGroupBase) return null;
  const filter = filterOf('LDAP_GROUP_FILTER', ldapGroupFilter, ['dn', 'user'], problems);
  if (!filter || ldapNestedGroups === 'none') return filter;
  if (!mentions(filter, 'dn'))
    problems.push('LDAP_GROUP_FILTER must have %(dn)s with LDAP_NESTED_GROUPS, as groups are members by their DNs');
  return ldapNestedGroups === 'chain' ? inChain(filter) : filter;
}

function filterOf(variable: string, text: string, anyOfThese: Placeholder[], problems: string[]): Filter | null {
  const names = anyOfThese.map((name) => `%(${name})s`).join(' or ');
  try {
    const filter = parseFilter(text);
    if (anyOfThese.some((name) => mentions(filter, name))) return filter;
    problems.push(`${variable} must have ${names} in it`);
  } catch {
    problems.push(`${variable} must be a filter with ${names}, as RFC 4515 writes them`);
  }
  return null;
}
