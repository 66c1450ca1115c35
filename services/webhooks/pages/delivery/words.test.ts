import { expect, test } from '@jest/globals';
import { adviceOn } from './advice.ts';
import { duration, pretty } from './attempts.ts';
import { doneIn, eventText } from './words.ts';

test('what was done is said in known words only', () => {
  const of = (text: string): string => String(doneIn(new URLSearchParams({ _done: text })));
  expect(of('requeued')).toContain('>The delivery was requeued.<');
  expect(of('requeued-1')).toContain('>1 delivery requeued.<');
  expect(of('cancelled-10000-more')).toContain('>10,000 deliveries cancelled. There are more; repeat it for those.<');
  expect(of('tested')).toContain('>The test is on its way.<');
  for (const other of ['', 'deleted-5', '<script>', 'requeued-x', 'requeued-1-mores']) expect(of(other)).toBe('');
});

test('what to do about a failure, by where it failed', () => {
  expect(adviceOn('tls', null, 'self-signed certificate')).toMatch(/ca_file_path.*ssl_verification/);
  expect(adviceOn('tls', null, 'TLS: wrong version number')).toMatch(/http:\/\//);
  expect(adviceOn('status', 401)).toContain('credentials');
  expect(adviceOn('status', 503)).toContain('failed by itself');
  for (const nothing of [adviceOn('status', 302), adviceOn(null, null), adviceOn('toString', null), adviceOn('new', 1)])
    expect(nothing).toBeUndefined();
});

test('events, times and texts as people read them', () => {
  expect(['object_updated', 'job_failed', 'other'].map(eventText)).toEqual(['Updated', 'Job failed', 'Other']);
  expect([12, 1_500, 61_000].map(duration)).toEqual(['12 ms', '1.5 s', '1 min 1 s']);
  expect([pretty('{"a":1}'), pretty('<b>'), pretty({ a: 1 })]).toEqual(['{\n  "a": 1\n}', '<b>', '{\n  "a": 1\n}']);
});
