import dagre from '@dagrejs/dagre';
import type { Graph, GraphEdge, GraphNode } from './graph.ts';

/** Sizes in pixels. */
export const NODE = { width: 150, height: 42, gap: 14 } as const;
const BETWEEN = 40;
const MARGIN = 16;
/** The number of nodes side by side before a second row begins. */
const ROW = 6;
/** The least width, so that a drawing of few nodes is not enlarged. */
const NARROWEST = 800;
/** Unconnected parts are placed side by side up to this width. */
const WIDEST = 1_600;

export interface PlacedNode {
  node: GraphNode;
  x: number;
  y: number;
}

export interface Placed {
  nodes: PlacedNode[];
  edges: readonly GraphEdge[];
  width: number;
  height: number;
}

interface Block {
  nodes: PlacedNode[];
  width: number;
  height: number;
}

/** Nodes with the same neighbours form a block: forty servers at two switches need not be a row of forty. */
function blockOf(nodes: readonly GraphNode[], columns = Math.max(ROW, Math.ceil(Math.sqrt(nodes.length)))): Block {
  const step = { x: NODE.width + NODE.gap, y: NODE.height + NODE.gap };
  return {
    nodes: nodes.map((node, i) => ({ node, x: (i % columns) * step.x, y: Math.floor(i / columns) * step.y })),
    width: Math.min(columns, nodes.length) * step.x - NODE.gap,
    height: Math.ceil(nodes.length / columns) * step.y - NODE.gap,
  };
}

const moved = ({ nodes }: Pick<Block, 'nodes'>, x: number, y: number): PlacedNode[] =>
  nodes.map((one) => ({ node: one.node, x: one.x + x, y: one.y + y }));

function neighboursOf({ nodes, edges }: Graph): Map<string, Set<string>> {
  const found = new Map(nodes.map(({ key }) => [key, new Set<string>()]));
  for (const { a, b } of edges) {
    found.get(a)!.add(b);
    found.get(b)!.add(a);
  }
  return found;
}

/** The connected components of a graph, the largest first. */
function partsOf(nodes: readonly GraphNode[], neighbours: ReadonlyMap<string, ReadonlySet<string>>): GraphNode[][] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const parts: GraphNode[][] = [];
  const left = new Set(byKey.keys());
  for (const start of byKey.keys()) {
    if (!left.delete(start)) continue;
    const part = [start];
    for (const key of part) for (const next of neighbours.get(key)!) if (left.delete(next)) part.push(next);
    parts.push(part.map((key) => byKey.get(key)!));
  }
  return parts.toSorted((a, b) => b.length - a.length);
}

function placePart(part: readonly GraphNode[], neighbours: ReadonlyMap<string, ReadonlySet<string>>): Block {
  const blocks = [
    ...Map.groupBy(part, ({ key, about }) => [about, ...[...neighbours.get(key)!].toSorted()].join(' ')).values(),
  ].map((nodes) => ({ nodes, block: blockOf(nodes) }));
  const blockAt = new Map(blocks.flatMap(({ nodes }, i) => nodes.map(({ key }) => [key, String(i)])));
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: BETWEEN, ranksep: 70 });
  graph.setDefaultEdgeLabel(() => ({}));
  blocks.forEach(({ block }, i) => {
    graph.setNode(String(i), { width: block.width, height: block.height });
  });
  const degree = (key: string): number => neighbours.get(key)!.size;
  for (const { key } of part)
    for (const other of neighbours.get(key)!) {
      // Edges point from the node with more neighbours, which dagre places higher.
      const [from, to] = [blockAt.get(key)!, blockAt.get(other)!];
      if (degree(key) > degree(other) || (degree(key) === degree(other) && key < other)) graph.setEdge(from, to);
    }
  dagre.layout(graph);
  const nodes = blocks.flatMap(({ block }, i) => {
    const { x, y } = graph.node(String(i)) as { x: number; y: number };
    return moved(block, x - block.width / 2, y - block.height / 2);
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { nodes, width, height };
}

/** Where everything is. What has no cable stands below, in rows. */
export function place(graph: Graph): Placed {
  const neighbours = neighboursOf(graph);
  const alone = graph.nodes.filter(({ key }) => !neighbours.get(key)!.size);
  const connected = graph.nodes.filter(({ key }) => neighbours.get(key)!.size);
  const blocks = partsOf(connected, neighbours).map((part) => placePart(part, neighbours));
  if (alone.length) blocks.push(blockOf(alone, Math.min(8, alone.length)));
  const nodes: PlacedNode[] = [];
  let [x, y, row, width] = [MARGIN, MARGIN, 0, 0];
  for (const block of blocks) {
    if (x > MARGIN && x + block.width > WIDEST) {
      y += row + BETWEEN;
      [x, row] = [MARGIN, 0];
    }
    nodes.push(...moved(block, x, y));
    x += block.width + BETWEEN;
    row = Math.max(row, block.height);
    width = Math.max(width, x - BETWEEN);
  }
  return {
    nodes,
    edges: graph.edges,
    width: Math.ceil(Math.max(width + MARGIN, NARROWEST)),
    height: Math.ceil(y + row + MARGIN),
  };
}
