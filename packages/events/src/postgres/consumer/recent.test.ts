import { expect, test } from '@jest/globals';
import { fitting, readRecent, type RecentOptions } from './recent.ts';
import type { Contents, TailRow } from './tail.ts';

const row = (
  position: number,
  key: string,
  { aside = null as string | null, size = 1, partition = 0 } = {},
): TailRow => ({
  topicId: 7,
  partition,
  position: BigInt(position),
  key,
  aside,
  size,
});
const stretches = (...rows: TailRow[]) =>
  [...Map.groupBy(rows, ({ partition }) => partition)].map(([partition, some]) => ({
    topicId: 7,
    partition,
    rows: some,
  }));
const tail = {
  contents: async (rows: readonly TailRow[]): Promise<Contents[] | undefined> =>
    rows.map(({ position }) => ({ time: new Date(0), headers: null, value: `v${position}` })),
};
const options: RecentOptions = { topics: [{ id: 7, name: 'seven', partitions: 2 }], limit: 10, maxBytes: 100 };
const good = async () => (kind: string) => kind === 'good';
const read = async (rows: TailRow[], more: Partial<RecentOptions> = {}) => {
  const batch = await readRecent(tail, stretches(...rows), { ...options, ...more });
  return {
    values: batch!.messages.map(({ topic, value }) => `${topic} ${value}`),
    read: batch!.read.map(({ partition, position, message }) => `${partition} ${position} ${message}`),
    full: batch!.full,
  };
};

test('all that lies ahead is read, to its end', async () => {
  expect(await read([row(1, 'a:1'), row(4, 'b:1'), row(3, 'a:2', { partition: 1 })])).toEqual({
    values: ['seven v1', 'seven v4', 'seven v3'],
    read: ['0 1 0', '0 4 1', '0 4 null', '1 3 2', '1 3 null'],
    full: false,
  });
  expect(await read([])).toEqual({ values: [], read: [], full: false });
});

test('what does not matter is passed over, and nothing is loaded of it', async () => {
  expect(await read([row(1, 'bad:1'), row(2, 'good:1'), row(5, 'bad:2')], { wants: good })).toEqual({
    values: ['seven v2'],
    read: ['0 2 0', '0 5 null'],
    full: false,
  });
  const none = { contents: () => Promise.reject(new Error('loaded')) };
  expect((await readRecent(none, stretches(row(1, 'bad:1')), { ...options, wants: good }))!.read).toHaveLength(1);
});

test('a batch that does not hold all ends with its last message', async () => {
  expect(await read([row(1, 'a:1'), row(2, 'a:1'), row(3, 'a:1')], { limit: 2 })).toEqual({
    values: ['seven v1', 'seven v2'],
    read: ['0 1 0', '0 2 1'],
    full: true,
  });
});

test('the first message of a batch is in, however large it is, and one that begins below the limit', () => {
  const sizes = (maxBytes: number, ...all: number[]) =>
    fitting(
      all.map((size, i) => row(i, 'a:1', { size })),
      10,
      maxBytes,
    ).map(({ size }) => size);
  expect([sizes(10, 50, 1), sizes(10, 5, 6, 7), sizes(10, 1, 2), sizes(10, 10, 1)]).toEqual([
    [50],
    [5, 6],
    [1, 2],
    [10],
  ]);
});

test('messages that say that they do not concern the group come where they are relevant, or others of the same key do', async () => {
  const asked: string[][] = [];
  const relevance = {
    names: ['me'],
    relevant: async (keys: readonly string[]) => {
      asked.push([...keys]);
      return new Set(['good:3']);
    },
  };
  const rows = [
    row(1, 'good:1', { aside: 'me' }),
    row(2, 'good:1'),
    row(3, 'good:2', { aside: 'you me' }),
    row(4, 'good:3', { aside: 'me' }),
    row(5, 'good:4', { aside: 'you' }),
    row(6, 'bad:5', { aside: 'me' }),
  ];
  expect((await read(rows, { wants: good, relevance })).values).toEqual([
    'seven v1',
    'seven v2',
    'seven v4',
    'seven v5',
  ]);
  expect(asked).toEqual([['good:2', 'good:3']]);
});

test('where a message is gone it says so', async () => {
  const gone = { contents: async () => undefined };
  expect(await readRecent(gone, stretches(row(1, 'a:1')), options)).toBeUndefined();
});
