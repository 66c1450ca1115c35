import { expect, test } from '@jest/globals';
import { day, wholeDay } from './day.ts';

const now = Date.parse('2026-11-23T12:34:56Z');
const hour = { hour: '2026-11-23T11:00:00.000000Z', succeeded: 3, failed: 1, median_ms: 40, p95_ms: 1_900 };

test('a day has 24 hours up to now, whatever happened in them', () => {
  const all = wholeDay([hour], now);
  expect(all).toHaveLength(24);
  expect([all[0]!.hour, all[22], all[23]!.hour]).toEqual([
    '2026-11-22T13:00:00.000Z',
    hour,
    '2026-11-23T12:00:00.000Z',
  ]);
});

test('a picture of it, in which each hour leads to its deliveries', () => {
  const { hour: _, ...figures } = hour;
  const html = String(day({ ...figures, hours: [hour] }, '/list/?webhook_id=1', now));
  expect(html).toContain('<strong class="no">75 %</strong> <span class="faint">3 of 4</span>');
  expect(html).toContain(
    'href="/list/?webhook_id=1&amp;finished__gte=2026-11-23T11%3A00%3A00.000000Z&amp;finished__lt=2026-11-23T12%3A00%3A00.000Z" aria-label="11:00 UTC: 3 succeeded, 1 failed"',
  );
  expect(html).toContain('half within 40 ms, 95 % within 1.9 s');
  // Failures stand below, what succeeded above them: together as high as the picture.
  expect(html).toContain('<rect class="bad" x="264" y="45.0" width="10" height="15.0"/>');
  expect(html).toContain('<rect class="good" x="264" y="0.0" width="10" height="45.0"/>');
});

test('nothing is said of nothing, and little of a rate that is nearly whole', () => {
  expect(String(day({ succeeded: 0, failed: 0, median_ms: null, p95_ms: null, hours: [] }, '/', now))).toContain(
    'Nothing was sent',
  );
  const almost = { succeeded: 9_999, failed: 1, median_ms: 1, p95_ms: 2, hours: [] };
  expect(String(day(almost, '/', now))).toContain('&gt; 99.9 %');
});
