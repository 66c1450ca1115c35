import type { ChangeEvent } from '@cadastre/events';
import { ConditionMismatch, evaluate } from '../conditions/evaluate.ts';
import { LimitError, type Pool as WorkerPool } from '@cadastre/templates';
import type { WebhookJobs } from '../conditions/jobs.ts';
import { subject } from './payload.ts';
import type { Rule, Rules } from './registry.ts';

/** An event that a rule fires for. */
export interface Match<R extends Rule = Rule> { event: ChangeEvent; rule: R }

export interface MatchOptions {
  workers: WorkerPool<WebhookJobs>;
  maxPattern: number;
  warn(message: string, details: Record<string, unknown>): void;
}

/** The pairs of events and enabled rules that belong together, in the order of the events. */
export async function match(events: readonly ChangeEvent[], rules: Rules, options: MatchOptions): Promise<Match[]> {
  const candidates = events.flatMap((event) => rules.matching(event.objectType, event.action).map((rule) => ({ event, rule })));
  const guarded = Map.groupBy(candidates.filter(({ rule }) => rule.guarded !== null), ({ rule }) => rule);
  const fired = new Set<Match>();
  await Promise.all([...guarded].map(async ([rule, matches]) => {
    const results = await evaluateGuarded(rule, matches, options);
    matches.forEach((candidate, i) => { if (results[i]) fired.add(candidate); });
  }));
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

/** All at once; if that takes too long, one by one, so that only the event that is to blame is lost. */
async function evaluateGuarded(rule: Rule, matches: readonly Match[], options: MatchOptions): Promise<boolean[]> {
  const conditions = rule.guarded ?? 'null';
  const run = (part: readonly Match[]) =>
    options.workers.run({ kind: 'conditions', conditions, maxPattern: options.maxPattern, data: JSON.stringify(part.map(({ event }) => subject(event))) });
  try {
    return await run(matches);
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    if (matches.length > 1) return (await Promise.all(matches.map((candidate) => evaluateGuarded(rule, [candidate], options)))).flat();
    options.warn('the conditions of an event rule could not be evaluated', { rule: rule.name, event: matches[0]?.event.id, error: error.message });
    return matches.map(() => false);
  }
}
