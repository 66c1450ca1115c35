// The environment variables that every process reads, one line each. docs/configuration.md describes them; a test
// compares the two.
import { isIP } from 'node:net';
import { bodyLimits, MAX_PARAMETERS, roomLimits, UNKNOWN_BYTES } from '@cadastre/body';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { Secret } from './secret.ts';
import {
  flag,
  httpUrl,
  json,
  list,
  port,
  postgresUrl,
  privateKey,
  publicKey,
  secret,
  text,
  whole,
} from './setting-kinds.ts';
import { MAX_SECONDS } from './signed-seconds.ts';

/** NetBox writes header names as Django sees them (HTTP_X_REAL_IP); both that and the plain name are understood. */
function headerName(value: string): string {
  return value
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');
}

/** These headers have a meaning of their own, whoever sends them. */
const taken = new Set(['authorization', 'cookie', 'host', 'content-type', 'content-length', 'origin']);
const remoteHeader = text
  .transform(headerName)
  .refine(
    (name) => /^[a-z0-9-]+$/.test(name) && !taken.has(name),
    'must be the name of a header that has no other use, like HTTP_REMOTE_USER',
  );

const proxyNames = new Set(['loopback', 'linklocal', 'uniquelocal']);
const isProxy = (value: string) => proxyNames.has(value) || isIP(value) !== 0 || ipaddr.isValidCIDR(value);
/** An empty variable counts as absent, so «none» says that no proxy is trusted. */
const proxies = list
  .transform((names) => (names.length === 1 && names[0] === 'none' ? [] : names))
  .refine(
    (names) => names.every(isProxy),
    'must be a list of addresses, networks, or loopback, linklocal, uniquelocal; or none',
  );

/** As in Django: `*`, a name, or `.example.com` for a domain with all its subdomains; IPv6 addresses in brackets. */
const hosts = list
  .transform((names) => names.map((name) => name.toLowerCase()))
  .refine(
    (names) => names.every((name) => name === '*' || /^\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/.test(name)),
    'must be a list of host names without ports, .example.com for a domain with all below it, or *',
  );

const constraint = z.record(z.string(), z.unknown());
const permissions = json.pipe(
  z.record(
    z.string().regex(/^[a-z_]+\.[a-z]+_[a-z_]+$/, 'a permission is written <app>.<action>_<model>'),
    z.union([
      z.array(constraint),
      constraint.transform((value) => [value]),
      z.null().transform(() => [] as Record<string, unknown>[]),
    ]),
    'must be a JSON object like {"users.view_token": [{"user": "$user"}]}',
  ),
);

/** By default everybody may manage the objects that are theirs alone. */
const personal = ['users.token', 'extras.bookmark', 'extras.notification', 'extras.subscription'];
const ownThings = Object.fromEntries(
  personal.flatMap((type) => {
    const [app, model] = type.split('.');
    return ['view', 'add', 'change', 'delete'].map((action) => [
      `${app}.${action}_${model}`,
      [{ user: '$user' } as Record<string, unknown>],
    ]);
  }),
);

const peppers = json.pipe(
  z.record(
    z.string().regex(/^\d{1,5}$/, 'each key must be a number'),
    z.string().min(50, 'each pepper must have at least 50 characters'),
    'must be a JSON object like {"1": "<at least 50 characters>"}',
  ),
);

const publicKeysByName = json
  .pipe(
    z.record(
      z.string().regex(/^[a-z][a-z-]*$/, 'each name must be that of a service'),
      z.union([z.array(publicKey), publicKey.transform((key) => [key])]),
      'must be a JSON object like {"dcim": "<key>", "ipam": ["<key>", "<next key>"]}',
    ),
  )
  .transform((keys) => new Map(Object.entries(keys)));

/** Keys of encrypted secrets in the database: the first one encrypts, all of them decrypt. */
const keys = list
  .refine((all) => all.every((key) => key.length >= 32), 'each key must have at least 32 characters')
  .transform((all) => all.map((key) => new Secret(key)));

