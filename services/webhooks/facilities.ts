import { checkTemplate } from '@cadastre/templates';
import { checkConditions } from './conditions/grammar.ts';
import type { Conditions } from './models/eventRule.ts';
import type { Templates } from './models/webhook.ts';

/** What the rules of this service's models ask for by name. */
export const facilities = (maxRegexLength: number): { templates: Templates; conditions: Conditions } => ({
  templates: { check: checkTemplate },
  conditions: { check: (value) => checkConditions(value, maxRegexLength) },
});
