import { fitting, widthOf } from '../svg.ts';
import type { Box, Cable, Link, Port, Scene } from './scene.ts';

/** Sizes in pixels. */
const SIZES = {
  margin: 24,
  title: 40,
  gap: 28,
  port: 28,
  portGap: 6,
  portText: 12,
  boxPad: 12,
  boxMin: 200,
  boxMax: 400,
  kindLine: 16,
  nameLine: 22,
  line: 17,
  nameText: 15,
  lineText: 12,
  lead: 34,
  fan: 60,
  cardPad: 12,
  cardMax: 300,
  cardMin: 72,
  cardText: 12,
  cardLine: 17,
  summary: 62,
  footGap: 22,
} as const;

/** How much wider bold letters are. */
const BOLD = 1.16;

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Point {
  x: number;
  y: number;
}

export interface PlacedPort {
  port: Port;
  label: string;
  rect: Rect;
  possible?: true;
}
export interface PlacedBox {
  box: Box;
  rect: Rect;
  /** Lines of text, each with its middle. */
  texts: { kind: 'kind' | 'name' | 'line'; text: string; at: Point }[];
  ports: PlacedPort[];
}
/** A line of a cable, from a port to its card or from there to a port. */
export interface PlacedLink {
  cable: Cable | null;
  lines: [Point, Point][];
  card: (Rect & { texts: string[] }) | null;
}

/** Where everything is. */
export interface Layout {
  width: number;
  height: number;
  title: string;
  boxes: PlacedBox[];
  links: PlacedLink[];
  more: { text: string; at: Point } | null;
  summary: Rect & { texts: string[] };
}

/** Ports are narrower the more there are side by side. */
const widestPort = (count: number): number => (count > 12 ? 84 : count > 5 ? 116 : 180);

const portWidth = (port: Port, count: number): number =>
  Math.max(48, Math.min(widestPort(count), widthOf(port.name, SIZES.portText) + 20));

const rowWidth = (ports: readonly Port[]): number =>
  ports.reduce((sum, port) => sum + portWidth(port, ports.length), SIZES.portGap * Math.max(ports.length - 1, 0));

function boxSize(box: Box, ways: readonly Port[]): { width: number; height: number } {
  const text = Math.max(
    widthOf(box.name, SIZES.nameText) * BOLD,
    ...box.lines.map((line) => widthOf(line, SIZES.lineText)),
    widthOf(box.kind, 10) * 1.2,
  );
  const below = [...box.below, ...ways];
  const width = Math.max(
    Math.min(Math.max(text + SIZES.boxPad * 2, SIZES.boxMin), SIZES.boxMax),
    rowWidth(box.above) + SIZES.boxPad * 2,
    rowWidth(below) + SIZES.boxPad * 2,
  );
  const rows = (box.above.length ? 1 : 0) + (below.length ? 1 : 0);
  return {
    width: Math.ceil(width),
    height: rows * SIZES.port + SIZES.kindLine + SIZES.nameLine + box.lines.length * SIZES.line + SIZES.boxPad * 1.5,
  };
}

function placePorts(ports: readonly Port[], box: Rect, y: number, possible: ReadonlySet<Port>): PlacedPort[] {
  let x = box.x + (box.width - rowWidth(ports)) / 2;
  return ports.map((port) => {
    const width = portWidth(port, ports.length);
    const rect = { x, y, width, height: SIZES.port };
    x += width + SIZES.portGap;
    return {
      port,
      label: fitting(port.name, width - 12, SIZES.portText),
      rect,
      ...(possible.has(port) ? { possible: true as const } : {}),
    };
  });
}

function placeBox(box: Box, rect: Rect, ways: readonly Port[]): PlacedBox {
  const inside = rect.width - SIZES.boxPad * 2;
  const middle = rect.x + rect.width / 2;
  const possible = new Set(ways);
  let y = rect.y + (box.above.length ? SIZES.port : 0) + SIZES.boxPad * 0.75;
  const texts: PlacedBox['texts'] = [];
  const add = (kind: 'kind' | 'name' | 'line', text: string, height: number, size: number): void => {
    texts.push({ kind, text: fitting(text, inside, size), at: { x: middle, y: y + height / 2 } });
    y += height;
  };
  add('kind', box.kind, SIZES.kindLine, 12);
  add('name', box.name, SIZES.nameLine, SIZES.nameText * BOLD);
  for (const line of box.lines) add('line', line, SIZES.line, SIZES.lineText);
  const none = new Set<Port>();
  return {
    box,
    rect,
    texts,
    ports: [
      ...placePorts(box.above, rect, rect.y, none),
      ...placePorts([...box.below, ...ways], rect, rect.y + rect.height - SIZES.port, possible),
    ],
  };
}

/** How long lines between ports and cards are: longer where they spread. */
const leadOf = (links: readonly Link[]): number =>
  links.length > 1 || links.some(({ near, far }) => near.length > 1 || far.length > 1) ? SIZES.fan : SIZES.lead;

interface Card {
  link: Link;
  width: number;
  height: number;
  texts: string[];
}

