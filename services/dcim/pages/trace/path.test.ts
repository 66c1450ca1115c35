import { expect, test } from '@jest/globals';
import type { Shown } from '@cadastre/pages';
import { fromPath, fromTrace, nodeOf } from './path.ts';

const brief = (list: string, id: number, more: object = {}): Shown =>
  ({ id, url: `http://x/api/dcim/${list}/${id}/`, display: `${list} ${id}`, ...more }) as Shown;

test('addresses say what an object is', () => {
  expect(nodeOf('http://x/api/dcim/console-server-ports/7/')).toEqual({ type: 'dcim.consoleserverport', id: 7 });
  expect(nodeOf('http://x/api/circuits/circuit-terminations/1/').type).toBe('circuits.circuittermination');
});

test('a trace names each cable of its near ends once', () => {
  const near = [1, 2, 3].map((id) => brief('interfaces', id, { cable: brief('cables', id === 3 ? 8 : 9) }));
  const { traced, briefs } = fromTrace([[near, brief('cables', 9), [brief('rear-ports', 4)]]], {
    active: true,
    complete: false,
    split: false,
  });
  expect(traced.segments[0]!.cables.map(({ id }) => id)).toEqual([9, 8]);
  expect(briefs.get('dcim.rearport:4')?.display).toBe('rear-ports 4');
});

test('a path that stops at a port or goes on without a cable is filled up', () => {
  const path = (...steps: Shown[][]) =>
    fromPath({ id: 1, path: steps, is_active: true, is_complete: false, is_split: true }).traced.segments;
  const [a, b, c] = [brief('interfaces', 1), brief('rear-ports', 2), brief('front-ports', 3)];
  const cable = brief('cables', 9);
  expect(path([a], [cable], [b], [c])).toHaveLength(1);
  expect(path([a], [cable], [b], [c], [brief('power-feeds', 5)])[1]).toMatchObject({
    near: [{ id: 3 }],
    cables: [],
    far: [{ type: 'dcim.powerfeed' }],
  });
});
