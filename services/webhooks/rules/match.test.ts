import { createPool } from '@cadastre/templates';
import { afterAll, expect, test } from '@jest/globals';
import { parseConditions } from './conditions/grammar.ts';
import { program, type WebhookJobs } from './conditions/jobs.ts';
import { match } from './match.ts';
import type { NotificationRule, Rules } from './rules.ts';
import { change } from '../testing/queue.ts';

const workers = createPool<WebhookJobs>({ size: 2, timeoutMs: 250, memoryMb: 64, program });
afterAll(() => workers.close());

const conditions = { attr: 'text', op: 'regex', value: '(a+)+$' };
const slow: NotificationRule = {
  id: 1,
  name: 'slow',
  conditions: parseConditions(conditions, 100),
  guarded: JSON.stringify(conditions),
  group: 1,
};
const plain: NotificationRule = { id: 2, name: 'plain', conditions: null, guarded: null, group: 1 };
const rules: Rules = {
  matching: () => [slow, plain],
  eventType: (_type, action) => `object_${action}`,
};
const event = (text: string) => change({ data: { text } });
const catastrophe = `${'a'.repeat(64)}!`;

test('an event that a condition takes too long for is left out by that rule; all others are told', async () => {
  const warned: string[] = [];
  const events = [...Array.from({ length: 15 }, () => event('aaa')), event(catastrophe)];
  const found = await match(events, () => rules, { workers, maxPattern: 100, warn: (message) => warned.push(message) });
  expect(found.filter(({ rule }) => rule === slow)).toHaveLength(15);
  expect(found.filter(({ rule }) => rule === plain)).toHaveLength(16);
  expect(warned).toEqual(['the conditions of an event rule could not be evaluated']);
});

test('a rule that takes too long for every event is given up, soon', async () => {
  const warned: string[] = [];
  const events = Array.from({ length: 200 }, () => event(catastrophe));
  const found = await match(events, () => rules, { workers, maxPattern: 100, warn: (message) => warned.push(message) });
  expect(found.filter(({ rule }) => rule === slow)).toEqual([]);
  expect(found.filter(({ rule }) => rule === plain)).toHaveLength(200);
  expect(warned.filter((message) => message.includes('left out for now'))).toHaveLength(1);
  expect(warned.length).toBeLessThanOrEqual(12);
});
