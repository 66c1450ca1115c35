import { expect, test } from '@jest/globals';
import { configOf, knownPreferences, preferencesIn } from './preferences.ts';

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

test('they are read once, again when they are another, and do without the service', async () => {
  let asked = 0;
  const api = {
    async get<T>(): Promise<T> {
      asked += 1;
      return { ui: { colormode: 'dark' } } as T;
    },
  };
  const known = knownPreferences();
  expect((await known.of(1, api)).scheme).toBe('dark');
  await known.of(1, api);
  expect(asked).toBe(1);
  known.forget(1);
  await known.of(1, api);
  expect(asked).toBe(2);
  expect((await known.of(2, { get: () => Promise.reject(new Error()) })).scheme).toBe('system');
  expect((await known.of(2, api)).scheme).toBe('dark');
});
