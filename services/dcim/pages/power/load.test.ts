import { expect, test } from '@jest/globals';
import { availableOf, type Feed, type Inlet, loadOf, type Outlet } from './load.ts';

const end = (list: string, id: number) => ({ id, url: `http://x/api/dcim/${list}/${id}/`, display: `${list} ${id}` });
const feed = (more: object = {}): Feed =>
  ({
    ...end('power-feeds', 1),
    voltage: 230,
    amperage: 10,
    max_utilization: 80,
    phase: { value: 'single-phase' },
    connected_endpoints: [end('power-ports', 1)],
    ...more,
  }) as unknown as Feed;
const inlet = (id: number, draw: number | null): [number, Inlet] => [
  id,
  { ...end('power-ports', id), allocated_draw: draw } as unknown as Inlet,
];
const outlet = (id: number, to: number): Outlet =>
  ({
    ...end('power-outlets', id),
    power_port: { id: 1 },
    connected_endpoints: [end('power-ports', to)],
  }) as unknown as Outlet;

test('a feed gives what its fuse and its limit allow', () => {
  expect(availableOf(feed())).toBe(1840);
  expect(availableOf(feed({ phase: { value: 'three-phase' }, voltage: -400 }))).toBe(5542);
});

test('what is plugged in is added up, unless the intake says what it draws', () => {
  const outlets = [outlet(1, 11), outlet(2, 12)];
  const draws = [inlet(11, 300), inlet(12, 200)];
  expect(loadOf([feed()], new Map([inlet(1, null), ...draws]), outlets)[0]).toMatchObject({ watts: 500 });
  expect(loadOf([feed()], new Map([inlet(1, 900), ...draws]), outlets)[0]).toMatchObject({ watts: 900 });
  expect(loadOf([feed({ connected_endpoints: null })], new Map(), [])[0]).toMatchObject({ watts: 0, intakes: [] });
});
