import { readQuery } from '@cadastre/body';
import type { Cell, Model } from '@cadastre/model';
import {
  type ActionHandler,
  anyBrief,
  arrayOf,
  briefsOf,
  type Engine,
  type Named,
  READ,
  recordOf,
  rowsOf,
  requireVisible,
} from '@cadastre/rest';
import { MEDIA_TYPES, renderedHeaders, renderingOf, renderParameter } from '../render.ts';
import { draw } from './draw.ts';
import { loadPathDetails } from './pathDetails.ts';
import { layoutOf } from './layout.ts';
import { sceneOf } from './sceneOf.ts';
import { type Segment, tracedFrom } from './segments.ts';

const SEGMENT_CABLE = recordOf({
  id: { type: 'integer' },
  url: { type: 'string', format: 'uri' },
  display_url: { type: 'string', format: 'uri' },
  type: { type: ['string', 'null'] },
  status: { type: 'string' },
  label: { type: 'string' },
  color: { type: 'string' },
  length: { type: ['number', 'null'] },
  length_unit: { type: ['string', 'null'] },
  description: { type: 'string' },
});
// Not declared as a tuple (`prefixItems`), which generated clients and tools interpret differently or not at all.
const TRACE = arrayOf({
  type: 'array',
  description: 'Ends, the cable between them, the ends at its other side.',
  items: { anyOf: [arrayOf(anyBrief), SEGMENT_CABLE, { type: 'null' }] },
  minItems: 3,
  maxItems: 3,
});

/**
 * GET …/<id>/trace/ of objects where paths begin and end: the path from there, segment by segment as JSON, or as a
 * drawing.
 */
export const traceAction = (engine: Engine, model: Model): ActionHandler => ({
  methods: READ,
  operations: {
    GET: {
      summary: `Trace the path from a ${model.label}`,
      parameters: [renderParameter('Segments as JSON, or a drawing.')],
      answer: TRACE,
      also: [MEDIA_TYPES.svg],
    },
  },
  async handle(request, id) {
    const rendering = renderingOf(readQuery(request.search, engine.settings.maxParameters));
    const from = await requireVisible(engine, model, id, request);
    const traced = await tracedFrom(engine, from);
    let body: string;
    if (rendering === 'svg') {
      const scene = sceneOf(from, traced, await loadPathDetails(engine, from, traced, request));
      body = draw(layoutOf(scene), scene.outcome);
    } else body = await textOf(engine, traced.segments, request.base);
    return { status: 200, headers: { Allow: READ.join(', '), ...renderedHeaders(rendering) }, body };
  },
});

/** JSON text of a path: for each segment the near ends, the first cable, and the far ends. */
async function textOf(engine: Engine, segments: readonly Segment[], base: string): Promise<string> {
  const brief = await briefsOf(
    await engine.readContext(),
    segments.flatMap(({ near, far }) => [...near, ...far]),
    base,
  );
  const cables = await cablesOf(
    engine,
    segments.flatMap(({ cables: [first] }) => first?.id ?? []),
    base,
  );
  const list = (nodes: readonly Named[]): string => `[${nodes.flatMap((node) => brief(node) ?? []).join(',')}]`;
  return `[${segments.map(({ near, cables: [first], far }) => `[${list(near)},${(first && cables.get(first.id)) ?? 'null'},${list(far)}]`).join(',')}]`;
}

const json = (cell: Cell | undefined): string => JSON.stringify(cell ?? null);

/** Cables as a trace shows them: choices as their values alone. */
async function cablesOf({ pool, tables }: Engine, ids: number[], base: string): Promise<Map<number, string>> {
  const rows = ids.length
    ? await rowsOf(pool, {
        text: `select t.id, t.type, t.status, t.label, t.color, t.length::float8, t.length_unit, t.description from ${tables.nameOf('dcim.cable')} t where t.id = any($1::bigint[])`,
        values: [ids],
      })
    : [];
  return new Map(
    rows.map(([id, type, status, label, color, length, unit, description]) => [
      Number(id),
      `{"id":${id},"url":"${base}/api/dcim/cables/${id}/","display_url":"${base}/dcim/cables/${id}/","type":${json(type)},"status":${json(status)},"label":${json(label)},"color":${json(color)},"length":${length ?? 'null'},"length_unit":${json(unit)},"description":${json(description)}}`,
    ]),
  );
}
