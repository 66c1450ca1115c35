import { expect, test } from '@jest/globals';
import { layoutOf, spread } from './layout.ts';
import type { Box, Link, Port, Scene } from './scene.ts';

const port = (key: string): Port => ({ key, name: key, title: key, href: `/${key}/` });
const box = (key: string, above: string[], below: string[], more: Partial<Box> = {}): Box => ({
  key,
  kind: 'device',
  name: key,
  lines: [],
  href: '/',
  color: null,
  above: above.map(port),
  below: below.map(port),
  ...more,
});
const link = (near: string[], far: string[], name = 'c'): Link => ({
  near,
  far,
  cable: { name, details: [], title: name, href: '/', color: null, status: 'connected' },
});
const scene = (levels: Box[][], links: Link[][], more: Partial<Scene> = {}): Scene => ({
  title: 't',
  levels,
  links,
  ways: [],
  moreWays: 0,
  outcome: 'complete',
  summary: ['a', 'b'],
  ...more,
});

test('a path goes straight down from port to port', () => {
  const {
    boxes: [a, b],
    links: [cable],
    width,
    height,
  } = layoutOf(scene([[box('d', [], ['p'])], [box('e', ['q'], [])]], [[link(['p'], ['q'])]]));
  const [from, to] = [a!.ports[0]!.rect, b!.ports[0]!.rect];
  const middle = width / 2;
  expect(cable!.lines).toEqual([
    [
      { x: middle, y: from.y + from.height },
      { x: middle, y: cable!.card!.y },
    ],
    [
      { x: middle, y: cable!.card!.y + cable!.card!.height },
      { x: middle, y: to.y },
    ],
  ]);
  expect(b!.rect.y + b!.rect.height).toBeLessThan(height);
});

test('nothing lies over anything else, however many ends there are', () => {
  const names = Array.from({ length: 20 }, (_, i) => `q${i}`);
  const level = names.map((name) => box(`box-${name}`, [name], []));
  const { boxes, links, width } = layoutOf(
    scene(
      [[box('d', [], ['p', 'r'])], level],
      [
        [
          link(['p'], names.slice(0, 5), 'a cable with a long name'),
          link(['r'], names.slice(5), 'another cable with a long name'),
        ],
      ],
    ),
  );
  const rects = [...boxes.map(({ rect }) => rect), ...links.map(({ card }) => card!)];
  for (const a of rects)
    for (const b of rects)
      if (a !== b)
        expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(
          true,
        );
  for (const { x, width: w } of rects) expect([x >= 0, x + w <= width]).toEqual([true, true]);
  expect(links.map(({ lines }) => lines.length)).toEqual([6, 16]);
});

test('ports stay inside their box, and long names inside their port', () => {
  const {
    boxes: [a],
  } = layoutOf(
    scene(
      [
        [
          box(
            'd',
            [],
            Array.from({ length: 14 }, (_, i) => `a-port-with-a-very-long-name-${i}`),
          ),
        ],
      ],
      [],
    ),
  );
  for (const { rect, label } of a!.ports) {
    expect([rect.x >= a!.rect.x, rect.x + rect.width <= a!.rect.x + a!.rect.width]).toEqual([true, true]);
    expect(label).toMatch(/^.{1,12}…\S*$/);
  }
});

test('a path that comes back over the same port is drawn twice', () => {
  const { links } = layoutOf(
    scene(
      [[box('d', [], ['p'])], [box('e', ['q'], ['q'])], [box('d', ['p'], [])]],
      [[link(['p'], ['q'])], [link(['q'], ['p'])]],
    ),
  );
  expect(links.map(({ lines }) => lines.length)).toEqual([2, 2]);
  const tops = links.flatMap(({ lines }) => lines.map(([{ y }]) => y));
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
});

test('where it could go on is drawn in the last box, and what is not drawn is counted', () => {
  const {
    boxes: [, b],
    links,
    more,
  } = layoutOf(
    scene([[box('d', [], ['p'])], [box('e', ['q'], [])]], [[link(['p'], ['q'])]], {
      ways: [port('f1'), port('f2')],
      moreWays: 7,
    }),
  );
  expect(b!.ports.map((p) => [p.port.key, p.possible ?? false])).toEqual([
    ['q', false],
    ['f1', true],
    ['f2', true],
  ]);
  expect([more!.text, links[0]!.lines.length]).toEqual(['and 7 more', 2]);
});

test('a cable that leads nowhere has a line at one side only, and what is no cable has no card', () => {
  const [cable] = layoutOf(scene([[box('d', [], ['p'])], []], [[link(['p'], [])]])).links;
  expect([cable!.lines.length, cable!.card !== null]).toEqual([1, true]);
  expect(
    layoutOf(scene([[box('c', [], ['z'])], [box('site', [], [])]], [[{ near: ['z'], far: ['site'], cable: null }]]))
      .links,
  ).toMatchObject([{ card: null, lines: { length: 2 } }]);
});

test('things are spread around where they would like to be', () => {
  expect(spread([100, 100], [20, 20], 10)).toEqual([85, 115]);
  expect(spread([200, 100], [20, 20], 10)).toEqual([200, 100]);
});
