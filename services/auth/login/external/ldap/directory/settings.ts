import { readPem } from '@cadastre/service/pem';
import { ConfigError, type Environment, readSettings, type SettingsOf } from '@cadastre/service/read-settings';
import { flag, json, list, secret, text, whole } from '@cadastre/service/setting-kinds';
import { z } from 'zod';

const isServer = (value: string): boolean => {
  if (!/^ldaps?:\/\/[^/?#@[\s]+\/?$/i.test(value) || !URL.canParse(value)) return false;
  return !new URL(value).username;
};
/** A comma separates servers; Django's modules have a space there. */
const servers = text
  .transform((value) => value.split(/[\s,]+/).filter((one) => one !== ''))
  .refine(
    (urls) => urls.length > 0 && urls.every(isServer),
    'must be URLs like ldaps://ldap.example.com or ldap://192.0.2.7:389, with nothing behind the port',
  )
  .transform((urls) => urls.map((url) => url.toLowerCase().replace(/\/$/, '')))
  .refine(
    (urls) => new Set(urls.map((url) => url.startsWith('ldaps:'))).size === 1,
    'must be URLs that all begin with ldaps:, or all with ldap:',
  );

/** Names, or DNs, which have commas of their own. */
const groups = text.transform((value, context) => {
  const separator = !value.startsWith('[') && value.includes('=') ? ';' : null;
  if (separator) return split(value, separator);
  const parsed = list.safeParse(value);
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: parsed.error.issues[0]!.message });
  return z.NEVER;
});
const split = (value: string, separator: string): string[] =>
  value
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');

const attribute = text.regex(/^[a-z][a-z0-9-]*$/i, 'must be the name of an attribute');
const nesting = text.toLowerCase().pipe(z.enum(['none', 'search', 'chain'], 'must be none, search or chain'));
const groupMap = json
  .pipe(z.record(z.string(), z.string().min(1).max(150), 'must be a JSON object like {"name there": "name here"}'))
  .transform((names) => new Map(Object.entries(names)));

export const ldapSettings = {
  LDAP_URL: servers.optional(),
  LDAP_START_TLS: flag.default(false),
  LDAP_CA_FILE: text.min(1).optional(),
  LDAP_INSECURE_NO_VERIFICATION: flag.default(false),
  LDAP_INSECURE_NO_TLS: flag.default(false),
  LDAP_CONNECT_TIMEOUT_MS: whole(1, 60_000).default(3_000),
  LDAP_OPERATION_TIMEOUT_MS: whole(1, 60_000).default(5_000),
  LDAP_CHECK_TIMEOUT_MS: whole(1, 60_000).default(12_000),
  LDAP_CONCURRENCY: whole(1, 1000).default(8),

  LDAP_BIND_DN: text.min(1).optional(),
  LDAP_BIND_PASSWORD: secret().optional(),
  LDAP_USER_BASE: text.min(1).optional(),
  LDAP_USER_FILTER: text.min(1).optional(),
  LDAP_USER_DN_TEMPLATE: text.min(1).optional(),
  LDAP_ID_ATTRIBUTE: attribute.optional(),
  LDAP_USERNAME_ATTRIBUTE: attribute.default('uid'),
  LDAP_FIRST_NAME_ATTRIBUTE: attribute.default('givenName'),
  LDAP_LAST_NAME_ATTRIBUTE: attribute.default('sn'),
  LDAP_EMAIL_ATTRIBUTE: attribute.default('mail'),

  LDAP_GROUP_BASE: text.min(1).optional(),
  LDAP_GROUP_FILTER: text.min(1).default('(&(objectClass=groupOfNames)(member=%(dn)s))'),
  LDAP_GROUP_NAME_ATTRIBUTE: attribute.default('cn'),
  LDAP_NESTED_GROUPS: nesting.default('none'),
  LDAP_NESTED_DEPTH: whole(1, 100).default(10),
  LDAP_MAX_GROUPS: whole(1, 100_000).default(1_000),
  LDAP_REQUIRE_GROUP: groups.default([]),
  LDAP_DENY_GROUP: groups.default([]),
  LDAP_SUPERUSER_GROUPS: groups.default([]),
  LDAP_GROUP_SYNC: flag.default(false),
  LDAP_GROUP_MAP: groupMap.optional(),
  LDAP_CREATE_GROUPS: flag.default(true),
  LDAP_DEFAULT_GROUPS: list.default([]),
  LDAP_CREATE_USERS: flag.default(true),
  LDAP_LINK_USERS: flag.default(false),

  LDAP_RECHECK_SECONDS: whole(0, 604_800).default(3_600),
  LDAP_RECHECK_MAX_PERCENT: whole(1, 100).default(50),
};

type Read = SettingsOf<typeof ldapSettings>;

