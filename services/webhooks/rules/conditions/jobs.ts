import type { TemplateJobs } from '@cadastre/templates';

/** Evaluates conditions for several items. */
export interface ConditionsJob {
  kind: 'conditions';
  conditions: string;
  maxPattern: number;
  data: string;
}

/** What the workers of this service can do: templates, and conditions whose patterns may take long. */
export interface WebhookJobs extends TemplateJobs {
  /** One result for each item: whether the conditions hold; false for data that they do not fit. */
  conditions: { job: ConditionsJob; result: boolean[] };
}

/** The program of such a worker. */
export const program = new URL('./worker.ts', import.meta.url);
