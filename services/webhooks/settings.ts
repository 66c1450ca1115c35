import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { type Environment, readSettings, type SettingsOf } from '@cadastre/service/read-settings';
import { Secret } from '@cadastre/service/secret';
import { flag, list, text, whole } from '@cadastre/service/setting-kinds';
import { templateSettings } from '@cadastre/service/templates';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseEndpoint } from './http/connect/internalEndpoints.ts';

const isDestination = (value: string) =>
  isIP(value) !== 0 || ipaddr.isValidCIDR(value) || /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(value);
const destinations = z
  .string()
  .toLowerCase()
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .refine(
    (items) => items.every(isDestination),
    'must be a comma-separated list of addresses, networks, host names or *.domain',
  );

/** `host:port` each. */
const endpoints = list.refine(
  (all) => all.every((one) => parseEndpoint(one) !== undefined),
  'must be a comma-separated list of host:port',
);

const proxy = text
  .refine(
    (value) => /^https?:\/\/./.test(value) && URL.canParse(value),
    'must be a URL like http://proxy.example.com:3128',
  )
  .transform((value) => new Secret(value));

const settings = {
  WEBHOOK_CONCURRENCY: whole(1, 10_000).default(256),
  WEBHOOK_DESTINATION_CONCURRENCY: whole(1, 1000).default(32),
  WEBHOOK_DESTINATION_RATE: whole(0, 100_000).default(0),
  WEBHOOK_ORDERED: flag.default(false),
  WEBHOOK_CONNECT_TIMEOUT_MS: whole(1).default(5_000),
  WEBHOOK_TIMEOUT_MS: whole(1).default(30_000),
  WEBHOOK_MAX_RESPONSE_BYTES: whole(0).default(16_384),
  WEBHOOK_MAX_KEPT_BODY_BYTES: whole(0).default(65_536),
  WEBHOOK_MAX_REDIRECTS: whole(0, 20).default(0),
  WEBHOOK_STANDARD_HEADERS: flag.default(false),
  WEBHOOK_CA_DIR: text.refine(isAbsolute, 'must be the absolute path of a folder').optional(),
  WEBHOOK_PROXY: proxy.optional(),
  WEBHOOK_PROXY_EXCEPT: destinations.default([]),
  WEBHOOK_PROXY_RESOLVES: flag.default(false),
  WEBHOOK_RETRIES: whole(0, 100).default(0),
  WEBHOOK_RETRY_DELAY_MS: whole(1).default(10_000),
  WEBHOOK_RETRY_MAX_DELAY_MS: whole(1).default(3_600_000),
  WEBHOOK_LEASE_MS: whole(1_000).default(15_000),
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: flag.default(true),
  WEBHOOK_ALLOW: destinations.default([]),
  WEBHOOK_DENY: destinations.default([]),
  WEBHOOK_OWN_ADDRESSES: endpoints.default([]),
  WEBHOOK_ALLOW_ONLY: flag.default(false),
  WEBHOOK_CLOCK_SKEW_MS: whole(2, 10_000).default(10),
  WEBHOOK_RULE_HISTORY_MINUTES: whole(1, 525_600).default(60),
  WEBHOOK_HOLD_MS: whole(0).default(500),
  WEBHOOK_SHUTDOWN_MS: whole(0).default(3_000),
  WEBHOOK_DISABLE_AFTER_DAYS: whole(0, 3650).default(0),
  WEBHOOK_RETENTION_DAYS: whole(0, 36_500).default(90),
  WEBHOOK_RETENTION_COUNT: whole(0).default(1_000_000),
  WEBHOOK_UPKEEP_MS: whole(100).default(60_000),
  WEBHOOK_BULK_LIMIT: whole(1, 100_000).default(10_000),
  WEBHOOK_REPLAY_MAX_EVENTS: whole(1).default(100_000),
  WEBHOOK_TAIL_LISTENERS: whole(0, 1_000).default(20),
  WEBHOOK_TAIL_LISTENERS_PER_USER: whole(0, 1_000).default(0),
  WEBHOOK_TAIL_HEARTBEAT_MS: whole(100).default(15_000),
  WEBHOOK_TAIL_MAX_SECONDS: whole(1).default(900),
  ...templateSettings,
  MAX_REGEX_LENGTH: whole(1).default(200),
};

/** How webhooks are delivered. The variable `WEBHOOK_LEASE_MS` is the property `webhookLeaseMs`. */
export type WebhookSettings = SettingsOf<typeof settings>;

/**
 * Reads the settings of delivery from the environment; an empty variable counts as absent.
 * @throws ConfigError that names all wrong variables at once
 */
export const loadWebhookSettings = (env: Environment): WebhookSettings => readSettings(settings, env);
