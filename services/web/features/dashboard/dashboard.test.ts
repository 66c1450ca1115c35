import { expect, test } from '@jest/globals';
import {
  arranged,
  changed,
  type Dashboard,
  dashboardOf,
  fresh,
  kindOf,
  KINDS,
  usual,
  type Widget,
  widgetsIn,
} from './dashboard.ts';

const some = (): Widget[] => [
  fresh(KINDS.counts, 12, {}, 'a'),
  fresh(KINDS.bookmarks, 4, { title: 'Mine' }, 'b'),
  fresh(KINDS.note, 6, { content: 'x' }, 'c'),
];
const ids = (widgets: readonly Widget[]) => widgets.map(({ id }) => id).join('');

test('who has laid out nothing has what everybody has; who has removed everything, nothing', () => {
  expect(widgetsIn({ layout: null, config: null }, [])).toEqual(usual([]));
  expect(widgetsIn({ layout: [], config: {} }, [])).toEqual([]);
});
test('everybody has what services add for everybody', () => {
  const widget = { name: 'own', kind: 'x.Own', title: 'Own', render: async () => undefined };
  const ids = (...more: object[]) =>
    usual(more.map((one) => ({ ...widget, ...one })))
      .slice(4)
      .map(({ id, kind, width }) => [id, kind, width]);
  expect(ids({ usual: 6 }, { name: 'other' })).toEqual([['usual-own', 'x.Own', 6]]);
});
test('what is kept is read again', () => {
  const kept = dashboardOf(some());
  expect(kept.layout.map(({ x, y, w }) => [x, y, w])).toEqual([
    [0, 0, 12],
    [0, 1, 4],
    [4, 1, 6],
  ]);
  const again = widgetsIn(kept, []);
  expect(again.map(({ id, kind, title, width, config }) => ({ id, kind, title, width, config }))).toEqual(
    some().map(({ id, kind, title, width, config }) => ({ id, kind, title, width, config })),
  );
});
test('widgets of other clients, and what else is said of ours, stay as they are', () => {
  const there = {
    layout: [
      { id: 'z', x: 4, y: 0, w: 4, h: 9, more: 1 },
      { id: 'gone', x: 0, y: 0, w: 4 },
      { id: 'q', x: 0, y: 0, w: 4 },
    ],
    config: {
      z: { class: 'extras.RSSFeedWidget', title: null, color: 'red', config: { feed_url: 'x' } },
      q: { class: 'x' },
    },
  };
  const widgets = widgetsIn(there as unknown as Dashboard, []);
  expect([ids(widgets), kindOf(widgets[1]!)]).toEqual(['qz', undefined]);
  const kept = dashboardOf(widgets);
  expect(kept.layout[1]).toEqual({ id: 'z', x: 4, y: 0, w: 4, h: 9, more: 1 });
  expect(kept.config['z']).toEqual(there.config.z);
});
test.each([
  ['earlier', 'b', 'bac'],
  ['earlier', 'a', 'abc'],
  ['later', 'b', 'acb'],
  ['later', 'c', 'abc'],
  ['remove', 'a', 'bc'],
  ['remove', 'nobody', 'abc'],
] as const)('%s %s', (change, id, order) => expect(ids(changed(some(), id, change))).toBe(order));
test.each([
  ['c:6 a:12 b:8', 'c6 a12 b8'],
  ['c:6', 'c6 a12 b4'],
  ['c:99 c:0 nobody:4 b a:x', 'c1 a12 b4'],
  ['', 'a12 b4 c6'],
])('arranged as %p', (order, said) =>
  expect(
    arranged(some(), order)
      .map(({ id, width }) => id + width)
      .join(' '),
  ).toBe(said),
);
test('widths go step by step and end', () => {
  const width = (change: 'wider' | 'narrower', id: string) =>
    changed(some(), id, change).find((one) => one.id === id)!.width;
  expect([width('wider', 'b'), width('narrower', 'b'), width('wider', 'a'), width('narrower', 'c')]).toEqual([
    6, 4, 12, 4,
  ]);
});
test.each([
  { layout: 'x', config: {} },
  { layout: [1, null, {}], config: { a: 1 } },
] as never[])('nonsense does no harm: %j', (there) => expect(Array.isArray(widgetsIn(there, []))).toBe(true));
