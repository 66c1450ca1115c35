import type { Seal } from '@cadastre/model';
import type { Pool } from 'pg';
import type { Webhook } from '../http/webhook.ts';
import { decryptedWebhook, type StoredWebhook } from './decrypted.ts';
import { type Assembling, assemble, type RuleVersions, type RuleContent, type Version } from './rules.ts';

/** Rules and webhooks, read again when they have changed. */
export interface Registry {
  /** The current contents of the tables: one small statement checks whether what is cached still holds. */
  current(): Promise<RuleVersions>;
  /** Discards what is cached. */
  invalidate(): void;
}

export interface RegistryOptions extends Omit<Assembling, 'eventTypeOf'>, Partial<Pick<Assembling, 'eventTypeOf'>> {
  pool: Pool;
  /** Opens what is encrypted in webhooks. */
  seal?: Seal | undefined;
  /** Is called when the tables have changed. */
  onChange?(): void;
}

// The state changes when versions are added, ended or removed: ending one changes the transaction number (xmin) of its
// row.
const stateStatement = {
  name: 'webhooks-version',
  text: `select coalesce(string_agg(id || ':' || xmin::text, ',' order by id), '') as state from webhook_rule_version`,
};

const micros = (column: string) => `(extract(epoch from ${column}) * 1000000)::float8`;
const versionsStatement = `select id::float8 as id, source, object_id::float8 as object, ${micros('since')} as since, ${micros(`coalesce(until, 'infinity')`)} as until, content
  from webhook_rule_version order by object_id, id`;

interface Row {
  id: number;
  source: 'extras_eventrule' | 'extras_webhook';
  object: number;
  since: number;
  until: number;
  content: Record<string, unknown>;
}

/** Reads rules and webhooks from the service's own tables. */
export function createRegistry({
  pool,
  seal,
  onChange,
  warn,
  maxPattern,
  eventTypeOf = () => undefined,
}: RegistryOptions): Registry {
  let known: { state: string; history: RuleVersions } | null = null;
  let looking: Promise<RuleVersions> | null = null;
  let next: Promise<RuleVersions> | null = null;

  const look = async (): Promise<RuleVersions> => {
    const state = (await pool.query<{ state: string }>(stateStatement)).rows[0]?.state ?? '';
    if (known?.state === state) return known.history;
    // The state was read first, so it may be older than these rows; in that case the next check reads them again.
    const { rows } = await pool.query<Row>(versionsStatement);
    const changed = known !== null;
    known = {
      state,
      history: assemble(
        rows.filter(({ source }) => source === 'extras_eventrule').map(ruleVersion),
        rows
          .filter(({ source }) => source === 'extras_webhook')
          .map((row) => ({ ...row, content: decryptedWebhook(storedWebhook(row), seal, warn) })),
        { maxPattern, warn, eventTypeOf },
      ),
    };
    if (changed) onChange?.();
    return known.history;
  };

  const begin = (): Promise<RuleVersions> => {
    looking = look().finally(() => {
      looking = null;
    });
    return looking;
  };

  return {
    // A check under way may have begun before this call, so callers that arrive meanwhile share the next one.
    current() {
      if (!looking) return begin();
      next ??= looking
        .then(
          () => {},
          () => {},
        )
        .then(() => {
          next = null;
          return begin();
        });
      return next;
    },
    invalidate() {
      known = null;
    },
  };
}

const ruleVersion = ({ id, object, since, until, content }: Row): Version<RuleContent> => ({
  id,
  since,
  until,
  content: { ...(content as unknown as Omit<RuleContent, 'id'>), id: object },
});

/** The columns of a webhook under the names that delivery has for them. */
const WEBHOOK: Readonly<Record<Exclude<keyof Webhook, 'id' | 'unreadable'>, string>> = {
  name: 'name',
  payloadUrl: 'payload_url',
  httpMethod: 'http_method',
  httpContentType: 'http_content_type',
  additionalHeaders: 'additional_headers',
  bodyTemplate: 'body_template',
  secret: 'secret',
  secrets: 'secrets',
  credentials: 'credentials',
  sslVerification: 'ssl_verification',
  caFilePath: 'ca_file_path',
};

const storedWebhook = ({ object, content }: Row): StoredWebhook =>
  ({
    id: object,
    ...Object.fromEntries(Object.entries(WEBHOOK).map(([name, column]) => [name, content[column]])),
  }) as unknown as StoredWebhook;