export const settings = {
  PORT: port.default(8000),
  LISTEN_HOST: text.min(1).optional(),
  HTTP_PORT: port.optional(),
  GRPC_PORT: port.default(50_051),
  OPERATIONS_PORT: port.default(9_464),
  OPERATIONS_HOST: text.min(1).optional(),
  DATA_DIR: text.min(1).default('./data'),
  TLS_CERT_FILE: text.min(1).optional(),
  TLS_KEY_FILE: text.min(1).optional(),
  PEER_TLS_CA_FILE: text.min(1).optional(),
  PEER_TLS_CERT_FILE: text.min(1).optional(),
  PEER_TLS_KEY_FILE: text.min(1).optional(),
  SERVICE_SECRET: secret(32).optional(),
  IDENTITY_KEY: privateKey.optional(),
  IDENTITY_PUBLIC_KEYS: list.pipe(z.array(publicKey)).default([]),
  SERVICE_KEY: privateKey.optional(),
  SERVICE_PUBLIC_KEYS: publicKeysByName.default(new Map()),

  SECRETS_KEYS: keys.default([]),
  FACTOR_KEYS: keys.default([]),

  SUPERUSER_NAME: text
    .max(150)
    .regex(/^[\w.@+-]+$/, 'may contain letters, digits and @ . + - _')
    .default('admin'),
  SUPERUSER_EMAIL: z.union([z.literal(''), z.email('must be an e-mail address')]).default(''),
  SUPERUSER_PASSWORD: secret().optional(),
  SUPERUSER_API_TOKEN: z
    .string()
    .regex(/^[0-9a-zA-Z]{40}$/, 'must be exactly 40 letters and digits')
    .transform((value) => new Secret(value))
    .optional(),

  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL: whole(1, 1000).optional(),
  DATABASE_IDLE_MS: whole(100).default(30_000),
  DATABASE_WAIT_MS: whole(0).default(30_000),
  STATEMENT_TIMEOUT_MS: whole(1).default(10_000),

  EVENTS_DATABASE_URL: postgresUrl.optional(),
  KAFKA_BROKERS: list
    .refine((hosts) => hosts.every((host) => /^[^\s:]+:\d+$|^\[.+\]:\d+$/.test(host)), 'must be a list of host:port')
    .default([]),
  KAFKA_REPLICATION_FACTOR: whole(1, 32_767).optional(),
  KAFKA_TLS: flag.default(false),
  KAFKA_TLS_CA_FILE: text.min(1).optional(),
  KAFKA_TLS_CERT_FILE: text.min(1).optional(),
  KAFKA_TLS_KEY_FILE: text.min(1).optional(),
  KAFKA_SASL_MECHANISM: text
    .toLowerCase()
    .pipe(z.enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512'))
    .optional(),
  KAFKA_SASL_USERNAME: text.optional(),
  KAFKA_SASL_PASSWORD: secret().optional(),

  PROCESSES: text
    .toLowerCase()
    .refine((value) => value === 'each' || /^[1-9]\d{0,2}$/.test(value), 'must be a number from 1, or each')
    .transform((value) => (value === 'each' ? value : Number(value)))
    .optional(),
  SCHEDULING: text
    .toLowerCase()
    .pipe(z.enum(['batch', 'normal'], 'must be batch or normal'))
    .default('batch'),

  PAGINATE_COUNT: whole(1).default(50),
  MAX_PAGE_SIZE: text
    .transform((value) => (value.toLowerCase() === 'none' ? '0' : value))
    .pipe(whole(0))
    .default(1000),
  MAX_BODY_BYTES: whole(1024).default(bodyLimits.size.bytes),
  BODY_MAX_RATIO: whole(1).default(bodyLimits.size.ratio),
  BODY_MEMORY_BYTES: whole(1024).default(roomLimits.bytes),
  BODY_MEMORY_BYTES_PER_USER: whole(1024).default(roomLimits.bytesPerUser),
  BODY_QUEUE: whole(0).default(roomLimits.waiting),
  BODY_QUEUE_PER_USER: whole(0).default(roomLimits.waitingPerUser),
  BODY_WAIT_MS: whole(1).default(roomLimits.waitMs),
  ANONYMOUS_BODY_BYTES: whole(1024).default(UNKNOWN_BYTES),
  JSON_MAX_DEPTH: whole(1, 1_000).default(bodyLimits.json.depth),
  JSON_MAX_VALUES: whole(1).default(bodyLimits.json.values),
  JSON_MAX_ITEMS: whole(1).default(bodyLimits.json.items),
  JSON_MAX_MEMBERS: whole(1).default(bodyLimits.json.members),
  JSON_MAX_NAME: whole(1).default(bodyLimits.json.name),
  JSON_MAX_NUMBER: whole(1).default(bodyLimits.json.number),
  JSON_MAX_TEXT: whole(1).default(bodyLimits.json.text),
  FORM_MAX_FIELDS: whole(1).default(bodyLimits.form.fields),
  FORM_MAX_NAME: whole(1).default(bodyLimits.form.name),
  FORM_MAX_FILES: whole(0).default(bodyLimits.form.files),
  QUERY_MAX_PARAMETERS: whole(1).default(MAX_PARAMETERS),
  MAX_BULK_ITEMS: whole(1).default(10_000),
  CREATE_GROUP_SIZE: whole(1).default(100),
  CREATE_GROUP_WAIT_MS: whole(1).default(20),
  IMPORT_API: flag.default(false),
  MAX_REGEX_LENGTH: whole(1).default(200),
  MAX_REGEX_SIZE: whole(1).default(1_000),
  REGEX_TIMEOUT_MS: whole(1).default(1_000),
  REGEX_CONCURRENCY: whole(1).default(2),
  REGEX_CONCURRENCY_PER_USER: whole(1).default(1),
  REGEX_QUEUE: whole(0).default(40),
  REGEX_QUEUE_PER_USER: whole(0).default(10),
  REGEX_WAIT_MS: whole(1).default(5_000),
  EXPORT_MAX_ROWS: whole(1).default(10_000),
  EXPORT_FROM_ROWS: whole(1).default(1_000),
  EXPORT_CONCURRENCY: whole(1).default(2),
  EXPORT_CONCURRENCY_PER_USER: whole(1).default(1),
  EXPORT_QUEUE: whole(0).default(20),
  EXPORT_QUEUE_PER_USER: whole(0).default(5),
  EXPORT_WAIT_MS: whole(1).default(20_000),
  TEMPLATE_MAX_RELATED: whole(0).default(10_000),
  ROW_CACHE_MB: whole(0).default(16),
  EXPORT_TIMEOUT_MS: whole(1).default(10_000),
  EXPORT_MEMORY_MB: whole(8).default(256),
  EXPORT_MAX_BYTES: whole(1).default(50 * 1024 * 1024),
  MEDIA_MAX_BYTES: whole(1).default(5 * 1024 * 1024),
  MEDIA_DIR: text.min(1).optional(),
  MEDIA_S3_URL: httpUrl.optional(),
  MEDIA_S3_REGION: text.min(1).default('us-east-1'),
  MEDIA_S3_ACCESS_KEY: text.min(1).optional(),
  MEDIA_S3_SECRET_KEY: secret().optional(),
  MEDIA_S3_TIMEOUT_MS: whole(1).default(10_000),

  BRIEF_CACHE_ENTRIES: whole(0).default(50_000),

  LOGIN_REQUIRED: flag.default(true),
  LOCAL_LOGIN: flag.default(true),
  REMOTE_AUTH_ENABLED: flag.default(false),
  REMOTE_AUTH_PROXIES: proxies.default([]),
  REMOTE_AUTH_HEADER: remoteHeader.prefault('HTTP_REMOTE_USER'),
  REMOTE_AUTH_AUTO_CREATE_USER: flag.default(false),
  REMOTE_AUTH_AUTO_CREATE_GROUPS: flag.default(false),
  REMOTE_AUTH_DEFAULT_GROUPS: list.default([]),
  REMOTE_AUTH_GROUP_SYNC_ENABLED: flag.default(false),
  REMOTE_AUTH_GROUP_HEADER: remoteHeader.prefault('HTTP_REMOTE_USER_GROUP'),
  REMOTE_AUTH_GROUP_SEPARATOR: z.string().min(1).max(10).default('|'),
  REMOTE_AUTH_SUPERUSER_GROUPS: list.default([]),
  REMOTE_AUTH_SUPERUSERS: list.default([]),
  REMOTE_AUTH_LINK_USERS: flag.default(false),
  REMOTE_AUTH_USER_EMAIL: remoteHeader.prefault('HTTP_REMOTE_USER_EMAIL'),
  REMOTE_AUTH_USER_FIRST_NAME: remoteHeader.prefault('HTTP_REMOTE_USER_FIRST_NAME'),
  REMOTE_AUTH_USER_LAST_NAME: remoteHeader.prefault('HTTP_REMOTE_USER_LAST_NAME'),
  MAINTENANCE_MODE: flag.default(false),
  ENFORCE_GLOBAL_UNIQUE: flag.default(true),
  API_TOKEN_PEPPERS: peppers
    .transform((value) => new Map(Object.entries(value).map(([id, pepper]) => [Number(id), new Secret(pepper)])))
    .default(new Map()),
  API_TOKEN_V1: flag.default(true),
  API_TOKENS_PER_USER: whole(1, 100_000).default(100),
  TOKEN_MAX_DAYS: whole(0, 36_500).default(0),
  TOKEN_IDLE_DAYS: whole(0, 3_650).default(0),
  TOKEN_WARN_DAYS: list
    .transform((days) => (days.length === 1 && days[0]!.toLowerCase() === 'none' ? [] : days))
    .pipe(z.array(whole(1, 365)).max(10, 'must be a list of at most 10 numbers'))
    .default([14, 7, 1]),
  TOKEN_WARN_CHECK_SECONDS: whole(1, 86_400).default(900),
  TOKEN_ROTATION_SECONDS: whole(0, 31_536_000).default(86_400),
  TOKEN_ROTATION_MAX_SECONDS: whole(0, 31_536_000).default(604_800),
  EXEMPT_VIEW_PERMISSIONS: list
    .refine(
      (names) => names.every((name) => name === '*' || /^[a-z_]+\.([a-z_]+|\*)$/.test(name)),
      'must be a list of <app>.<model>, or *',
    )
    .default([]),
  DEFAULT_PERMISSIONS: permissions.default(ownThings),
  TOKEN_DATABASE_POOL: whole(1, 1000).default(2),
  TOKEN_CACHE_SECONDS: whole(0, 3600).default(5),
  TOKEN_CACHE_ENTRIES: whole(1).default(10_000),
  IDENTITY_TTL_SECONDS: whole(5, MAX_SECONDS).default(MAX_SECONDS),
  LOGIN_TIMEOUT: whole(60, 31_536_000).default(43_200),
  LOGIN_IDLE_TIMEOUT: whole(0, 31_536_000).default(14_400),
  LOGIN_SESSIONS: whole(1, 1000).default(100),
  LOGIN_ATTEMPTS: whole(1, 10_000).default(10),
  LOGIN_ATTEMPTS_PER_ADDRESS: whole(1, 1_000_000).default(100),
  LOGIN_PAUSE_SECONDS: whole(1, 86_400).default(60),
  LOGIN_ATTEMPTS_PER_ACCOUNT: whole(1, 1_000_000).default(50),
  LOGIN_ACCOUNT_PAUSE_SECONDS: whole(1, 2_592_000).default(3600),
  LOGIN_KNOWN_DAYS: whole(0, 3650).default(90),
  FACTOR_CHALLENGE_SECONDS: whole(30, 3600).default(300),
  REAUTH_SECONDS: whole(0, 31_536_000).default(900),
  SECOND_FACTOR_GROUPS: list.default([]),
  TOTP_WINDOW: whole(0, 10).default(1),
  FACTOR_ATTEMPTS: whole(1, 10_000).default(5),
  FACTOR_PAUSE_SECONDS: whole(1, 2_592_000).default(900),
  FACTORS_PER_USER: whole(1, 100).default(10),
  FACTOR_ENROLMENT_SECONDS: whole(30, 86_400).default(600),
  PENDING_FORMS: whole(1, 1_000_000).default(1000),
  PENDING_FORMS_PER_ADDRESS: whole(1, 10_000).default(20),
  PENDING_FORM_SECONDS: whole(60, 86_400).default(3600),
  PASSWORD_CONCURRENCY: whole(0, 64).default(0),
  PASSWORD_QUEUE: whole(0, 10_000).default(64),
  PASSWORD_QUEUE_PER_CLIENT: whole(0, 10_000).default(16),
  PASSWORD_WAIT_MS: whole(1, 60_000).default(10_000),
  PASSWORD_MIN_LENGTH: whole(8, 128).default(12),
  PASSWORD_MAX_LENGTH: whole(8, 128).default(128),
  PASSWORD_CHARACTER_CLASSES: flag.default(true),
  PASSWORD_REFUSE_GUESSABLE: flag.default(true),
  PASSWORD_ARGON2_MEMORY_KB: whole(7_168, 1_048_576).default(65_536),
  PASSWORD_ARGON2_PASSES: whole(1, 20).default(3),
  PASSWORD_ARGON2_LANES: whole(1, 16).default(1),
  FORM_MAX_BYTES: whole(1024).default(65_536),
  FORM_TIMEOUT: whole(60, 31_536_000).default(43_200),

  HTTP_CLIENT_IP_HEADERS: list.transform((names) => names.map(headerName)).default(['x-forwarded-for']),
  TRUSTED_PROXIES: proxies.default(['loopback']),
  ALLOWED_HOSTS: hosts.default(['*']),
  HSTS_SECONDS: whole(0, 63_072_000).default(31_536_000),
  HSTS_SUBDOMAINS: flag.default(true),

  PROXY_TIMEOUT_MS: whole(1).default(60_000),
  PROXY_CONNECTIONS: whole(1).default(128),
  CLIENT_REQUESTS: whole(1).default(64),
  CLIENT_QUEUE: whole(0).default(256),
  CLIENT_WAIT_MS: whole(0).default(10_000),
  CLIENT_BODIES: whole(1).default(64),
  BODY_BUFFER_BYTES: whole(1024, 1024 * 1024).default(65_536),
  BODY_TIMEOUT_MS: whole(100).default(10_000),
  BODY_MIN_RATE: whole(0).default(4_096),
  HEADERS_TIMEOUT_MS: whole(100).default(10_000),
  REQUEST_TIMEOUT_MS: whole(100).default(300_000),
  MAX_CONNECTIONS: whole(1).default(10_000),
  ADDRESS_CONNECTIONS: whole(1).default(1_000),
  REPLICA_TOMBSTONE_DAYS: whole(1, 36_500).default(100),
  EVENT_PARTITIONS: whole(1, 1000).default(6),
  EVENT_RETENTION_HOURS: whole(1, 87_600).default(168),
  PARKED_RETENTION_DAYS: whole(0, 3650).default(90),
  SECURITY_EVENTS_RETENTION: whole(0, 36_500).default(365),
  SECURITY_EVENTS_PER_MINUTE: whole(1, 100_000).default(600),
  CHANGELOG_RETENTION: whole(0, 36_500).default(90),
  CHANGELOG_WAIT_MS: whole(0, 60_000).default(1_000),
  READ_AFTER_WRITE_MS: whole(0, 60_000).default(1_000),
  READ_AFTER_WRITE_OBJECTS: whole(1, 1_000_000).default(1_000),
  EVENT_LINGER_MS: whole(0, 60_000).default(50),
  EVENT_BATCH: whole(1, 10_000).default(500),
  EVENT_LOG_TIMEOUT_MS: whole(1_000, 600_000).default(30_000),
  GRPC_TIMEOUT_MS: whole(1).default(5_000),
  GRPC_MAX_MESSAGE_BYTES: whole(1024).default(64 * 1024 * 1024),
  EVENT_LOOP_MAX_MS: whole(0, 60_000).default(200),
  SHUTDOWN_TIMEOUT_MS: whole(0).default(4_000),
  LOG_LEVEL: text
    .toLowerCase()
    .pipe(
      z.enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        'must be trace, debug, info, warn, error, fatal or silent',
      ),
    )
    .default('info'),
  LOG_FORMAT: text
    .toLowerCase()
    .pipe(z.enum(['json', 'pretty'], 'must be json or pretty'))
    .default('json'),
};
