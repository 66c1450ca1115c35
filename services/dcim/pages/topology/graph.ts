import type { Shown } from '@cadastre/pages';
import { keyOf } from '../../models/cabling/plant.ts';
import { nodeOf } from '../trace/path.ts';

/** The purpose of a cable, by the type of its ends. */
export type Kind = 'network' | 'power' | 'console';

export interface GraphNode {
  key: string;
  name: string;
  /** What it is: its role, or what kind of thing. */
  about: string;
  url: string;
  color: string | null;
  /** Does not match the filters, but is connected to a device that does. */
  outside: boolean;
}

interface GraphCable {
  id: number;
  name: string;
  color: string;
  status: string;
}

export interface GraphEdge {
  a: string;
  b: string;
  cables: GraphCable[];
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

type End = { object_type: string; object_id: number; object: Shown | null };
export type Cable = Shown & {
  label: string;
  color: string;
  status: { value: string };
  a_terminations: End[];
  b_terminations: End[];
};
export type Device = Shown & { role: Shown };

function kindOf({ object_type: type }: Pick<End, 'object_type'>): Kind {
  if (/\.power/.test(type)) return 'power';
  return /\.console/.test(type) ? 'console' : 'network';
}

/** What an end belongs to: a device, a circuit, or itself. */
function holderOf({ object }: End): { holder: Shown; about: string } | undefined {
  if (!object) return undefined;
  const device = object['device'] as Shown | undefined;
  if (device) return { holder: device, about: '' };
  const circuit = object['circuit'] as Shown | undefined;
  return circuit ? { holder: circuit, about: 'Circuit' } : { holder: object, about: 'Power feed' };
}

/** Devices and what connects them; several cables between the same two are one line. */
export function graphOf(
  devices: readonly Device[],
  cables: readonly Cable[],
  colors: ReadonlyMap<number, string>,
  kinds: ReadonlySet<Kind>,
): Graph {
  const nodes = new Map<string, GraphNode>(
    devices.map((one): [string, GraphNode] => {
      const key = keyOf(nodeOf(one.url));
      const color = colors.get(one.role.id) ?? null;
      return [key, { key, name: one.display, about: one.role.display, url: one.url, color, outside: false }];
    }),
  );
  const edges = new Map<string, GraphEdge>();
  const keysOf = (ends: readonly End[]): string[] => {
    const keys = ends
      .filter((end) => kinds.has(kindOf(end)))
      .flatMap((end) => {
        const held = holderOf(end);
        if (!held) return [];
        const key = keyOf(nodeOf(held.holder.url));
        const { display: name, url } = held.holder;
        if (!nodes.has(key)) nodes.set(key, { key, name, about: held.about, url, color: null, outside: true });
        return [key];
      });
    return [...new Set(keys)];
  };
  for (const cable of cables) {
    const { id, label, color, status } = cable;
    const drawn: GraphCable = { id, name: label || `#${id}`, color, status: status.value };
    const [left, right] = [keysOf(cable.a_terminations), keysOf(cable.b_terminations)];
    for (const [a, b] of left.flatMap((from) => right.map((to) => [from, to].toSorted() as [string, string]))) {
      if (a === b) continue;
      const edge = edges.get(`${a} ${b}`);
      if (edge) edge.cables.push(drawn);
      else edges.set(`${a} ${b}`, { a, b, cables: [drawn] });
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}