function cardOf(link: Link): Card {
  const { cable } = link;
  if (!cable) return { link, width: 0, height: 0, texts: [] };
  const all = [cable.name, ...cable.details];
  const size = (i: number): number => SIZES.cardText * (i ? 1 : BOLD);
  const inside = Math.max(
    SIZES.cardMin,
    Math.min(SIZES.cardMax, Math.max(...all.map((text, i) => widthOf(text, size(i))))),
  );
  return {
    link,
    width: Math.ceil(inside) + SIZES.cardPad * 2,
    height: all.length * SIZES.cardLine + SIZES.cardPad,
    texts: all.map((text, i) => fitting(text, inside, size(i))),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const across = (widths: readonly number[], gap: number): number => sum(widths) + gap * Math.max(widths.length - 1, 0);

/**
 * Places things side by side in the order of the places that they would like, each as near to its place as possible
 * without overlap.
 */
export function spread(wished: readonly number[], widths: readonly number[], gap: number): number[] {
  const order = wished.map((_, i) => i).sort((a, b) => wished[a]! - wished[b]! || a - b);
  const middles = wished.map(() => 0);
  let free = -Infinity;
  let drift = 0;
  for (const i of order) {
    middles[i] = Math.max(wished[i]!, free + widths[i]! / 2);
    free = middles[i]! + widths[i]! / 2 + gap;
    drift += middles[i]! - wished[i]!;
  }
  return middles.map((middle) => middle - drift / Math.max(wished.length, 1));
}

/** Places a path from top to bottom: levels of boxes, with cables between them. */
export function layoutOf(scene: Scene): Layout {
  const { levels, ways, title, summary } = scene;
  const cards = levels.map((_, i) => (scene.links[i] ?? []).map(cardOf));
  const last = levels.length - 1;
  // The ports where a split path could continue belong to the last box.
  const waysOf = (level: number, place: number): readonly Port[] => (level === last && place === 0 ? ways : []);
  const sizes = levels.map((boxes, level) => boxes.map((box, place) => boxSize(box, waysOf(level, place))));
  const summaryWidth = Math.max(...summary.map((text, i) => widthOf(text, 12) * (i ? 1 : BOLD))) + 88;
  const rows = [
    ...sizes.map((level) =>
      across(
        level.map((s) => s.width),
        SIZES.gap,
      ),
    ),
    ...cards.map((level) =>
      across(
        level.map((c) => c.width),
        SIZES.gap,
      ),
    ),
  ];
  const width = Math.ceil(Math.max(summaryWidth, Math.min(widthOf(title, 16) * BOLD, 700), ...rows) + SIZES.margin * 2);
  const middle = width / 2;
  let y = SIZES.margin + SIZES.title;
  const placed = levels.map((level, i) => {
    let x =
      middle -
      across(
        sizes[i]!.map((s) => s.width),
        SIZES.gap,
      ) /
        2;
    const height = Math.max(0, ...sizes[i]!.map((s) => s.height));
    const top = y;
    y += height + (cards[i]!.length ? leadOf(scene.links[i]!) * 2 + Math.max(...cards[i]!.map((c) => c.height)) : 0);
    return level.map((box, place) => {
      const size = sizes[i]![place]!;
      const left = x;
      x += size.width + SIZES.gap;
      // The first boxes are aligned at their lower edges, where lines leave them, and the last at their upper edges,
      // where lines arrive; boxes between them are equally high.
      return placeBox(
        box,
        {
          x: left,
          y: i === 0 ? top + height - size.height : top,
          width: size.width,
          height: i > 0 && i < last ? height : size.height,
        },
        waysOf(i, place),
      );
    });
  });
  const links = placed.flatMap((level, i) => placeLinks(cards[i]!, level, placed[i + 1] ?? [], middle));
  const end = placed.at(-1)?.[0]?.rect;
  const more =
    scene.moreWays && end ? { text: `and ${scene.moreWays} more`, at: { x: end.x + end.width / 2, y: y + 12 } } : null;
  const top = y + SIZES.footGap + (more ? 14 : 0);
  return {
    width,
    height: Math.ceil(top + SIZES.summary + SIZES.margin),
    title: fitting(title, width - SIZES.margin * 2, 16 * BOLD),
    boxes: placed.flat(),
    links,
    more,
    summary: { x: middle - summaryWidth / 2, y: top, width: summaryWidth, height: SIZES.summary, texts: [...summary] },
  };
}

/** Where lines meet ports: in the middle of their lower edge, or of their upper one. */
const anchors = (boxes: readonly PlacedBox[], keys: readonly string[], side: 'above' | 'below'): Point[] =>
  keys.flatMap((key) => {
    const rects = boxes.flatMap(({ box, rect, ports }) =>
      box.key === key
        ? [rect]
        : ports
            .filter((p) => p.port.key === key && !p.possible && (side === 'above') === box.above.includes(p.port))
            .map((p) => p.rect),
    );
    return rects
      .slice(0, 1)
      .map(({ x, y, width, height }) => ({ x: x + width / 2, y: side === 'above' ? y : y + height }));
  });

/** Places the cards of cables between what they lead to, and the lines from there to the ports. */
function placeLinks(
  cards: readonly Card[],
  over: readonly PlacedBox[],
  under: readonly PlacedBox[],
  middle: number,
): PlacedLink[] {
  const top = Math.max(0, ...over.map(({ rect }) => rect.y + rect.height));
  const tallest = Math.max(0, ...cards.map((c) => c.height));
  const mean = (points: readonly Point[]): number =>
    points.length ? sum(points.map((p) => p.x)) / points.length : middle;
  const ends = cards.map(({ link }) => ({
    near: anchors(over, link.near, 'below'),
    far: anchors(under, link.far, 'above'),
  }));
  const middles = spread(
    ends.map(({ near, far }) => (mean(near) + mean(far)) / 2),
    cards.map((c) => c.width),
    SIZES.gap / 2,
  );
  return cards.map(({ link: { cable }, width, height, texts }, i) => {
    const x = middles[i]!;
    const y = top + leadOf(cards.map(({ link }) => link)) + (tallest - height) / 2;
    return {
      cable,
      card: cable && { x: x - width / 2, y, width, height, texts },
      lines: [
        ...ends[i]!.near.map((point): [Point, Point] => [point, { x, y }]),
        ...ends[i]!.far.map((point): [Point, Point] => [{ x, y: y + height }, point]),
      ],
    };
  });
}
