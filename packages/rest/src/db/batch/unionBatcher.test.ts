import { expect, test } from '@jest/globals';
import type { Executor } from '../sql.ts';
import { UnionBatcher } from './unionBatcher.ts';

interface Said {
  text: string;
  values: unknown[];
}
/** A database that writes down what it is asked, and answers with these rows. */
function database(rows: unknown[][] | Error): { executor: Executor; asked: Said[] } {
  const asked: Said[] = [];
  const query = async ({ text, values }: Said) => {
    asked.push({ text, values });
    if (rows instanceof Error) throw rows;
    return { rows };
  };
  return { executor: { query } as unknown as Executor, asked };
}

test('what is asked for at once is asked in one statement, and each gets its own', async () => {
  const { executor, asked } = database([
    ['0', '1', '5'],
    ['1', '2', '{7,8}'],
    ['1', '1', '{}'],
  ]);
  const together = new UnionBatcher(executor);
  expect(await Promise.all([together.rows('select a', ['1']), together.rows('select b', ['2'])])).toEqual([
    [['1', '5']],
    [['2', '{7,8}']],
  ]);
  expect(asked).toEqual([
    {
      text: 'select 0::int, x.id::text, x.value::text from (select a) as x (id, value) union all select 1::int, x.id::text, x.value::text from (select b) as x (id, value)',
      values: [['1', '2']],
    },
  ]);
});

test('what is asked for alone is asked as it is', async () => {
  const { executor, asked } = database([['1', '5']]);
  const together = new UnionBatcher(executor);
  expect([await together.rows('select a', ['1']), await together.rows('select b', ['1'])]).toEqual([
    [['1', '5']],
    [['1', '5']],
  ]);
  expect(asked.map(({ text }) => text)).toEqual(['select a', 'select b']);
});

test('when it fails, it fails for all who asked', async () => {
  const together = new UnionBatcher(database(new Error('away')).executor);
  expect(
    (await Promise.allSettled([together.rows('a', ['1']), together.rows('b', ['1'])])).map(({ status }) => status),
  ).toEqual(['rejected', 'rejected']);
});
