import { expect, test } from '@jest/globals';
import type { Ids } from '../mapping/ids.ts';
import { bringPreferences } from './preferences.ts';
import type { Preferences, Source } from '../sources/source.ts';
import type { Outcome, Target } from '../target.ts';

const ids = { of: (type: string, id: number) => (type === 'users.user' && id === 4 ? 40 : id) } as Ids;

function between(given: Preferences[] | undefined, outcomeOf: (id: number) => Outcome) {
  const asked: [string, unknown[], boolean][] = [];
  const source = (
    given
      ? {
          preferences: async function* all() {
            yield* given;
          },
        }
      : {}
  ) as Source;
  const target = {
    async store(path: string, objects: readonly string[], dryRun: boolean) {
      const sent = objects.map((text) => JSON.parse(text) as { id: number });
      asked.push([path, sent, dryRun]);
      return sent.map(({ id }) => outcomeOf(id));
    },
  } as unknown as Target;
  return { asked, bring: (dryRun = false) => bringPreferences({ source, target, ids, dryRun }) };
}
const made = (id: number): Outcome => ({ id, outcome: 'created' });
const config = { ui: { colormode: 'dark' } };

test('they come to the users as those are numbered here', async () => {
  const { asked, bring } = between(
    [
      { user: 4, config },
      { user: 5, config },
    ],
    made,
  );
  expect(await bring()).toMatchObject([{ type: 'users.userconfig', read: 2, created: 2 }]);
  expect(asked).toEqual([
    [
      'users/config',
      [
        { id: 40, data: config },
        { id: 5, data: config },
      ],
      false,
    ],
  ]);
});
test('a dry run says so', async () => {
  const { asked, bring } = between([{ user: 5, config }], made);
  await bring(true);
  expect(asked[0]![2]).toBe(true);
});
test('what is refused is told with the number of the source', async () => {
  const { bring } = between([{ user: 4, config }], (id) => ({
    id,
    outcome: 'refused',
    errors: { id: ['There is no user 40.'] },
  }));
  const [tally] = await bring();
  expect(tally!.told.refused).toEqual({ count: 1, cases: [{ id: 4, told: 'id: There is no user 40.' }] });
});
test('a source that tells nothing of them is asked for nothing', async () => {
  const { asked, bring } = between(undefined, made);
  expect([await bring(), asked]).toEqual([[], []]);
});
