import {
  html,
  type Html,
  listed,
  listedById,
  MOST,
  type OwnPage,
  type PageView,
  search,
  type Shown,
} from '@cadastre/pages';
import { say } from './texts/say.ts';
import { boxOf, graticule, type Point, pointOf } from './map/projection.ts';

type Site = Shown & { latitude: number; longitude: number; status: { label: string } };
type End = Shown & { circuit: Shown; term_side: string; termination_type: string; termination: Shown | null };

interface Placed {
  site: Site;
  at: Point;
}
/** A circuit between two sites of the map. */
interface Line {
  circuit: Shown;
  from: Placed;
  to: Placed;
}

const LOCATION = 'dcim.location';

/** Circuits with both ends at sites on the map, or at locations in them. */
function linesOf(
  ends: readonly End[],
  sites: ReadonlyMap<number, Placed>,
  locations: ReadonlyMap<number, Shown>,
): Line[] {
  const siteOf = ({ termination_type: type, termination }: End): number | undefined =>
    type === LOCATION
      ? (locations.get(termination?.id ?? 0)?.['site'] as Shown | undefined)?.id
      : type === 'dcim.site'
        ? termination?.id
        : undefined;
  const placed = ends.flatMap((end) => {
    const at = sites.get(siteOf(end) ?? 0);
    return at ? [{ end, at }] : [];
  });
  return [...Map.groupBy(placed, ({ end }) => end.circuit.id).values()].flatMap(([one, other]) =>
    one && other && one.at !== other.at ? [{ circuit: one.end.circuit, from: one.at, to: other.at }] : [],
  );
}

/** The text on the map; the whole of a long name is in the title. */
const MOST_SIGNS = 32;
const short = (name: string): string => {
  const signs = [...name];
  return signs.length > MOST_SIGNS ? `${signs.slice(0, MOST_SIGNS - 1).join('')}…` : name;
};

function drawing(placed: readonly Placed[], lines: readonly Line[], { pageOf, choiceLabel }: PageView): Html {
  const box = boxOf(placed.map(({ at }) => at));
  /** Sizes are relative to the width of the part that is shown, as that fills the picture. */
  const unit = box.width / 1000;
  const n = (value: number): string => value.toFixed(3);
  const grid = graticule(box).map(({ along, at, label }) =>
    along === 'longitude'
      ? html`<path d="M${n(at)} ${n(box.y)}v${n(box.height)}" stroke-width="${n(unit)}"/><text x="${n(at + 4 * unit)}" y="${n(box.y + box.height - 6 * unit)}" font-size="${n(11 * unit)}">${label}</text>`
      : html`<path d="M${n(box.x)} ${n(at)}h${n(box.width)}" stroke-width="${n(unit)}"/><text x="${n(box.x + 4 * unit)}" y="${n(at - 4 * unit)}" font-size="${n(11 * unit)}">${label}</text>`,
  );
  const between = [
    ...Map.groupBy(lines, ({ from, to }) => [from.site.id, to.site.id].toSorted((a, b) => a - b).join()),
  ];
  const drawn = between.map(([, [first, ...more]]) => {
    const { from, to, circuit } = first!;
    const all = [circuit, ...more.map((one) => one.circuit)];
    const href = more.length
      ? `/circuits/circuits/?${search({ id: all.map(({ id }) => id) })}`
      : (pageOf(circuit.url) ?? '');
    const title = `${from.site.display} – ${to.site.display}: ${all.map(({ display }) => display).join(', ')}`;
    const way = `M${n(from.at.x)} ${n(from.at.y)}L${n(to.at.x)} ${n(to.at.y)}`;
    return html`<a class="circuit" href="${href}"><title>${title}</title><path class="wide" d="${way}" stroke-width="${n(10 * unit)}"/><path d="${way}" stroke-width="${n((1.5 + all.length) * unit)}"/></a>`;
  });
  const sites = placed.map(
    ({ site, at }) =>
      html`<a class="site" href="${pageOf(site.url) ?? ''}"><title>${`${site.display}, ${choiceLabel(site.status.label)}`}</title><circle cx="${n(at.x)}" cy="${n(at.y)}" r="${n(7 * unit)}" stroke-width="${n(2 * unit)}"/><text x="${n(at.x)}" y="${n(at.y - 12 * unit)}" font-size="${n(14 * unit)}" stroke-width="${n(4 * unit)}">${short(site.display)}</text></a>`,
  );
  return html`<svg class="map" viewBox="${n(box.x)} ${n(box.y)} ${n(box.width)} ${n(box.height)}" width="1000" height="500" role="group" aria-label="${say('Map of sites and circuits')}"><g class="grid" aria-hidden="true">${grid}</g>${drawn}${sites}</svg>`;
}

