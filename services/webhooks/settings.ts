import { isIP } from 'node:net';
import { ConfigError } from '@cadastre/service/config';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.string().trim().regex(/^\d{1,15}$/, `must be a whole number`).transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ''}`);
const flag = z.string().trim().toLowerCase().pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'must be true or false'))
  .transform((value) => ['true', '1', 'yes', 'on'].includes(value));

const isDestination = (value: string) => isIP(value) !== 0 || ipaddr.isValidCIDR(value) || /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(value);
const destinations = z.string().toLowerCase().transform((value) => value.split(',').map((item) => item.trim()).filter((item) => item !== ''))
  .refine((items) => items.every(isDestination), 'must be a comma-separated list of addresses, networks, host names or *.domain');

const schema = z.object({
  WEBHOOK_CONCURRENCY: whole(1, 10_000).default(256),
  WEBHOOK_DESTINATION_CONCURRENCY: whole(1, 1000).default(32),
  WEBHOOK_CONNECT_TIMEOUT_MS: whole(1).default(5_000),
  WEBHOOK_TIMEOUT_MS: whole(1).default(30_000),
  WEBHOOK_MAX_RESPONSE_BYTES: whole(0).default(16_384),
  WEBHOOK_MAX_REDIRECTS: whole(0, 20).default(0),
  WEBHOOK_RETRIES: whole(0, 100).default(0),
  WEBHOOK_RETRY_DELAY_MS: whole(1).default(10_000),
  WEBHOOK_RETRY_MAX_DELAY_MS: whole(1).default(3_600_000),
  WEBHOOK_LEASE_MS: whole(1_000).default(15_000),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: flag.default(true),
  WEBHOOK_ALLOW: destinations.default([]),
  WEBHOOK_DENY: destinations.default([]),
  WEBHOOK_ALLOW_ONLY: flag.default(false),
  WEBHOOK_SHUTDOWN_MS: whole(0).default(3_000),
  TEMPLATE_WORKERS: whole(1, 64).default(2),
  TEMPLATE_TIMEOUT_MS: whole(1).default(250),
  TEMPLATE_MEMORY_MB: whole(8).default(64),
  TEMPLATE_MAX_OUTPUT_BYTES: whole(1).default(1_048_576),
  MAX_REGEX_LENGTH: whole(1).default(200),
});

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}` : Lowercase<Name>;
type Values = z.output<typeof schema>;

/** How webhooks are delivered. The variable `WEBHOOK_LEASE_MS` is the property `webhookLeaseMs`. */
export type WebhookSettings = { readonly [Name in keyof Values as Camel<Name & string>]: Values[Name] };

const camel = (name: string) => name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Reads the settings of delivery from the environment; an empty variable counts as absent.
 * @throws ConfigError that names all wrong variables at once
 */
export function loadWebhookSettings(env: Readonly<Record<string, string | undefined>>): WebhookSettings {
  const given = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
  return Object.freeze(Object.fromEntries(Object.entries(parsed.data).map(([name, value]) => [camel(name), value]))) as WebhookSettings;
}