/** How logins ask a directory. The variable `LDAP_START_TLS` is the property `ldapStartTls`. */
export type LdapSettings = Read & {
  readonly ldapUrl: readonly string[];
  /** What LDAP_CA_FILE holds. */
  readonly ca: string | undefined;
};

/**
 * Reads the settings of the directory; null when none is set.
 * @throws ConfigError that names all wrong variables at once
 */
export function loadLdapSettings(env: Environment): LdapSettings | null {
  const settings = readSettings(ldapSettings, env);
  const given = Object.keys(ldapSettings).filter((name) => env[name]);
  const problems = settings.ldapUrl
    ? crossChecks(settings, new Set(given))
    : given.map((name) => `LDAP_URL is required with ${name}`);
  if (problems.length) throw new ConfigError(problems);
  const { LDAP_CA_FILE: ca } = readPem({ LDAP_CA_FILE: settings.ldapCaFile });
  return settings.ldapUrl ? { ...settings, ldapUrl: settings.ldapUrl, ca } : null;
}

const OF_GROUPS = [
  'LDAP_GROUP_FILTER',
  'LDAP_GROUP_NAME_ATTRIBUTE',
  'LDAP_NESTED_GROUPS',
  'LDAP_REQUIRE_GROUP',
  'LDAP_DENY_GROUP',
  'LDAP_SUPERUSER_GROUPS',
  'LDAP_GROUP_SYNC',
  'LDAP_GROUP_MAP',
] as const;

function crossChecks(settings: Read, given: ReadonlySet<string>): string[] {
  const problems = [...tlsProblems(settings), ...userProblems(settings)];
  if (given.has('LDAP_RECHECK_SECONDS') && settings.ldapRecheckSeconds && !settings.ldapBindDn)
    problems.push('LDAP_BIND_DN is required with LDAP_RECHECK_SECONDS: nobody asks without a password of theirs');
  if (!settings.ldapGroupBase)
    problems.push(
      ...OF_GROUPS.filter((name) => given.has(name)).map((name) => `LDAP_GROUP_BASE is required with ${name}`),
    );
  if (settings.ldapOperationTimeoutMs > settings.ldapCheckTimeoutMs)
    problems.push('LDAP_OPERATION_TIMEOUT_MS must not be larger than LDAP_CHECK_TIMEOUT_MS');
  return problems;
}

function tlsProblems(settings: Read): string[] {
  const problems: string[] = [];
  const byTls = settings.ldapUrl!.every((url) => url.startsWith('ldaps:'));
  if (byTls && settings.ldapStartTls)
    problems.push('LDAP_START_TLS is for ldap:, and LDAP_URL begins with ldaps:, which is TLS from the beginning');
  const encrypted = byTls || settings.ldapStartTls;
  if (!encrypted && !settings.ldapInsecureNoTls)
    problems.push(
      'LDAP_URL must begin with ldaps:, or LDAP_START_TLS be true: passwords would travel readable (LDAP_INSECURE_NO_TLS allows that)',
    );
  if (encrypted && settings.ldapInsecureNoTls)
    problems.push('LDAP_INSECURE_NO_TLS must not be true with ldaps: or LDAP_START_TLS');
  // These have no effect without TLS: an administrator would believe that certificates are checked, and none is.
  for (const [name, value] of [
    ['LDAP_CA_FILE', settings.ldapCaFile],
    ['LDAP_INSECURE_NO_VERIFICATION', settings.ldapInsecureNoVerification],
  ] as const)
    if (value && !encrypted) problems.push(`${name} needs ldaps: in LDAP_URL, or LDAP_START_TLS`);
  if (settings.ldapCaFile && settings.ldapInsecureNoVerification)
    problems.push('LDAP_CA_FILE and LDAP_INSECURE_NO_VERIFICATION exclude each other');
  return problems;
}

function userProblems(settings: Read): string[] {
  const problems: string[] = [];
  const { ldapBindDn, ldapBindPassword, ldapUserBase, ldapUserDnTemplate, ldapUserFilter } = settings;
  if (Boolean(ldapBindDn) !== Boolean(ldapBindPassword))
    problems.push('LDAP_BIND_DN and LDAP_BIND_PASSWORD are required with each other');
  if (!ldapUserBase && !ldapUserDnTemplate)
    problems.push('LDAP_USER_BASE, or LDAP_USER_DN_TEMPLATE, is required with LDAP_URL');
  if (ldapUserDnTemplate)
    for (const [name, value] of [
      ['LDAP_USER_BASE', ldapUserBase],
      ['LDAP_USER_FILTER', ldapUserFilter],
      ['LDAP_BIND_DN', ldapBindDn],
    ] as const)
      if (value) problems.push(`${name} is for a search, which LDAP_USER_DN_TEMPLATE does without`);
  return problems;
}
