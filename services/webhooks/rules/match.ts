import type { ChangeEvent } from '@cadastre/events';
import { LimitError, type Pool as WorkerPool } from '@cadastre/templates';
import { ConditionMismatch, evaluate } from './conditions/evaluate.ts';
import type { WebhookJobs } from './conditions/jobs.ts';
import { subject } from './payload.ts';
import type { Rule, Rules } from './rules.ts';

/** An event that a rule fires for. */
export interface Match<R extends Rule = Rule> {
  event: ChangeEvent;
  rule: R;
  eventType: string;
}

export interface MatchOptions {
  workers: WorkerPool<WebhookJobs>;
  maxPattern: number;
  warn(message: string, details: Record<string, unknown>): void;
}

/** The pairs of events and enabled rules that belong together, in the order of the events. */
export async function match(
  events: readonly ChangeEvent[],
  rulesFor: (event: ChangeEvent) => Rules,
  options: MatchOptions,
): Promise<Match[]> {
  const candidates = events.flatMap((event) => {
    const rules = rulesFor(event);
    return rules
      .matching(event.objectType, event.action)
      .map((rule) => ({ event, rule, eventType: rules.eventType(event.objectType, event.action) }));
  });
  const guarded = Map.groupBy(
    candidates.filter(({ rule }) => rule.guarded !== null),
    ({ rule }) => rule,
  );
  const fired = new Set<Match>();
  await Promise.all(
    [...guarded].map(async ([rule, matches]) => {
      const results = await evaluateGuarded(rule, matches, options);
      matches.forEach((candidate, i) => {
        if (results[i]) fired.add(candidate);
      });
    }),
  );
  return candidates.filter((candidate) => (candidate.rule.guarded === null ? holds(candidate) : fired.has(candidate)));
}

function holds({ rule, event }: Match): boolean {
  if (!rule.conditions) return true;
  try {
    return evaluate(rule.conditions, subject(event));
  } catch (error) {
    if (error instanceof ConditionMismatch) return false;
    throw error;
  }
}

// How often evaluating one rule may exceed a limit in one batch of events, each time for as long as the limit allows.
const maxFailures = 12;

/**
 * Evaluates all events at once, or in halves when that takes too long, so that only the events at fault are lost. A
 * rule that continues to fail is given up for the batch, so that it does not hold up the others.
 */
async function evaluateGuarded(rule: Rule, matches: readonly Match[], options: MatchOptions): Promise<boolean[]> {
  let failures = 0;
  const evaluate = async (part: readonly Match[]): Promise<boolean[]> => {
    if (failures >= maxFailures) return part.map(() => false);
    try {
      return await options.workers.run({
        kind: 'conditions',
        conditions: rule.guarded ?? 'null',
        maxPattern: options.maxPattern,
        data: JSON.stringify(part.map(({ event }) => subject(event))),
      });
    } catch (error) {
      if (!(error instanceof LimitError)) throw error;
      failures += 1;
      if (failures === maxFailures)
        options.warn('the conditions of an event rule could not be evaluated for many events; it is left out for now', {
          rule: rule.name,
          error: error.message,
        });
      if (part.length > 1)
        return [...(await evaluate(part.slice(0, part.length / 2))), ...(await evaluate(part.slice(part.length / 2)))];
      options.warn('the conditions of an event rule could not be evaluated', {
        rule: rule.name,
        event: part[0]?.event.id,
        error: error.message,
      });
      return [false];
    }
  };
  return evaluate(matches);
}
