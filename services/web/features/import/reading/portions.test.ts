import { expect, test } from '@jest/globals';
import { portionsOf, unpacked, unpackedInTurn } from './portions.ts';
import { repeatsIn } from './repeats.ts';
import type { Row } from './rows.ts';

const PLENTY = 10_000_000;
const row = (line: number, values: Row['values'], places: Row['places'] = { name: 1 }): Row => ({
  line,
  values,
  places,
});
const back = async (rows: Row[]): Promise<Row[][]> =>
  Promise.all([...portionsOf(rows)].map((one) => unpacked(one, PLENTY)));

test('rows come back as they were, in portions of 500', async () => {
  const places = { name: 1, site: [3, 4] as const };
  const rows = Array.from({ length: 1_001 }, (_, i) =>
    row(i, { name: `ä${i}`, x: [1, { a: null }] }, i % 2 ? places : { name: i }),
  );
  const portions = await back(rows);
  expect(portions.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(portions.flat()).toEqual(rows);
});

test('large rows, and those with many objects in them, make smaller portions', async () => {
  expect(
    (await back(Array.from({ length: 10 }, (_, i) => row(i, { x: 'x'.repeat(200_000) })))).map(({ length }) => length),
  ).toEqual([2, 2, 2, 2, 2]);
  const parts = Array.from({ length: 999 }, () => ({ a: 1 }));
  expect((await back(Array.from({ length: 5 }, (_, i) => row(i, { parts })))).map(({ length }) => length)).toEqual([
    2, 2, 1,
  ]);
  expect((await back([row(1, { x: 'x'.repeat(900_000) }), row(2, {})])).map(({ length }) => length)).toEqual([1, 1]);
});

test('what is no portion, or larger than it may be, is not unpacked', async () => {
  const [portion] = [...portionsOf([row(1, { x: 'x'.repeat(100_000) })])];
  // A hundred thousand equal letters compress to almost nothing.
  expect(portion!.length).toBeLessThan(240);
  await expect(unpacked(portion!, 10_000)).rejects.toThrow();
  for (const spoilt of ['', 'x', portion!.slice(0, 20)]) await expect(unpacked(spoilt, PLENTY)).rejects.toThrow();
});

test('values that stand twice are told, with where they stood before', () => {
  const rows = [
    row(2, { slug: 'a', name: '' }),
    row(3, { slug: 'b', name: '' }),
    row(4, { slug: 'a', name: 1 }),
    row(5, { slug: 'a' }),
  ];
  expect(repeatsIn(rows, ['name', 'slug', 'toString'], 10)).toEqual([
    { line: 4, field: 'slug', before: 2 },
    { line: 5, field: 'slug', before: 2 },
  ]);
  expect(repeatsIn(rows, ['slug'], 1)).toHaveLength(1);
});

test('a row that is too large to travel is refused where there are several', () => {
  const large = row(7, { x: 'x'.repeat(900_000), y: 'y'.repeat(900_000), z: 'z'.repeat(900_000) });
  expect([...portionsOf([large])]).toHaveLength(1);
  expect(() => [...portionsOf([row(1, {}), large])]).toThrow(
    expect.objectContaining({ text: 'importRowSize', at: { line: 7 } }),
  );
});

test('portions that nobody can have made are not gone through', async () => {
  const [portion] = [...portionsOf([row(1, { x: 'x'.repeat(100_000) })])];
  const through = async (count: number, bytes: number) => {
    let rows = 0;
    for await (const some of unpackedInTurn(
      Array.from({ length: count }, () => portion!),
      bytes,
    ))
      rows += some.length;
    return rows;
  };
  expect(await through(9, 1_000_000)).toBe(9);
  await expect(through(5_000, 1_000_000)).rejects.toThrow('these are no portions');
  const { deflateRawSync } = await import('node:zlib');
  const many = deflateRawSync(`{"rows":[${'[1,{}],'.repeat(500)}[1,{}]]}`).toString('base64url');
  await expect(unpacked(many)).rejects.toThrow('this is no portion');
});
