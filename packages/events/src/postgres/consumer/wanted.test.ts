import { expect, test } from '@jest/globals';
import type { Batch } from './read.ts';
import { type Ahead, lookOver, reached } from './wanted.ts';

const places = [1, 2, 3].map(
  (partition): Ahead => ({
    topicId: 7,
    partition,
    after: '0',
    upto: `${partition}9`,
    kinds: { a: 2 },
    aside: {},
    missed: false,
  }),
);
const message = (partition: number, position: string) => ({ topicId: 7, partition, position });
const read = (messages: ReturnType<typeof message>[], whole: boolean) =>
  reached(places, messages, whole).map(
    ({ partition, position, message: index }) => `${partition} ${position} ${index}`,
  );

test('partitions are read to the end of what was looked over', () => {
  expect(read([message(1, '11'), message(3, '31'), message(3, '32')], true)).toEqual([
    '1 11 0',
    '1 19 null',
    '2 29 null',
    '3 31 1',
    '3 32 2',
    '3 39 null',
  ]);
  expect(read([], true)).toEqual(['1 19 null', '2 29 null', '3 39 null']);
});

test('a batch that does not hold all that is wanted ends with its last message', () => {
  expect(read([message(1, '11'), message(1, '12')], false)).toEqual(['1 11 0', '1 12 1']);
  expect(read([message(2, '21')], false)).toEqual(['1 19 null', '2 21 0']);
});

test('the fewer are wanted, the more are looked over', () => {
  const batch = (messages: number, looked: number) =>
    ({ messages: Array(messages), looked }) as Pick<Batch, 'messages' | 'looked'>;
  expect(
    [batch(200, 200), batch(100, 400), batch(0, 200), batch(1, 2_000), batch(0, 0)].map((one) => lookOver(one, 200)),
  ).toEqual([200, 800, 2_000, 2_000, 200]);
});
