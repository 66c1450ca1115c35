import {
  type Cable,
  CABLE,
  CIRCUIT_END,
  type End,
  FRONT_PORT,
  keyOf,
  type Node,
  type Plant,
  type Port,
  REAR_PORT,
} from './plant.ts';
import { positionsOf, profileOf } from './profiles.ts';

/** A path from its origins: ends, cables, ends, and so on. */
export interface Path {
  origins: Node[];
  steps: Node[][];
  /** The path arrives at an endpoint. */
  complete: boolean;
  /** All its cables are in use. */
  active: boolean;
  /** It forks, and nothing says which branch is meant. */
  split: boolean;
  /** Why such a path is not supported, in words for the client. */
  unsupported?: string;
  /** Everything that was looked at on the way: the path has to be traced again when one of these changes. */
  seen: string[];
}

/** The plant has to load something before the path is known. */
const UNKNOWN = Symbol('unknown');

const isPort = ({ type }: Node): boolean => type === FRONT_PORT || type === REAR_PORT;
const unique = (nodes: Node[]): Node[] => [...new Map(nodes.map((node) => [keyOf(node), node])).values()];

/**
 * Follows cables from ends that share one. Null when no cable is attached there; undefined when the plant has to load
 * more (`plant.wanted`), as nothing is known yet then.
 */
export function trace(origins: Node[], plant: Plant): Path | null | undefined {
  try {
    return new Tracer(origins, plant).run();
  } catch (thrown) {
    if (thrown === UNKNOWN) return undefined;
    throw thrown;
  }
}

class Tracer {
  readonly #path: Path;
  readonly #plant: Plant;
  readonly #seen = new Set<string>();
  /** For each port with several positions that the path has entered: the positions at which it has to leave. */
  readonly #stack: number[][] = [];

  constructor(origins: Node[], plant: Plant) {
    this.#path = { origins, steps: [], complete: false, active: true, split: false, seen: [] };
    this.#plant = plant;
  }

  run(): Path | null {
    const been = new Set<string>();
    for (let at: Node[] | undefined = this.#path.origins; at; ) {
      const here: string = `${at.map(keyOf).join()} ${JSON.stringify(this.#stack)}`;
      // A plant can be wired in a circle.
      if (been.has(here)) {
        this.#path.split = true;
        break;
      }
      been.add(here);
      const arrived = this.#follow(at);
      if (arrived === null) return null;
      at = arrived && this.#beyond(arrived.far, arrived.cables);
    }
    return { ...this.#path, seen: [...this.#seen] };
  }

  /** Asks a question about each node before any answer is used, so that everything missing is loaded at once. */
  #ask<T>(nodes: Node[], question: (node: Node) => T | undefined): T[] {
    for (const node of nodes) this.#seen.add(keyOf(node));
    const answers = nodes.map(question);
    if (answers.includes(undefined)) throw UNKNOWN;
    return answers as T[];
  }

