import { expect, test } from '@jest/globals';
import { userConfigs, NOTHING_KEPT } from './userConfig.ts';

/** An API that keeps a configuration for each version, and records the requests it received. */
function api(current: string) {
  const state = { current, asked: 0, away: false };
  return {
    state,
    async ask<T>() {
      state.asked += 1;
      if (state.away) throw new Error('away');
      return {
        status: 200,
        body: { is: state.current } as T,
        headers: new Headers({ etag: `"${state.current}"` }),
      };
    },
  };
}
const user = (configVersion?: string, userId = 1) => ({
  userId,
  ...(configVersion === undefined ? {} : { configVersion }),
});

test('each version is asked for once, for each user', async () => {
  const asked = api('a');
  const known = userConfigs();
  for (let i = 0; i < 3; i++) expect(await known.of(user('a'), asked)).toEqual({ is: 'a' });
  expect(asked.state.asked).toBe(1);
  await known.of(user('a', 2), asked);
  expect(asked.state.asked).toBe(2);
  asked.state.current = 'b';
  expect(await known.of(user('b'), asked)).toEqual({ is: 'b' });
  expect(await known.of(user('a'), asked)).toEqual({ is: 'a' });
  expect(asked.state.asked).toBe(3);
});
test('who has kept nothing is not asked for', async () => {
  const asked = api('a');
  expect(await userConfigs().of(user(''), asked)).toBe(NOTHING_KEPT);
  expect(asked.state.asked).toBe(0);
});
test('what is newer than the identity is shown, but not kept under its version', async () => {
  const asked = api('b');
  const known = userConfigs();
  expect(await known.of(user('a'), asked)).toEqual({ is: 'b' });
  asked.state.current = 'a';
  expect(await known.of(user('a'), asked)).toEqual({ is: 'a' });
});
test('where no version is known, it is asked each time', async () => {
  const asked = api('a');
  const known = userConfigs();
  await known.of(user(), asked);
  await known.of(user(), asked);
  expect(asked.state.asked).toBe(2);
});
test('pages do without the service, and ask again when it is back', async () => {
  const asked = api('a');
  const known = userConfigs();
  asked.state.away = true;
  expect(await known.of(user('a'), asked)).toEqual({});
  asked.state.away = false;
  expect(await known.of(user('a'), asked)).toEqual({ is: 'a' });
});
