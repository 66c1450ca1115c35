import type { Action } from '@cadastre/events';
import { hasConditions, hasPattern, type Node, parseConditions } from './conditions/grammar.ts';
import { destinationKey } from '../http/request.ts';
import type { Webhook } from '../http/webhook.ts';

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
  /** The version of the webhook. */
  version: number;
  destination: string;
  actionData: Readonly<Record<string, unknown>> | null;
}

/** An enabled event rule that notifies a group of users. */
export interface NotificationRule extends Conditional {
  group: number;
}

export type Rule = WebhookRule | NotificationRule;

export const sendsWebhook = (rule: Rule): rule is WebhookRule => 'webhook' in rule;

/** Rules and webhooks at one moment. */
export interface Rules {
  matching(objectType: string, action: Action): readonly Rule[];
  /** The event type under which rules know a change. */
  eventType(objectType: string, action: Action): string;
}

/** Rules and webhooks as they are, and as they were. */
export interface RuleVersions {
  readonly now: Rules;
  /** As they were at a moment, in microseconds since 1970; not before the history begins. */
  at(micros: number): Rules;
  /** Whether there is, or was, a rule for changes of a type. */
  concern(objectType: string): boolean;
  /** A webhook as it is. */
  webhook(id: number): Webhook | undefined;
  /** A webhook as it was. */
  version(id: number): Webhook | undefined;
}

/**
 * The webhook of a delivery: as it was when the change was made; or as it is now, if the delivery was requested since,
 * or the secrets of that time cannot be decrypted.
 */
export function webhookOf(
  history: RuleVersions,
  { webhookId, webhookVersion }: { webhookId: number; webhookVersion: number | null },
): Webhook | undefined {
  const then = webhookVersion === null ? undefined : history.version(webhookVersion);
  if (then && then.unreadable === undefined) return then;
  return history.webhook(webhookId) ?? then;
}

/** A rule or webhook from one moment to another, in microseconds since 1970. */
export interface Version<T> {
  id: number;
  since: number;
  /** Infinity for the current version. */
  until: number;
  content: T;
}

/** A rule as the history has it. */
export interface RuleContent {
  id: number;
  name: string;
  enabled: boolean;
  object_types: string[];
  event_types: string[];
  conditions: unknown;
  action_type: string;
  action_object_type: string;
  action_object_id: number | null;
  action_data: Record<string, unknown> | null;
}

export interface Assembling {
  maxPattern: number;
  /** The further event type, besides `object_created`, by which rules know the creation of objects of a type. */
  eventTypeOf(objectType: string): string | undefined;
  /** Called for rules that cannot be used. */
  warn(message: string, details: Record<string, unknown>): void;
}

const NOW = Number.POSITIVE_INFINITY;
// A version ends where the next one begins; the current version has no end.
const holdsAt = ({ since, until }: Version<unknown>, moment: number): boolean =>
  moment === NOW ? until === NOW : since <= moment && moment < until;

/** The rules and webhooks of every moment, according to their versions. */
export function assemble(
  rules: readonly Version<RuleContent>[],
  webhooks: readonly Version<Webhook>[],
  options: Assembling,
): RuleVersions {
  const versions = new Map(webhooks.map((version) => [version.id, version.content]));
  const ofWebhook = Map.groupBy(webhooks, ({ content }) => content.id);
  const webhookAt = (id: number, moment: number) => ofWebhook.get(id)?.find((version) => holdsAt(version, moment));
  const enabled = rules.filter(({ content }) => acts(content));
  const byKey = new Map<string, Version<RuleContent>[]>();
  for (const version of enabled)
    for (const type of new Set(version.content.object_types))
      for (const event of new Set(version.content.event_types)) {
        const key = `${type} ${event}`;
        byKey.set(key, [...(byKey.get(key) ?? []), version]);
      }
  const types = new Set(enabled.flatMap(({ content }) => content.object_types));
  const eventType = (type: string, action: Action): string =>
    (action === 'created' && options.eventTypeOf(type)) || `object_${action}`;

  const quiet = { ...options, warn: () => undefined };
  // One object for each version of a rule with each of its webhook, however often it is asked for.
  const made = new Map<string, Rule | null>();
  const ruleAt = (version: Version<RuleContent>, moment: number): Rule | null => {
    const { action_type: action, action_object_id: object } = version.content;
    const webhook = action === 'webhook' && object !== null ? webhookAt(object, moment) : undefined;
    const key = `${version.id} ${webhook?.id ?? ''}`;
    let rule = made.get(key);
    if (rule === undefined)
      made.set(key, (rule = readRule(version.content, webhook, moment === NOW ? options : quiet)));
    return rule;
  };
  const at = (moment: number): Rules => {
    const of = (type: string, event: string): Version<RuleContent>[] =>
      (byKey.get(`${type} ${event}`) ?? []).filter((version) => holdsAt(version, moment));
    return {
      eventType,
      matching(type, action) {
        const told = eventType(type, action);
        const plain = of(type, `object_${action}`);
        const all = told === `object_${action}` ? plain : [...new Set([...plain, ...of(type, told)])];
        return all.flatMap((version) => ruleAt(version, moment) ?? []);
      },
    };
  };
  const now = at(NOW);
  // Unusable rules are reported when they are read, and not only when an event occurs.
  for (const version of enabled) if (holdsAt(version, NOW)) ruleAt(version, NOW);
  return {
    now,
    at,
    concern: (type) => types.has(type),
    webhook: (id) => webhookAt(id, NOW)?.content,
    version: (id) => versions.get(id),
  };
}

const acts = ({ enabled, action_type: action, action_object_type: type }: RuleContent): boolean =>
  enabled &&
  ((action === 'webhook' && type === 'extras.webhook') ||
    (action === 'notification' && type === 'extras.notificationgroup'));

function readRule(
  content: RuleContent,
  webhook: Version<Webhook> | undefined,
  { maxPattern, warn }: Assembling,
): Rule | null {
  const action = readAction(content, webhook);
  if (!action) {
    warn('an event rule names a webhook or a notification group that does not exist', {
      rule: content.name,
      action: content.action_type,
      object: content.action_object_id,
    });
    return null;
  }
  try {
    const conditions = !hasConditions(content.conditions) ? null : parseConditions(content.conditions, maxPattern);
    const guarded = conditions && hasPattern(conditions) ? JSON.stringify(content.conditions) : null;
    return { id: content.id, name: content.name, conditions, guarded, ...action };
  } catch (error) {
    warn('an event rule has conditions that cannot be read', { rule: content.name, error: (error as Error).message });
    return null;
  }
}

function readAction(
  { action_type: type, action_object_id: id, action_data: actionData }: RuleContent,
  webhook: Version<Webhook> | undefined,
) {
  if (id === null) return null;
  if (type === 'notification') return { group: id };
  return (
    webhook && {
      webhook: webhook.content,
      version: webhook.id,
      destination: destinationKey(webhook.content),
      actionData,
    }
  );
}
