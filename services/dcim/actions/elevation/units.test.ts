import { expect, test } from '@jest/globals';
import { type Frame, matching, positionsOf, type Standing, unitsOf, unitText } from './units.ts';

const frame = (more: Partial<Frame> = {}): Frame => ({ height: 3, first: 1, descending: false, ...more });
const standing: Standing[] = [
  { id: 7, position: 1, height: 1.5, face: 'front', fullDepth: true },
  { id: 8, position: 2.5, height: 1, face: 'rear', fullDepth: false },
  { id: 9, position: 3, height: 0, face: 'front', fullDepth: false },
];
const taken = (...given: Parameters<typeof unitsOf>) =>
  unitsOf(...given)
    .filter((u) => u.occupied)
    .map((u) => [u.at, u.device]);

test('a rack is shown from its top in halves of units', () => {
  expect(positionsOf(frame())).toEqual([3.5, 3, 2.5, 2, 1.5, 1]);
  expect(positionsOf(frame({ first: 5, height: 1 }))).toEqual([5.5, 5]);
  expect(positionsOf(frame({ descending: true, height: 2 }))).toEqual([1, 1.5, 2, 2.5]);
});

test('a face shows what is mounted on it, and what goes through to it', () => {
  expect(taken(frame(), standing, 'front', true)).toEqual([
    [2, 7],
    [1.5, 7],
    [1, 7],
  ]);
  expect(taken(frame(), standing, 'rear', true)).toEqual([
    [3, 8],
    [2.5, 8],
    [2, 7],
    [1.5, 7],
    [1, 7],
  ]);
  expect(taken(frame(), standing, 'rear', false)).toEqual([
    [2.5, 8],
    [1, 7],
  ]);
});

test('units are found by position or name', () => {
  const units = unitsOf(frame(), [], 'front', true);
  const found = (q: string | null) => matching(units, q).map((u) => u.name);
  expect([found('U2'), found('3.0'), found(null).length]).toEqual([['U2.5', 'U2'], ['U3'], 6]);
});

test('a unit tells of its device what may be seen', () => {
  const [unit] = unitsOf(frame({ height: 1 }), standing.slice(0, 1), 'front', true);
  const seen = new Map([[7, { brief: '{"id":7}', name: 'r"1' }]]);
  expect(unitText(unit!, 'front', seen)).toContain('"id":1.5,');
  expect(JSON.parse(unitText(unit!, 'front', seen))).toEqual({
    id: 1.5,
    name: 'U1.5',
    face: { value: 'front', label: 'Front' },
    device: { id: 7 },
    occupied: true,
    display: 'U1.5',
    description: 'r"1',
  });
  expect(JSON.parse(unitText(unit!, 'rear', new Map()))).toMatchObject({
    device: null,
    occupied: true,
    display: 'U1.5',
    description: null,
  });
});
