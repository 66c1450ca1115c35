/** A place on a plain map: longitude and latitude are x and y, ten pixels a degree. */
export interface Point {
  x: number;
  y: number;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const DEGREE = 10;

export const pointOf = (latitude: number, longitude: number): Point => ({
  x: (longitude + 180) * DEGREE,
  y: (90 - latitude) * DEGREE,
});

const WORLD: Box = { x: 0, y: 0, width: 360 * DEGREE, height: 180 * DEGREE };
/** The smallest extent that is shown, in degrees, so that one town does not fill the map. */
const CLOSEST = 2;

/** The part of the world that shows all points with room around them, twice as wide as high. */
export function boxOf(points: readonly Point[]): Box {
  if (!points.length) return WORLD;
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const width = Math.min(Math.max((right - left) * 1.4, (bottom - top) * 2.8, CLOSEST * DEGREE), WORLD.width);
  const height = width / 2;
  const within = (middle: number, size: number, most: number): number =>
    Math.min(Math.max(middle - size / 2, 0), most - size);
  return {
    x: within((left + right) / 2, width, WORLD.width),
    y: within((top + bottom) / 2, height, WORLD.height),
    width,
    height,
  };
}

const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.25, 0.1];

/** The lines of latitude and longitude in a box, about eight of each, with their labels. */
export function graticule(box: Box): { along: 'latitude' | 'longitude'; at: number; label: string }[] {
  const step = STEPS.find((one) => box.width / DEGREE / one >= 6) ?? STEPS.at(-1)!;
  const named = (degrees: number, plus: string, minus: string): string =>
    `${Math.abs(Math.round(degrees * 100) / 100)}°${degrees > 0 ? plus : degrees < 0 ? minus : ''}`;
  const lines = (from: number, to: number): number[] => {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, i) => (first + i) * step);
  };
  return [
    ...lines(box.x / DEGREE - 180, (box.x + box.width) / DEGREE - 180).map((degrees) => ({
      along: 'longitude' as const,
      at: pointOf(0, degrees).x,
      label: named(degrees, 'E', 'W'),
    })),
    ...lines(90 - (box.y + box.height) / DEGREE, 90 - box.y / DEGREE).map((degrees) => ({
      along: 'latitude' as const,
      at: pointOf(degrees, 0).y,
      label: named(degrees, 'N', 'S'),
    })),
  ];
}