/** The same in words. */
function asTable(lines: readonly Line[], { pageOf }: PageView): Html {
  const link = (one: Shown): Html => html`<a href="${pageOf(one.url) ?? ''}">${one.display}</a>`;
  return html`<details class="as-text"><summary>${say('As a table')}</summary><div class="scroll" tabindex="0" role="region" aria-label="${say('Circuits between sites')}"><table class="list"><thead><tr>${[say('Circuit'), say('From'), say('To')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${lines.map(({ circuit, from, to }) => html`<tr><th scope="row">${link(circuit)}</th><td>${link(from.site)}</td><td>${link(to.site)}</td></tr>`)}</tbody></table></div></details>`;
}

/** Sites where they are, and the circuits between them; the filters are those of the list of sites. */
async function render(view: PageView): Promise<Html> {
  const { api, query } = view;
  const asked = (more: Record<string, string>): string => {
    const filters = new URLSearchParams(query);
    for (const [name, value] of Object.entries(more)) filters.set(name, value);
    return `/api/dcim/sites/?${filters}`;
  };
  const [sites, all] = await Promise.all([
    api.get<{ count: number; results: Site[] }>(
      asked({
        latitude__empty: 'false',
        longitude__empty: 'false',
        limit: String(MOST),
        fields: 'id,url,display,status,latitude,longitude',
      }),
    ),
    api.get<{ count: number }>(asked({ limit: '1', fields: 'id' })),
  ]);
  const placed = sites.results.map((site) => ({
    site,
    at: pointOf(Number(site.latitude), Number(site.longitude)),
  }));
  const ids = placed.map(({ site }) => site.id);
  const ends = ids.length
    ? await listed<End>(api, '/api/circuits/circuit-terminations/', {
        site_id: ids,
        fields: 'id,url,display,circuit,term_side,termination_type,termination',
      })
    : { count: 0, results: [] };
  const locations = await listedById(
    api,
    '/api/dcim/locations/',
    ends.results.flatMap((end) => (end.termination_type === LOCATION ? (end.termination?.id ?? []) : [])),
    { fields: 'id,site' },
  );
  const lines = linesOf(ends.results, new Map(placed.map((one) => [one.site.id, one])), locations);
  const rest = all.count - sites.count;
  const notes = [
    sites.count > sites.results.length &&
      say('{count} sites have a latitude and a longitude; only the first {most} are drawn.', {
        count: sites.count,
        most: MOST,
      }),
    ends.count > ends.results.length &&
      say('There are {count} ends of circuits; only the first {most} are drawn.', { count: ends.count, most: MOST }),
    rest &&
      (rest === 1
        ? say('1 of the {all} sites has no latitude or no longitude.', { all: all.count })
        : say('{count} of the {all} sites have no latitude or no longitude.', { count: rest, all: all.count })),
  ].filter(Boolean);
  return html`${notes.map((text) => html`<p class="faint">${String(text)}</p>`)}<div class="zoom" data-zoom="map"><div class="tools" hidden><button type="button" data-do="in" aria-label="${say('Larger')}">+</button><button type="button" data-do="out" aria-label="${say('Smaller')}">−</button><button type="button" data-do="fit">${say('All')}</button><button type="button" data-do="save">${say('Save as SVG')}</button></div><div class="scroll view" tabindex="0" role="region" aria-label="${say('Map')}">${drawing(placed, lines, view)}</div></div>${asTable(lines, view)}`;
}

export const pages: readonly OwnPage[] = [
  { path: '/circuits/map/', title: 'Map of sites and circuits', menu: 'Circuits', render },
];
