// The program of a worker that renders templates and evaluates conditions.
import { serve } from '@cadastre/templates/worker';
import { ConditionMismatch, evaluate } from './evaluate.ts';
import { parseConditions } from './grammar.ts';
import type { ConditionsJob } from './jobs.ts';

function run({ conditions, maxPattern, data }: ConditionsJob): boolean[] {
  const node = parseConditions(JSON.parse(conditions), maxPattern);
  return (JSON.parse(data) as Record<string, unknown>[]).map((item) => {
    try {
      return evaluate(node, item);
    } catch (error) {
      if (error instanceof ConditionMismatch) return false;
      throw error;
    }
  });
}

serve({ conditions: { run, mayRunLong: () => true } });
