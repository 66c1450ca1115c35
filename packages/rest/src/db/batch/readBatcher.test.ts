import { expect, test } from '@jest/globals';
import { ReadBatcher } from './readBatcher.ts';
import type { Executor } from '../sql.ts';

interface Said {
  text: string;
  values: unknown[];
}
/** A database that writes down what it is asked, and answers by what it is asked. */
function database(answer: (said: Said) => unknown[][]): { reads: ReadBatcher; asked: Said[] } {
  const asked: Said[] = [];
  const query = async ({ text, values }: Said) => {
    asked.push({ text, values });
    return { rows: answer({ text, values }) };
  };
  return { reads: new ReadBatcher({ query } as unknown as Executor), asked };
}
const BY_ID = 'select t.id, t.name from t where t.id = any($1)';
/** Objects 1 to 5. */
const byId = ({ values: [ids] }: Said) => (ids as string[]).filter((id) => Number(id) <= 5).map((id) => [id, `n${id}`]);

test('who asks for the same in one turn shares a statement', async () => {
  const { reads, asked } = database(({ values }) => [[String(values[0])]]);
  const statement = (value: number) => ({ text: 'select $1', values: [value] });
  expect(await Promise.all([reads.rows(statement(1)), reads.rows(statement(2)), reads.rows(statement(1))])).toEqual([
    [['1']],
    [['2']],
    [['1']],
  ]);
  expect(asked.map(({ values }) => values)).toEqual([[1], [2]]);
});

test('who asks later asks anew', async () => {
  const { reads, asked } = database(() => []);
  await reads.rows({ text: 'select 1', values: [] });
  await reads.rows({ text: 'select 1', values: [] });
  expect(asked).toHaveLength(2);
});

test('nothing is sent before the turn has ended', async () => {
  const { reads, asked } = database(() => []);
  const rows = reads.rows({ text: 'select 1', values: [] });
  await Promise.resolve();
  expect(asked).toEqual([]);
  await rows;
  expect(asked).toHaveLength(1);
});

test('objects by id are looked up together, each for whom it concerns', async () => {
  const { reads, asked } = database(byId);
  expect(await Promise.all(['3', '1', '9', '3'].map((id) => reads.row(BY_ID, [], id)))).toEqual([
    ['3', 'n3'],
    ['1', 'n1'],
    undefined,
    ['3', 'n3'],
  ]);
  expect(asked).toEqual([{ text: BY_ID, values: [['3', '1', '9']] }]);
});

test('who may see other objects asks by another statement', async () => {
  const { reads, asked } = database(byId);
  await Promise.all([reads.row(BY_ID, ['a'], '1'), reads.row(BY_ID, ['b'], '1')]);
  expect(asked.map(({ values }) => values)).toEqual([
    [['1'], 'a'],
    [['1'], 'b'],
  ]);
});

test('what fails, fails for all who asked for it, and for nobody else', async () => {
  const { reads } = database(({ text, values }) => {
    if (text === 'bad' || values.includes('bad')) throw new Error('broken');
    return byId({ text, values });
  });
  const outcomes = await Promise.allSettled([
    reads.rows({ text: 'bad', values: [] }),
    reads.row(BY_ID, ['bad'], '1'),
    reads.row(BY_ID, ['bad'], '2'),
    reads.row(BY_ID, [], '2'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
});
