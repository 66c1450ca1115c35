import type { Cell, Model } from '@cadastre/model';
import { type ActionHandler, anyBrief, arrayOf, briefsOf, type Engine, type Named, READ, recordOf, rowsOf, seen } from '@cadastre/rest';
import { pathFrom } from './storedPaths.ts';

/** From ends over a cable to the ends at its other side. */
type Segment = [near: Named[], cable: Named | undefined, far: Named[]];

const SEGMENT_CABLE = recordOf({
  id: { type: 'integer' }, url: { type: 'string', format: 'uri' }, type: { type: ['string', 'null'] }, status: { type: 'string' }, label: { type: 'string' }, color: { type: 'string' },
  length: { type: ['number', 'null'] }, length_unit: { type: ['string', 'null'] }, description: { type: 'string' },
});
const TRACE = arrayOf({ type: 'array', description: 'Ends, the cable between them, the ends at its other side.', prefixItems: [arrayOf(anyBrief), { anyOf: [SEGMENT_CABLE, { type: 'null' }] }, arrayOf(anyBrief)] });

/** GET …/<id>/trace/ of what paths begin and end at: the path from there, segment by segment. */
export const traceAction = (engine: Engine, model: Model): ActionHandler => ({
  methods: READ,
  operations: { GET: { summary: `Trace the path from a ${model.label}`, answer: TRACE } },
  async handle(request, id) {
    const segments = segmentsOf(await stepsFrom(engine, await seen(engine, model, id, request)));
    const brief = await briefsOf(await engine.source(), segments.flatMap(([near, , far]) => [...near, ...far]), request.base);
    const cables = await cablesOf(engine, segments.flatMap(([, cable]) => cable?.id ?? []), request.base);
    const list = (nodes: Named[]): string => `[${nodes.flatMap((node) => brief(node) ?? []).join(',')}]`;
    const body = `[${segments.map(([near, cable, far]) => `[${list(near)},${(cable && cables.get(cable.id)) ?? 'null'},${list(far)}]`).join(',')}]`;
    return { status: 200, headers: { Allow: READ.join(', ') }, body };
  },
});

/** The steps of the path from an object; where it ends at an interface that is bridged to another, those from there too. */
async function stepsFrom(engine: Engine, from: Named): Promise<Named[][]> {
  const steps: Named[][] = [], been = new Set<number>();
  for (let at: Named | undefined = from; at && !been.has(at.id);) {
    been.add(at.id);
    const path = await pathFrom(engine, at);
    if (!path) break;
    steps.push(...padded(path.steps));
    const ends = path.complete ? path.steps.at(-1)! : [];
    at = ends.length === 1 && ends[0]!.type === 'dcim.interface' ? await bridgeOf(engine, ends[0]!) : undefined;
  }
  return steps;
}

async function bridgeOf({ pool, tables }: Engine, { id }: Named): Promise<Named | undefined> {
  const [row] = await rowsOf(pool, { text: `select t.bridge_id from ${tables.nameOf('dcim.interface')} t where t.id = $1`, values: [id] });
  return row?.[0] ? { type: 'dcim.interface', id: Number(row[0]) } : undefined;
}

/** A path that ends in between is filled up to whole segments: one that stops at a port, one that leads from a circuit to where it is attached. */
function padded(steps: Named[][]): Named[][] {
  if (steps.length % 3 === 1) return [...steps, [], []];
  return steps.length % 3 === 2 ? [...steps.slice(0, -1), [], steps.at(-1)!] : steps;
}

function segmentsOf(steps: Named[][]): Segment[] {
  const segments: Segment[] = [];
  for (let i = 0; i + 2 < steps.length && steps[i]!.length; i += 3) segments.push([steps[i]!, steps[i + 1]![0], steps[i + 2]!]);
  return segments;
}

const json = (cell: Cell | undefined): string => JSON.stringify(cell ?? null);

/** Cables as a trace shows them: choices as their values alone. */
async function cablesOf({ pool, tables }: Engine, ids: number[], base: string): Promise<Map<number, string>> {
  const rows = ids.length ? await rowsOf(pool, {
    text: `select t.id, t.type, t.status, t.label, t.color, t.length::float8, t.length_unit, t.description from ${tables.nameOf('dcim.cable')} t where t.id = any($1::bigint[])`, values: [ids],
  }) : [];
  return new Map(rows.map(([id, type, status, label, color, length, unit, description]) => [Number(id),
    `{"id":${id},"url":"${base}/api/dcim/cables/${id}/","type":${json(type)},"status":${json(status)},"label":${json(label)},"color":${json(color)},"length":${length ?? 'null'},"length_unit":${json(unit)},"description":${json(description)}}`]));
}
