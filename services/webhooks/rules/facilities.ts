import type { Seal } from '@cadastre/model';
import { checkTemplate } from '@cadastre/templates';
import { checkConditions } from './conditions/grammar.ts';
import { checkContentType, checkHeaders, checkUrl } from '../http/check.ts';
import type { Sealing } from '../models/credentials.ts';
import type { Conditions } from '../models/eventRule.ts';
import type { Requests, Templates } from '../models/webhook.ts';

/** What the rules of this service's models ask for by name. */
export const facilities = (
  maxRegexLength: number,
  seal: Seal,
): { templates: Templates; conditions: Conditions; requests: Requests; seal: Sealing } => ({
  templates: { check: checkTemplate },
  conditions: { check: (value) => checkConditions(value, maxRegexLength) },
  seal,
  requests: { checkUrl, checkHeaders, checkContentType },
});
