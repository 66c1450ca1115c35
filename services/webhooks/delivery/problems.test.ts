import { refuse } from '@cadastre/rest';
import { expect, test } from '@jest/globals';
import { problemsTo, refusalsTo } from './problems.ts';
import type { Finished } from '../queue/finish.ts';

const lines: [string, Record<string, unknown>, string][] = [];
const log = {
  warn: (details: Record<string, unknown>, message: string) => void lines.push(['warn', details, message]),
  error: (details: Record<string, unknown>, message: string) => void lines.push(['error', details, message]),
};

test('what did not work is called by its name, and what was refused on purpose is no error', () => {
  lines.length = 0;
  const tell = problemsTo(log);
  const error = new Error('gone');
  for (const doing of ['claim', 'record', 'lease', 'listen', 'give back', 'leave', 'upkeep', 'replay', 'else'])
    tell(error, doing);
  expect(lines.map(([level]) => level)).toEqual(Array(9).fill('error'));
  expect(new Set(lines.map(([, , message]) => message)).size).toBe(9);
  expect(lines.filter(([, , message]) => /delivery failed/.test(message))).toEqual([]);
  tell(refuse(503, 'Maintenance.'), 'upkeep');
  expect(lines.at(-1)).toEqual([
    'warn',
    { doing: 'upkeep', status: 503, reason: { detail: 'Maintenance.' } },
    'this was refused',
  ]);
});

test('a refused address is told of once in a while for each webhook, other failures not at all', () => {
  lines.length = 0;
  let now = 1_000_000;
  const tell = refusalsTo(log, () => now);
  const finished = (webhookId: number, kind: string | null) =>
    ({
      delivery: { id: 7, webhookId },
      outcome: { error: kind === null ? null : { kind, text: 'Not allowed: 10.0.0.1' } },
    }) as unknown as Finished;
  tell(finished(1, null));
  tell(finished(1, 'status'));
  expect(lines).toEqual([]);
  for (const webhook of [1, 1, 2, 1]) tell(finished(webhook, 'policy'));
  expect(lines.map(([level, { webhook, reason }]) => [level, webhook, reason])).toEqual([
    ['warn', 1, 'Not allowed: 10.0.0.1'],
    ['warn', 2, 'Not allowed: 10.0.0.1'],
  ]);
  now += 60_001;
  tell(finished(1, 'policy'));
  expect(lines).toHaveLength(3);
});
