/** What cables can end at, or a cable itself: a type and an id. */
export interface Node {
  type: string;
  id: number;
}

export type Side = 'A' | 'B';

/** One end of a cable: where it is, and which connector and positions of the cable's profile it has. */
export interface End {
  cable: number;
  side: Side;
  connector: number | null;
  positions: number[] | null;
  node: Node;
}

/** A cable with all its ends, in order. */
export interface Cable {
  id: number;
  status: string;
  profile: string;
  ends: End[];
}

/** A front or rear port: how many positions it has, and what is behind them, in order. */
export interface Port {
  device: number;
  positions: number;
  behind: Behind[];
}

/** A position of a port, and the port and position that it is mapped to. */
export interface Behind {
  position: number;
  port: Node;
  at: number;
}

/** An end of a circuit: where it is attached, and the circuit's other end, if there is one. */
export interface CircuitEnd {
  attached: Node | null;
  other: Node | null;
}

export const keyOf = ({ type, id }: Node): string => `${type}:${id}`;

export const FRONT_PORT = 'dcim.frontport',
  REAR_PORT = 'dcim.rearport',
  CIRCUIT_END = 'circuits.circuittermination',
  CABLE = 'dcim.cable';

/** Where paths begin and end. */
export const PATH_ENDPOINTS: readonly string[] = [
  'dcim.consoleport',
  'dcim.consoleserverport',
  'dcim.powerport',
  'dcim.poweroutlet',
  'dcim.powerfeed',
  'dcim.interface',
];

/**
 * What is known of cables, ports and circuits. A question about something that has not been loaded is answered with
 * undefined and kept in `wanted`, so that the tracer can load everything that is missing at once and trace again.
 */
export class Plant {
  readonly wanted = new Map<string, Node>();
  readonly #ends = new Map<string, End | null>();
  readonly #cables = new Map<number, Cable>();
  readonly #ports = new Map<string, Port>();
  readonly #circuits = new Map<string, CircuitEnd>();

  /** The end of a cable that is at an object; null when there is none. */
  endAt(node: Node): End | null | undefined {
    return this.#known(this.#ends, node);
  }

  port(node: Node): Port | undefined {
    return this.#known(this.#ports, node);
  }

  circuitEnd(node: Node): CircuitEnd | undefined {
    return this.#known(this.#circuits, node);
  }

  /** The cable with this id, of which at least one end has been loaded. */
  cable(id: number): Cable {
    return this.#cables.get(id)!;
  }

  #known<T>(facts: Map<string, T>, node: Node): T | undefined {
    const known = facts.get(keyOf(node));
    if (known === undefined) this.wanted.set(keyOf(node), node);
    return known;
  }

  addCable(cable: Cable): void {
    this.#cables.set(cable.id, cable);
    for (const end of cable.ends) this.#ends.set(keyOf(end.node), end);
  }

  addPort(node: Node, port: Port): void {
    this.#ports.set(keyOf(node), port);
  }

  addCircuitEnd(node: Node, end: CircuitEnd): void {
    this.#circuits.set(keyOf(node), end);
  }

  /** Marks nodes as loaded: what is still unknown about them does not exist. */
  settle(nodes: Iterable<Node>): void {
    for (const node of nodes) {
      const key = keyOf(node);
      if (!this.#ends.has(key)) this.#ends.set(key, null);
      if ((node.type === FRONT_PORT || node.type === REAR_PORT) && !this.#ports.has(key))
        this.#ports.set(key, { device: 0, positions: 1, behind: [] });
      if (node.type === CIRCUIT_END && !this.#circuits.has(key))
        this.#circuits.set(key, { attached: null, other: null });
      this.wanted.delete(key);
    }
  }
}
