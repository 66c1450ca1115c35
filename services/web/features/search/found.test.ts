import { expect, test } from '@jest/globals';
import { bestFirst, hitsOf, rankOf } from './found.ts';

test.each([
  ['edge-1', 'edge-1', 0],
  ['EDGE-1', ' edge-1 ', 0],
  ['10.0.0.1/24', '10.0.0.1', 0],
  ['edge-10', 'edge-1', 1],
  ['the edge', 'edge', 2],
  ['core', 'edge', 3],
])('%s fits %s as %d', (name, asked, rank) => expect(rankOf(name, asked)).toBe(rank));

const object = (id: number, display: string, more = {}) => ({ id, url: `http://x/api/a/bs/${id}/`, display, ...more });

test('hits lead to pages, the best first; what has no page is no hit', () => {
  const pageOf = (url: string) => (url.endsWith('/9/') ? undefined : `/a/bs/${/(\d+)\/$/.exec(url)![1]}/`);
  expect(
    hitsOf([object(1, 'xedge'), object(9, 'edge'), object(2, 'edge', { description: 'd' })], 'edge', pageOf),
  ).toEqual([
    { label: 'edge', href: '/a/bs/2/', description: 'd', rank: 0 },
    { label: 'xedge', href: '/a/bs/1/', description: '', rank: 2 },
  ]);
});

test('types whose objects bear the name come first, others keep their order', () => {
  const of = (label: string, rank: number) => ({
    label,
    href: '',
    count: 1,
    more: false,
    hits: [{ label, href: '', description: '', rank }],
  });
  expect(bestFirst([of('a', 3), of('b', 2), of('c', 0), of('d', 1)]).map(({ label }) => label)).toEqual([
    'c',
    'd',
    'a',
    'b',
  ]);
});
