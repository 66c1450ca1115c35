import { expect, test } from '@jest/globals';
import { UsageError } from './command.ts';
import { users } from './users.ts';

async function run(words: string[], removed = 2) {
  const asked: string[] = [];
  const printed: string[] = [];
  const send = async (method: string, path: string) => {
    asked.push(`${method} ${path}`);
    return method === 'GET' ? { results: [{ id: 7, username: 'ada' }] } : { removed };
  };
  const failure = await users
    .run(words, { send, print: (line) => printed.push(line), service: undefined, all: false })
    .then(
      () => undefined,
      (error: Error) => error,
    );
  return { asked, printed, failure };
}

test('takes the second factors of the one who is named', async () => {
  const { asked, printed } = await run(['reset-factors', 'ada']);
  expect(asked).toEqual(['GET /api/users/users/?username=ada', 'POST /api/users/users/7/reset-factors/']);
  expect(printed).toEqual(['ada had 2 second factors and has none now.']);
  expect((await run(['reset-factors', 'ada'], 0)).printed).toEqual(['ada has no second factor.']);
});

test('of nobody else', async () => {
  const { asked, failure } = await run(['reset-factors', 'ad']);
  expect([asked.length, failure?.message]).toEqual([1, 'There is no user ad.']);
  for (const words of [['reset-factors'], ['reset-factors', 'ada', 'bob'], ['reset', 'ada']])
    expect((await run(words)).failure).toBeInstanceOf(UsageError);
});
