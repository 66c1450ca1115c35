import type { Action } from '@cadastre/events';
import type { Seal } from '@cadastre/model';
import type { Pool } from 'pg';
import { hasConditions, hasPattern, type Node, parseConditions } from '../conditions/grammar.ts';
import { destinationKey } from '../delivery/request.ts';
import type { Webhook } from '../delivery/webhook.ts';
import { openedWebhook, type StoredWebhook } from './opened.ts';

interface Conditional {
  id: number;
  name: string;
  conditions: Node | null;
  /** The conditions as text, when they hold a regular expression and must be evaluated in a worker. */
  guarded: string | null;
}

/** An enabled event rule that sends a webhook. */
export interface WebhookRule extends Conditional {
  webhook: Webhook;
  destination: string;
  actionData: Readonly<Record<string, unknown>> | null;
}

/** An enabled event rule that has a group of users told. */
export interface NotificationRule extends Conditional {
  group: number;
}

export type Rule = WebhookRule | NotificationRule;

export const sendsWebhook = (rule: Rule): rule is WebhookRule => 'webhook' in rule;

/** Rules and webhooks at one moment. */
export interface Rules {
  matching(objectType: string, action: Action): readonly Rule[];
  /** What a change is told as. */
  eventType(objectType: string, action: Action): string;
  /** Whether there is a rule for changes of a type. */
  concern(objectType: string): boolean;
  webhook(id: number): Webhook | undefined;
}

/** Rules and webhooks, read again when they have changed. */
export interface Registry {
  /** As the tables are now: one small statement tells whether what is known still holds. */
  current(): Promise<Rules>;
  /** Forgets what is known. */
  invalidate(): void;
}

export interface RegistryOptions {
  pool: Pool;
  maxPattern: number;
  /** Opens what is encrypted in webhooks. */
  seal?: Seal | undefined;
  /** What new objects of a type are to rules besides `object_created`. */
  eventTypeOf?(objectType: string): string | undefined;
  /** Is told of rules that cannot be used. */
  warn(message: string, details: Record<string, unknown>): void;
  /** Is called when the tables have changed. */
  onChange?(): void;
}

// The number of the transaction that wrote a row changes whenever the row does, however it was written.
const versionStatement = {
  name: 'webhooks-version',
  text: `select
  (select coalesce(string_agg(id || ':' || xmin::text, ',' order by id), '') from extras_eventrule) || '/' ||
  (select coalesce(string_agg(id || ':' || xmin::text, ',' order by id), '') from extras_webhook) as version`,
};

const ruleStatement = `select id::int, name, object_types, event_types, conditions, action_type, action_object_id::int, action_data from extras_eventrule
  where enabled and (action_type, action_object_type) in (('webhook', 'extras.webhook'), ('notification', 'extras.notificationgroup')) order by id`;

const webhookStatement = `select id::int, name, payload_url as "payloadUrl", http_method as "httpMethod", http_content_type as "httpContentType",
  additional_headers as "additionalHeaders", body_template as "bodyTemplate", secret, secrets, credentials, ssl_verification as "sslVerification", ca_file_path as "caFilePath"
  from extras_webhook`;

interface RuleRow {
  id: number;
  name: string;
  object_types: string[];
  event_types: string[];
  conditions: unknown;
  action_type: string;
  action_object_id: number | null;
  action_data: Record<string, unknown> | null;
}

/** Reads rules and webhooks from the service's own tables. */
export function createRegistry({
  pool,
  maxPattern,
  seal,
  warn,
  onChange,
  eventTypeOf = () => undefined,
}: RegistryOptions): Registry {
  let known: { version: string; rules: Rules } | null = null;
  let looking: Promise<Rules> | null = null;
  let next: Promise<Rules> | null = null;

  const look = async (): Promise<Rules> => {
    const version = (await pool.query<{ version: string }>(versionStatement)).rows[0]?.version ?? '';
    if (known?.version === version) return known.rules;
    // The version is older than what is read now or the same; when it is older, the next look reads again.
    const [rules, webhooks] = [
      await pool.query<RuleRow>(ruleStatement),
      await pool.query<StoredWebhook>(webhookStatement),
    ];
    const changed = known !== null;
    known = {
      version,
      rules: assemble(
        rules.rows,
        webhooks.rows.map((row) => openedWebhook(row, seal, warn)),
        { maxPattern, warn, eventTypeOf },
      ),
    };
    if (changed) onChange?.();
    return known.rules;
  };

  const begin = (): Promise<Rules> => {
    looking = look().finally(() => {
      looking = null;
    });
    return looking;
  };

  return {
    // A look under way may have begun before the caller's moment; callers that come meanwhile share the one after it.
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

function assemble(
  rows: readonly RuleRow[],
  webhooks: readonly Webhook[],
  { maxPattern, warn, eventTypeOf }: Required<Pick<RegistryOptions, 'maxPattern' | 'warn' | 'eventTypeOf'>>,
): Rules {
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  const byKey = new Map<string, Rule[]>();
  for (const row of rows) {
    const rule = readRule(row, byId, maxPattern, warn);
    if (!rule) continue;
    for (const type of new Set(row.object_types)) {
      for (const event of new Set(row.event_types)) {
        const key = `${type} ${event}`;
        byKey.set(key, [...(byKey.get(key) ?? []), rule]);
      }
    }
  }
  const types = new Set(rows.flatMap((row) => row.object_types));
  const told = (type: string, action: Action): string =>
    (action === 'created' && eventTypeOf(type)) || `object_${action}`;
  return {
    concern: (type) => types.has(type),
    eventType: told,
    matching: (type, action) => {
      const plain = byKey.get(`${type} object_${action}`) ?? [];
      const special = byKey.get(`${type} ${told(type, action)}`) ?? [];
      return special === plain || !special.length ? plain : [...new Set([...plain, ...special])];
    },
    webhook: (id) => byId.get(id),
  };
}

function readRule(
  row: RuleRow,
  webhooks: ReadonlyMap<number, Webhook>,
  maxPattern: number,
  warn: RegistryOptions['warn'],
): Rule | null {
  const action = readAction(row, webhooks);
  if (!action) {
    warn('an event rule names a webhook or a notification group that does not exist', {
      rule: row.name,
      action: row.action_type,
      object: row.action_object_id,
    });
    return null;
  }
  try {
    const conditions = !hasConditions(row.conditions) ? null : parseConditions(row.conditions, maxPattern);
    const guarded = conditions && hasPattern(conditions) ? JSON.stringify(row.conditions) : null;
    return { id: row.id, name: row.name, conditions, guarded, ...action };
  } catch (error) {
    warn('an event rule has conditions that cannot be read', { rule: row.name, error: (error as Error).message });
    return null;
  }
}

function readAction(
  { action_type: type, action_object_id: id, action_data: actionData }: RuleRow,
  webhooks: ReadonlyMap<number, Webhook>,
) {
  if (id === null) return null;
  if (type === 'notification') return { group: id };
  const webhook = webhooks.get(id);
  return webhook ? { webhook, destination: destinationKey(webhook), actionData } : null;
}
