import { expect, test } from '@jest/globals';
import { boxOf, graticule, pointOf } from './projection.ts';

test('north is up and east is right', () => {
  expect(pointOf(90, -180)).toEqual({ x: 0, y: 0 });
  expect(pointOf(-90, 180)).toEqual({ x: 3600, y: 1800 });
});

test('the box holds all points, twice as wide as high, and stays in the world', () => {
  const points = [pointOf(47, 8), pointOf(52, 5)];
  const box = boxOf(points);
  expect(box.width).toBeCloseTo(box.height * 2);
  for (const { x, y } of points)
    expect(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height).toBe(true);
  expect(boxOf([pointOf(90, 180)])).toMatchObject({ x: 3580, y: 0, width: 20, height: 10 });
  expect(boxOf([])).toMatchObject({ width: 3600, height: 1800 });
});

test('lines are as far apart as the box is wide', () => {
  const lines = graticule(boxOf([]));
  expect(lines.filter(({ along }) => along === 'longitude').map(({ label }) => label)).toEqual([
    '180°W',
    '150°W',
    '120°W',
    '90°W',
    '60°W',
    '30°W',
    '0°',
    '30°E',
    '60°E',
    '90°E',
    '120°E',
    '150°E',
    '180°E',
  ]);
});
