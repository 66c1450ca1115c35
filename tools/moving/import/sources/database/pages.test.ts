import { expect, test } from '@jest/globals';
import type { Ask } from './layout.ts';
import { objectsOf } from './pages.ts';

/** A table with a number of objects, each with a text of a given length; `asked` are the limits of its pages. */
function table(count: number, length: number) {
  const asked: number[] = [];
  const ask: Ask = async (_, [after, limit] = []) => {
    asked.push(Number(limit));
    const size = Math.min(Number(limit), count - Number(after));
    return Array.from({ length: size }, (_, i) => [
      JSON.stringify({ id: Number(after) + i + 1, text: 'x'.repeat(length) }),
    ]);
  };
  return { ask, asked };
}

const plan = { page: 'select', finish: <T>(row: T): T => row };

async function read(count: number, length: number) {
  const { ask, asked } = table(count, length);
  const ids: unknown[] = [];
  for await (const { id } of objectsOf(ask, plan, 0, 1000)) ids.push(id);
  return { ids, asked };
}

test.each([
  ['small', 0, 2100, [100, 1000, 1000, 1000]],
  ['large', 40_000, 350, [100, 99, 99, 99]],
  ['huge', 5_000_000, 3, [100]],
])('%s objects are fetched in pages that fit into memory, each once', async (_, length, count, limits) => {
  const { ids, asked } = await read(count, length);
  expect(ids).toEqual(Array.from({ length: count }, (_, i) => i + 1));
  expect(asked).toEqual(limits);
});

test('an end that falls on the end of a page is found', async () => {
  const { ids, asked } = await read(100, 0);
  expect([ids.length, asked]).toEqual([100, [100, 1000]]);
  expect(await read(0, 0)).toEqual({ ids: [], asked: [100] });
});

test('an error while the next page is fetched is told when that is its turn', async () => {
  const { ask } = table(200, 0);
  const failing: Ask = (sql, values) => (values![0] === 0 ? ask(sql, values) : Promise.reject(new Error('gone')));
  const ids: unknown[] = [];
  const reading = (async () => {
    for await (const { id } of objectsOf(failing, plan, 0, 1000)) ids.push(id);
  })();
  await expect(reading).rejects.toThrow('gone');
  expect(ids).toHaveLength(100);
});
