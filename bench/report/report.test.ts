import { describe, expect, test } from '@jest/globals';
import { comparison, timesAsGood } from './compare.ts';
import { amount, memoryTable, rate, table, verdict } from './report.ts';

const figure = (perSecond: number, failed = 0) => ({ perSecond, p50: 3, p99: 12.34, failed });

describe('a report', () => {
  test('says of each target whether it was met, and by how much it was missed', () => {
    expect(verdict(1500, 1500, 'more')).toBe('target 1,500 met');
    expect(verdict(1200, 1500, 'more')).toBe('target 1,500 missed by 20 %');
    expect(verdict(0.996, 1, 'more')).toBe('target 1 missed by 0.4 %');
    expect(verdict(400, 400, 'less')).toBe('target 400 met');
    expect(verdict(500, 400, 'less')).toBe('target 400 missed by 25 %');
  });

  test('has its cells below each other', () => {
    const lines = [
      rate('one site', figure(1000), { beside: { perSecond: 2000, name: 'the floor', wanted: 0.5 } }),
      rate('bulk', figure(10, 2), { times: 100, unit: 'rows', target: 2000 }),
      amount('memory idle', 380.4, 'MB', { target: 400 }),
    ];
    expect(table(lines).split('\n')).toEqual([
      'one site     1,000 requests/s                               0.50 of the floor (2,000/s), target 0.5 met  p50 3 ms  p99 12.3 ms',
      'bulk         1,000 rows/s      target 2,000 missed by 50 %                                               p50 3 ms  p99 12.3 ms  2 FAILED',
      'memory idle  380 MB            target 400 met',
    ]);
  });

  test('adds up what processes take', () => {
    const processes = [
      { name: 'auth and 8 more', services: [], pss: 250, rss: 300 },
      { name: 'postgres', services: [], pss: 90.4, rss: 1000 },
    ];
    expect(memoryTable(processes).split('\n').at(-1)).toBe('all              PSS    340 MB  RSS   1300 MB');
  });
});

describe('two forms', () => {
  test('are as good as each other by rates, and by the times and sizes that they need', () => {
    expect(timesAsGood(200, 100, 'more')).toBe(2);
    expect(timesAsGood(5, 20, 'less')).toBe(4);
    expect(timesAsGood(5, 0, 'more')).toBeUndefined();
    expect(timesAsGood(0, 5, 'less')).toBeUndefined();
  });

  const run = (form: string, perSecond: number, seconds: number) => ({
    form,
    parts: new Map([
      ['start', [amount('first start', seconds, 's')]],
      ['sites', [rate('one site', figure(perSecond), { against: 1.7 })]],
    ]),
  });

  test('stand beside each other, with what is wanted of the ratio', () => {
    expect(comparison(run('default', 2000, 4), run('each', 1000, 18)).split('\n')).toEqual([
      '               default           each              times as good',
      'start',
      '  first start  4 s               18 s              4.50',
      'sites',
      '  one site     2,000 requests/s  1,000 requests/s  2.00           target 1.7 met',
    ]);
  });

  test('are judged by what is wanted against a process each, and no other', () => {
    expect(comparison(run('default', 1500, 4), run('each', 1000, 4))).toContain('target 1.7 missed by 12 %');
    expect(comparison(run('default', 1500, 4), run('2', 1000, 4))).not.toContain('target');
  });

  test('a line that only one has is shown without a ratio', () => {
    const empty = { form: 'each', parts: new Map() };
    expect(
      comparison(run('default', 1500, 4), empty)
        .split('\n')
        .at(-1),
    ).toBe('  one site     1,500 requests/s  -     -');
  });
});
