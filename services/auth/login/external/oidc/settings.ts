import { isIP } from 'node:net';
import type { Config } from '@cadastre/service/config';
import { ConfigError, type Environment, readSettings, type SettingsOf } from '@cadastre/service/read-settings';
import { flag, json, list, secret, text, whole } from '@cadastre/service/setting-kinds';
import { z } from 'zod';
import type { ExternalPolicy } from '../account/person.ts';

/** As the provider writes it, to the letter: tokens name it so. */
const issuer = text.refine(
  (value) => /^https?:\/\/./.test(value) && URL.canParse(value) && !/[?#]/.test(value),
  'must be a URL like https://login.example.com/realms/main',
);

const groupMap = json.pipe(z.record(z.string(), z.string(), 'must be a JSON object like {"their group": "our group"}'));

export const oidcSettings = {
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: text.min(1).optional(),
  OIDC_CLIENT_SECRET: secret(16).optional(),
  OIDC_CLIENT_AUTH: text
    .toLowerCase()
    .pipe(z.enum(['auto', 'basic', 'post'], 'must be auto, basic or post'))
    .default('auto'),
  OIDC_NAME: text.min(1).max(50).default('single sign-on'),
  OIDC_SCOPES: text
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((scopes) => scopes.includes('openid'), 'must have openid among the scopes')
    .transform((scopes) => scopes.join(' '))
    .default('openid profile email'),
  OIDC_USERNAME_CLAIM: text.min(1).default('preferred_username'),
  OIDC_GROUPS_CLAIM: text.min(1).optional(),
  OIDC_GROUP_MAP: groupMap.transform((map) => new Map(Object.entries(map))).default(new Map()),
  OIDC_CREATE_USERS: flag.default(true),
  OIDC_CREATE_GROUPS: flag.default(false),
  OIDC_SYNC_GROUPS: flag.default(true),
  OIDC_LINK_USERS: flag.default(false),
  OIDC_DEFAULT_GROUPS: list.default([]),
  OIDC_SUPERUSER_GROUPS: list.default([]),
  OIDC_IMMEDIATE: flag.default(false),
  OIDC_LOGOUT: flag.default(true),
  OIDC_ALLOW_HTTP: flag.default(false),
  OIDC_CLOCK_TOLERANCE: whole(0, 600).default(30),
  OIDC_LOGIN_SECONDS: whole(30, 3600).default(600),
  OIDC_LOGOUT_TOKEN_SECONDS: whole(10, 3600).default(300),
  OIDC_REFRESH_SECONDS: whole(1, 86_400).default(3600),
  OIDC_TIMEOUT_MS: whole(100, 60_000).default(5_000),
  OIDC_MAX_RESPONSE_BYTES: whole(1024).default(1_048_576),
  OIDC_CONCURRENCY: whole(1, 1000).default(32),
};

type OidcSettings = SettingsOf<typeof oidcSettings>;

/** Those of a system that has a provider. */
export interface OidcConfig extends OidcSettings {
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: NonNullable<OidcSettings['oidcClientSecret']>;
}

/**
 * How people log in by OpenID Connect; null where there is no provider. @throws ConfigError that names all wrong
 * variables at once
 */
export function loadOidcSettings(
  env: Environment,
  { grpcTimeoutMs }: Pick<Config, 'grpcTimeoutMs'>,
): OidcConfig | null {
  const values = readSettings(oidcSettings, env);
  const problems = [...missing(values), ...contradictions(values, grpcTimeoutMs)];
  if (problems.length) throw new ConfigError(problems);
  return values.oidcIssuer === undefined ? null : (values as OidcConfig);
}

const NEEDED = {
  oidcIssuer: 'OIDC_ISSUER',
  oidcClientId: 'OIDC_CLIENT_ID',
  oidcClientSecret: 'OIDC_CLIENT_SECRET',
} as const;

function missing(values: OidcSettings): string[] {
  const names = Object.keys(NEEDED) as (keyof typeof NEEDED)[];
  const given = names.filter((name) => values[name] !== undefined);
  if (!given.length) return [];
  return names
    .filter((name) => values[name] === undefined)
    .map((name) => `${NEEDED[name]} is required with ${NEEDED[given[0]!]}`);
}

function contradictions(values: OidcSettings, grpcTimeoutMs: number): string[] {
  const { oidcIssuer, oidcAllowHttp, oidcGroupsClaim, oidcTimeoutMs } = values;
  if (oidcIssuer === undefined) return [];
  const problems: string[] = [];
  if (isPlain(oidcIssuer) && !oidcAllowHttp && !isLoopback(new URL(oidcIssuer).hostname))
    problems.push(
      'OIDC_ISSUER must begin with https: (OIDC_ALLOW_HTTP allows http:, which anybody on the way can read)',
    );
  if (oidcTimeoutMs > grpcTimeoutMs)
    problems.push('OIDC_TIMEOUT_MS must not be larger than GRPC_TIMEOUT_MS, as the gateway waits for the login');
  if (oidcGroupsClaim === undefined)
    for (const [name, given] of [
      ['OIDC_SUPERUSER_GROUPS', values.oidcSuperuserGroups.length],
      ['OIDC_GROUP_MAP', values.oidcGroupMap.size],
      ['OIDC_CREATE_GROUPS', values.oidcCreateGroups],
    ] as const)
      if (given) problems.push(`OIDC_GROUPS_CLAIM is required with ${name}`);
  return problems;
}

/** Whether the provider is asked without TLS. */
export const isPlain = (issuerUrl: string): boolean => issuerUrl.startsWith('http:');

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  hostname.endsWith('.localhost') ||
  (isIP(hostname) === 4 && hostname.startsWith('127.'));

/** What the administrator has decided about those who come from the provider. */
export const oidcPolicy = (config: OidcConfig): ExternalPolicy => ({
  createUsers: config.oidcCreateUsers,
  createGroups: config.oidcCreateGroups,
  syncGroups: config.oidcSyncGroups,
  defaultGroups: config.oidcDefaultGroups,
  superuserGroups: config.oidcSuperuserGroups,
  superusers: [],
  groupMap: config.oidcGroupMap,
  linkUsers: config.oidcLinkUsers,
});
