import { type Engine, type Named, rowsOf } from '@cadastre/rest';
import { pathFrom, type StoredPath } from '../storedPaths.ts';

/** From ends over cables to the ends at their other side. */
export interface Segment {
  near: Named[];
  cables: Named[];
  far: Named[];
}

/** A path from an object, and what is known of it. */
export type Traced = Pick<StoredPath, 'active' | 'complete' | 'split'> & { segments: Segment[] };

/**
 * The path from an object; where it ends at an interface that is bridged to another one, the path from that interface
 * is added.
 */
export async function tracedFrom(engine: Engine, from: Named): Promise<Traced> {
  const steps: Named[][] = [];
  const been = new Set<number>();
  let [active, complete, split] = [true, false, false];
  for (let at: Named | undefined = from; at && !been.has(at.id); ) {
    been.add(at.id);
    const path = await pathFrom(engine, at);
    if (!path) break;
    steps.push(...padded(path.steps));
    ({ complete, split } = path);
    active &&= path.active;
    const ends = path.complete ? path.steps.at(-1)! : [];
    at = ends.length === 1 && ends[0]!.type === 'dcim.interface' ? await bridgeOf(engine, ends[0]!) : undefined;
  }
  return { segments: segmentsOf(steps), active, complete, split };
}

async function bridgeOf({ pool, tables }: Engine, { id }: Named): Promise<Named | undefined> {
  const [row] = await rowsOf(pool, {
    text: `select t.bridge_id from ${tables.nameOf('dcim.interface')} t where t.id = $1`,
    values: [id],
  });
  return row?.[0] ? { type: 'dcim.interface', id: Number(row[0]) } : undefined;
}

/**
 * Completes the last segment of a path that ends within one: at a port, or after the step from a circuit to what it is
 * attached to.
 */
function padded(steps: Named[][]): Named[][] {
  if (steps.length % 3 === 1) return [...steps, [], []];
  return steps.length % 3 === 2 ? [...steps.slice(0, -1), [], steps.at(-1)!] : steps;
}

function segmentsOf(steps: Named[][]): Segment[] {
  const segments: Segment[] = [];
  for (let i = 0; i + 2 < steps.length && steps[i]!.length; i += 3)
    segments.push({ near: steps[i]!, cables: steps[i + 1]!, far: steps[i + 2]! });
  return segments;
}
