import { LRUCache } from 'lru-cache';
import { ConditionMismatch, evaluate } from '../conditions/evaluate.ts';
import { parseConditions } from '../conditions/grammar.ts';
import type { Answer, Job, Results, Texts } from './jobs.ts';
import { TemplateError } from './parse.ts';
import { compileTemplate, type Template } from './sandbox.ts';

const compiled = new LRUCache<string, Template>({ max: 500, maxSize: 4_000_000, sizeCalculation: (_, source) => source.length + 1 });

function template(source: string): Template {
  const known = compiled.get(source);
  if (known) return known;
  const made = compileTemplate(source);
  compiled.set(source, made);
  return made;
}

const parts = ['url', 'headers', 'body'] as const;

function render({ texts, context, maxOutput }: Extract<Job, { kind: 'render' }>): Texts {
  const result: Texts = {};
  for (const part of parts) {
    const source = texts[part];
    if (source === undefined) continue;
    // Each part gets its own copy, so that none can leave something behind for the next.
    const output = template(source)(JSON.parse(context) as Record<string, unknown>);
    if (Buffer.byteLength(output) > maxOutput) throw new TemplateError(`the ${part} is larger than ${maxOutput} bytes.`);
    result[part] = output;
  }
  return result;
}

function conditions({ conditions: text, maxPattern, data }: Extract<Job, { kind: 'conditions' }>): boolean[] {
  const node = parseConditions(JSON.parse(text), maxPattern);
  return (JSON.parse(data) as Record<string, unknown>[]).map((item) => {
    try {
      return evaluate(node, item);
    } catch (error) {
      if (error instanceof ConditionMismatch) return false;
      throw error;
    }
  });
}

/** Does a job; never throws. */
export function work(job: Job): Answer {
  try {
    const result: Results[Job['kind']] = job.kind === 'render' ? render(job) : conditions(job);
    return { ok: true, result };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : 'failed' };
  }
}
