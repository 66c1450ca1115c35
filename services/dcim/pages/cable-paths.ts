import { html, type Html, type Panel, type PanelView, type Shown } from '@cadastre/pages';
import { layoutOf } from '../actions/trace/layout.ts';
import { sceneOf } from '../actions/trace/sceneOf.ts';
import { keyOf, PATH_ENDPOINTS } from '../models/cabling/plant.ts';
import { say } from './texts/say.ts';
import { drawing } from './trace/drawing.ts';
import { knownOf } from './trace/known.ts';
import { type ApiPath, type ApiTrace, fromPath, fromTrace, nodeOf, type Path } from './trace/path.ts';
import { asText } from './trace/text.ts';

/** The most paths over one object that are drawn. */
const MOST_PATHS = 20;

const apiOf = ({ url }: Shown): string => new URL(url, 'http://local').pathname;
const hasCable = (object: Shown): boolean => object['cable'] !== null && object['cable'] !== undefined;

/** Paths without duplicates, which are the same path seen from the other end. */
function distinct(paths: readonly Path[]): Path[] {
  const been = new Set<string>();
  return paths.filter(({ traced: { segments } }) => {
    const steps = segments.flatMap(({ near, cables, far }) =>
      [near, cables, far].map((step) => step.map(keyOf).toSorted().join()),
    );
    been.add(steps.join(' '));
    return steps.length < 2 || !been.has(steps.toReversed().join(' '));
  });
}

async function drawn(view: PanelView, paths: readonly Path[]): Promise<Html> {
  const { object } = view;
  if (!paths.length) return html`<p class="none">${say('No path leads over this object.')}</p>`;
  const known = await knownOf(view, paths);
  return html`${paths.map(({ traced, briefs }) => {
    const first = traced.segments[0]?.near[0] ?? nodeOf(object.url);
    const from = briefs.size ? first : nodeOf(object.url);
    const scene = sceneOf(from, traced, known);
    return html`<section class="panel path"><h2>${scene.title}</h2><div class="scroll plain" tabindex="0" role="region" aria-label="${scene.title}">${drawing(layoutOf(scene), scene.outcome)}</div>${asText(scene)}</section>`;
  })}`;
}

/** Whether a path that is not complete stops because it could go on in several ways. */
async function isSplit({ api }: PanelView, trace: ApiTrace): Promise<boolean> {
  const [last] = trace.at(-1)?.[2] ?? [];
  if (!last || !/-ports\/\d+\/$/.test(last.url) || !/\/(front|rear)-ports\//.test(last.url)) return false;
  return (await api.get<ApiPath[]>(`${apiOf(last)}paths/`)).some(({ is_split }) => is_split);
}

const trace = (on: string): Panel => ({
  on,
  as: 'tab',
  name: 'trace',
  title: 'Trace',
  has: hasCable,
  async render(view) {
    const { api, object } = view;
    const answer = await api.get<ApiTrace>(`${apiOf(object)}trace/`);
    const complete = Boolean((object['connected_endpoints'] as Shown[] | null)?.length);
    const active = object['connected_endpoints_reachable'] === true;
    const split = !complete && (await isSplit(view, answer));
    return drawn(view, [fromTrace(answer, { active, complete, split })]);
  },
});

/** A tab for objects that paths pass through; there may be several paths over one object. */
const paths = (on: string): Panel => ({
  on,
  as: 'tab',
  name: 'trace',
  title: 'Paths',
  has: hasCable,
  async render(view) {
    const all = await view.api.get<ApiPath[]>(`${apiOf(view.object)}paths/`);
    const more =
      all.length > MOST_PATHS
        ? html`<p class="alert" role="status">${say('{count} paths lead over this object; the first {most} are drawn.', { count: all.length, most: MOST_PATHS })}</p>`
        : html``;
    return html`${more}${await drawn(view, distinct(all.slice(0, MOST_PATHS).map(fromPath)))}`;
  },
});

export const panels: readonly Panel[] = [
  ...PATH_ENDPOINTS.map(trace),
  ...['dcim.frontport', 'dcim.rearport', 'circuits.circuittermination'].map(paths),
];