  /**
   * From ends over their cables to the ends at the other sides; undefined where the path ends, null where none begins.
   */
  #follow(at: Node[]): { far: Node[]; cables: Cable[] } | null | undefined {
    const { steps } = this.#path;
    const plant = this.#plant;
    const ends = this.#ask(at, (node) => plant.endAt(node));
    const numbers = new Set(ends.map((end) => end?.cable));
    // A port with several positions may lead to several cables: these carry one path only if they are attached at all
    // positions that the path uses.
    if (numbers.size > 1 && this.#stack.length && at.length !== this.#stack.at(-1)!.length) {
      this.#path.split = true;
      return undefined;
    }
    steps.push(at);
    const cables = [...numbers].flatMap((id) => (id === undefined ? [] : plant.cable(id)));
    if (!cables.length) return steps.length === 1 ? null : undefined;
    if (ends.includes(null)) this.#path.split = true;
    const attached = ends.filter((end) => end !== null);
    steps.push(cables.map(({ id }) => ({ type: CABLE, id })));
    for (const node of steps.at(-1)!) this.#seen.add(keyOf(node));
    if (cables.some(({ status }) => status !== 'connected')) this.#path.active = false;
    const far = cables[0]!.profile
      ? this.#wired(cables[0]!, attached)
      : unique(attached.flatMap((end) => opposite(plant.cable(end.cable), end)));
    for (const node of far) this.#seen.add(keyOf(node));
    if (new Set(far.map(({ type }) => type)).size > 1) {
      this.#path.split = true;
      return undefined;
    }
    steps.push(far);
    return far.length ? { far, cables } : undefined;
  }

  /** The far ends of a cable with a profile: those at the positions that the path is in. */
  #wired(cable: Cable, ends: End[]): Node[] {
    const profile = profileOf(cable.profile);
    if (!profile) return [];
    const [near] = this.#portsOf([ends[0]!.node]);
    const inside = near && near.positions > 1 ? this.#stack.pop() : undefined;
    const out: { node: Node; position: number }[] = [];
    for (const { side, connector, positions } of ends) {
      for (const position of inside ?? positions ?? positionsOf(profile, side, connector ?? 1)) {
        const [there, at] = profile.across(side, connector ?? 1, position);
        const end = cable.ends.find((e) => e.side !== side && e.connector === there && e.positions?.includes(at));
        if (end) out.push({ node: end.node, position: at });
      }
    }
    const far = unique(out.map(({ node }) => node));
    const [port] = this.#portsOf(far);
    if (port && port.positions > 1) this.#stack.push([...new Set(out.map(({ position }) => position))]);
    return far;
  }

  #portsOf(nodes: Node[]): Port[] {
    return nodes.every(isPort) ? this.#ask(nodes, (node) => this.#plant.port(node)) : [];
  }

  /** Where the path continues behind the ends that it has reached. */
  #beyond(far: Node[], cables: Cable[]): Node[] | undefined {
    if (isPort(far[0]!)) return this.#throughPorts(far);
    if (far[0]!.type === CIRCUIT_END) return this.#overCircuits(far, cables);
    this.#path.complete = true;
    return undefined;
  }

  /** From front ports to the rear ports behind them, and the other way. */
  #throughPorts(far: Node[]): Node[] | undefined {
    const ports = this.#portsOf(far);
    const many = ports[0]!.positions > 1;
    if (many && !this.#stack.length) {
      this.#path.split = true;
      return undefined;
    }
    const inside = many ? this.#stack.pop()! : undefined;
    const behind = ports.flatMap((port) => port.behind.filter(({ position }) => !inside || inside.includes(position)));
    if (!behind.length) return undefined;
    const next = unique(behind.map(({ port }) => port));
    const there = this.#portsOf(next);
    if (new Set(there.map(({ device }) => device)).size > 1) {
      Object.assign(this.#path, {
        split: true,
        unsupported: 'All mid-span terminations must have the same parent object',
      });
      return undefined;
    }
    if (there.some(({ positions }) => positions > 1)) this.#stack.push(behind.map(({ at }) => at));
    return next;
  }

  /** To the other ends of circuits, or to what they are attached to there. */
  #overCircuits(far: Node[], cables: Cable[]): Node[] | undefined {
    const plant = this.#plant;
    const { steps } = this.#path;
    const others = this.#ask(far, (node) => plant.circuitEnd(node)).flatMap(({ other }) => other ?? []);
    if (!others.length) return undefined;
    const ends = this.#ask(others, (node) => plant.endAt(node));
    const attached = this.#ask(others, (node) => plant.circuitEnd(node)).map((end) => end.attached);
    const networks = attached.every((node) => node?.type === 'circuits.providernetwork');
    if (networks || attached.every((node, i) => node && !ends[i])) {
      steps.push(
        others,
        attached.filter((node) => node !== null),
      );
      if (networks) this.#path.complete = true;
      return undefined;
    }
    if (ends.some((end) => end && cables.some(({ id }) => id === end.cable))) {
      this.#path.split = true;
      return undefined;
    }
    return others;
  }
}

/** The ends at the other side of a cable. */
const opposite = (cable: Cable, { side }: End): Node[] =>
  cable.ends.filter((end) => end.side !== side).map((end) => end.node);
