import { expect, test } from '@jest/globals';
import type { Shown } from '@cadastre/pages';
import { type Cable, type Device, graphOf, type Kind } from './graph.ts';
import { NODE, place } from './layout.ts';

const shown = (list: string, id: number, more: object = {}): Shown =>
  ({ id, url: `http://x/api/dcim/${list}/${id}/`, display: `${list} ${id}`, ...more }) as Shown;
const device = (id: number): Device => shown('devices', id, { role: shown('device-roles', 1) }) as Device;
const end = (type: string, id: number, on: number) => ({
  object_type: `dcim.${type}`,
  object_id: id,
  object: shown(`${type}s`, id, { device: shown('devices', on) }),
});
const cable = (id: number, a: ReturnType<typeof end>, b: ReturnType<typeof end>): Cable =>
  shown('cables', id, {
    label: '',
    color: '',
    status: { value: 'connected' },
    a_terminations: [a],
    b_terminations: [b],
  }) as Cable;
const network = new Set<Kind>(['network']);
const graph = (devices: number[], cables: Cable[]) => graphOf(devices.map(device), cables, new Map(), network);

test('cables between the same two are one line, and what is outside is a node, too', () => {
  const { nodes, edges } = graph(
    [1, 2],
    [
      cable(1, end('interface', 1, 1), end('interface', 2, 2)),
      cable(2, end('interface', 3, 2), end('interface', 4, 1)),
      cable(3, end('interface', 5, 1), end('interface', 6, 9)),
      cable(4, end('powerport', 5, 1), end('poweroutlet', 6, 8)),
    ],
  );
  expect(edges.map(({ a, b, cables }) => [a, b, cables.map(({ id }) => id)])).toEqual([
    ['dcim.device:1', 'dcim.device:2', [1, 2]],
    ['dcim.device:1', 'dcim.device:9', [3]],
  ]);
  expect(nodes.filter(({ outside }) => outside).map(({ name }) => name)).toEqual(['devices 9']);
});

test('nothing lies upon anything else, nor beyond the edge', () => {
  const servers = Array.from({ length: 30 }, (_, i) => i + 10);
  const { nodes, width, height } = place(
    graph(
      [1, 2, ...servers, 90, 91, 92],
      [
        cable(1, end('interface', 1, 1), end('interface', 2, 2)),
        ...servers.map((id) => cable(id, end('interface', id, id), end('interface', 1000 + id, (id % 2) + 1))),
        cable(90, end('interface', 90, 90), end('interface', 91, 91)),
      ],
    ),
  );
  expect(nodes).toHaveLength(35);
  for (const one of nodes) {
    expect(one.x >= 0 && one.y >= 0 && one.x + NODE.width <= width && one.y + NODE.height <= height).toBe(true);
    for (const other of nodes)
      if (other !== one)
        expect(Math.abs(one.x - other.x) >= NODE.width || Math.abs(one.y - other.y) >= NODE.height).toBe(true);
  }
});
