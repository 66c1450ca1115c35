import { describe, expect, it } from '@jest/globals';
import { share } from './group.ts';

const topics = [
  { id: 1, name: 'a', partitions: 4 },
  { id: 2, name: 'b', partitions: 1 },
  { id: 3, name: 'c', partitions: 1 },
];
const all = topics.flatMap(({ id, partitions }) =>
  Array.from({ length: partitions }, (_, partition) => `${id}/${partition}`),
);
const shares = (members: { id: string; topics: number[] }[]): string[][] =>
  members.map(({ id, topics: mine }) =>
    share(
      id,
      members,
      topics.filter((topic) => mine.includes(topic.id)),
    ).map(({ topicId, partition }) => `${topicId}/${partition}`),
  );

describe('share', () => {
  it('gives a lone member everything', () => expect(shares([{ id: 'x', topics: [1, 2, 3] }])).toEqual([all]));

  it('gives each partition to exactly one member, evenly, whatever the order of the list', () => {
    const parts = shares([
      { id: 'y', topics: [1, 2, 3] },
      { id: 'x', topics: [1, 2, 3] },
    ]);
    expect(parts.flat().sort()).toEqual(all);
    expect(parts.map((part) => part.length)).toEqual([3, 3]);
  });

  it('gives nobody a topic that it does not follow', () => {
    const [x = [], y = []] = shares([
      { id: 'x', topics: [1] },
      { id: 'y', topics: [1, 2, 3] },
    ]);
    expect([...x, ...y].sort()).toEqual(all);
    expect(x.every((place) => place.startsWith('1/'))).toBe(true);
  });
});
