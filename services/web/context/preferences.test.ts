import { expect, test } from '@jest/globals';
import { configOf, preferencesIn } from './preferences.ts';

const none = { scheme: 'system', language: undefined, zone: undefined, perPage: undefined, keys: true };

test('what was chosen is found again', () => {
  const chosen = { scheme: 'dark', language: 'de', zone: 'Europe/Zurich', perPage: 100 } as const;
  expect(preferencesIn(configOf(chosen))).toEqual({ ...chosen, keys: true });
  expect(preferencesIn({ ui: { keys: false } })).toEqual({ ...none, keys: false });
  expect(preferencesIn(configOf({}))).toEqual(none);
});
test.each([
  {},
  { ui: null, locale: 'de', pagination: [1] },
  { ui: { colormode: 'pink' }, locale: { language: 7, timezone: 'Mars/Olympus' }, pagination: { per_page: '50' } },
])('what makes no sense counts as not chosen: %j', (config) => expect(preferencesIn(config as never)).toEqual(none));
