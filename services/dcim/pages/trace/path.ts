import type { Shown } from '@cadastre/pages';
import { CABLE, keyOf, type Node } from '../../models/cabling/plant.ts';
import type { Traced } from '../../actions/trace/segments.ts';

/** A path as `paths/` answers it: ends, cables, ends, ends, cables … */
export interface ApiPath {
  id: number;
  path: Shown[][];
  is_active: boolean;
  is_complete: boolean;
  is_split: boolean;
}

/** A path as `trace/` answers it: of each segment ends, a cable, ends. */
export type ApiTrace = [near: Shown[], cable: Shown | null, far: Shown[]][];

/** A path, and what is on it in its brief form, by key. */
export interface Path {
  traced: Traced;
  briefs: Map<string, Shown>;
}

/** What an address in the API leads to: `/api/dcim/rear-ports/3/` → a `dcim.rearport`. */
export function nodeOf(url: string): Node {
  const [, app, list, id] = /\/api\/([^/]+)\/([^/]+)\/(\d+)\/$/.exec(url) ?? [];
  return { type: `${app}.${list?.replaceAll('-', '').replace(/s$/, '')}`, id: Number(id) };
}

function collect(briefs: Map<string, Shown>, all: readonly Shown[]): Node[] {
  return all.map((one) => {
    const node = nodeOf(one.url);
    briefs.set(keyOf(node), one);
    return node;
  });
}

export function fromTrace(trace: ApiTrace, state: Pick<Traced, 'active' | 'complete' | 'split'>): Path {
  const briefs = new Map<string, Shown>();
  const segments = trace.map(([near, cable, far]) => {
    // Several ends may have a cable each; the answer names the first.
    const ids = [cable?.id, ...near.map((end) => (cable ? (end['cable'] as Shown | null)?.id : undefined))];
    const cables = [...new Set(ids)].flatMap((id) => (id === undefined ? [] : [{ type: CABLE, id }]));
    return { near: collect(briefs, near), cables, far: collect(briefs, far) };
  });
  return { traced: { segments, ...state }, briefs };
}

/** Completes the last segment of a path that ends within one. */
export function fromPath({ path, is_active, is_complete, is_split }: ApiPath): Path {
  const briefs = new Map<string, Shown>();
  const steps = path.map((step) => collect(briefs, step));
  if (steps.length % 3 === 2) steps.splice(-1, 0, []);
  const segments: Traced['segments'] = [];
  for (let i = 0; i < steps.length && steps[i]!.length; i += 3)
    if (steps[i + 1]) segments.push({ near: steps[i]!, cables: steps[i + 1]!, far: steps[i + 2] ?? [] });
  return { traced: { segments, active: is_active, complete: is_complete, split: is_split }, briefs };
}
