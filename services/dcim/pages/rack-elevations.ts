import { html, type Html, listed, nothing, numberText, type OwnPage, type PageView } from '@cadastre/pages';
import { contentsOf, type Rack } from './elevation/contents.ts';
import type { Picture } from './elevation/drawing.ts';
import { move, moveForm, type Refused } from './elevation/moving.ts';
import { hiddenIn, occupiedIn } from './elevation/hidden.ts';
import { type Face, FACES } from './elevation/units.ts';
import { asTable, faces, utilization } from './elevation/parts.ts';
import type { Said } from './texts/de.ts';
import { say } from './texts/say.ts';

/** The number of racks side by side, unless the address gives another. */
const USUAL = 10;
const MOST_RACKS = 25;

/** Which faces an address asks for; the front, if it does not say. */
const VIEWS: Readonly<Record<string, { label: Said; faces: readonly Face[] }>> = {
  front: { label: 'Front', faces: ['front'] },
  rear: { label: 'Rear', faces: ['rear'] },
  both: { label: 'Front and rear', faces: FACES },
};
const viewAsked = (query: URLSearchParams): string => (query.get('face')! in VIEWS ? query.get('face')! : 'front');

const numberOf = (text: string | null, usual: number): number => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : usual);

async function racksOf({
  api,
  query,
}: PageView): Promise<{ racks: Rack[]; count: number; limit: number; offset: number }> {
  const limit = Math.max(1, Math.min(MOST_RACKS, numberOf(query.get('limit'), USUAL)));
  const offset = numberOf(query.get('offset'), 0);
  const asked = new URLSearchParams(query);
  asked.delete('face');
  asked.set('limit', String(limit));
  asked.set('offset', String(offset));
  const { results, count } = await api.get<{ results: Rack[]; count: number }>(`/api/dcim/racks/?${asked}`);
  return { racks: results, count, limit, offset };
}

/** The sites and locations that the racks can be narrowed down to. */
async function filters({ api, query, path }: PageView): Promise<Html> {
  const fields = { fields: 'id,display', limit: 1000 };
  const [sites, roles] = await Promise.all([
    listed(api, '/api/dcim/sites/', fields),
    listed(api, '/api/dcim/rack-roles/', fields),
  ]);
  const select = (name: string, label: string, all: { id: number; display: string }[]): Html =>
    html`<label>${label} <select name="${name}"><option value="">${say('Any')}</option>${all.map((one) => html`<option value="${one.id}"${query.get(name) === String(one.id) ? html` selected` : ''}>${one.display}</option>`)}</select></label>`;
  const kept = [...query].filter(([name]) => !['site_id', 'role_id', 'q', 'face', 'offset'].includes(name));
  return html`<form class="picture-filter" method="get" action="${path}">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${select('site_id', say('Site'), sites.results)}${select('role_id', say('Role'), roles.results)}<label>${say('Face')} <select name="face">${Object.entries(VIEWS).map(([value, { label }]) => html`<option value="${value}"${viewAsked(query) === value ? html` selected` : ''}>${say(label)}</option>`)}</select></label><label>${say('Search')} <input type="search" name="q" value="${query.get('q') ?? ''}"></label><button type="submit">${say('Show')}</button></form>`;
}

function pager(
  { query, path }: PageView,
  { count, limit, offset }: { count: number; limit: number; offset: number },
): Html {
  const at = (to: number): string => {
    const next = new URLSearchParams(query);
    next.set('offset', String(to));
    return `${path}?${next}`;
  };
  const upTo = Math.min(count, offset + limit);
  return html`<nav class="pager" aria-label="${say('Racks')}"><span>${say('{from}–{to} of {count} racks', { from: count ? offset + 1 : 0, to: upTo, count })}</span>${offset > 0 ? html`<a rel="prev" href="${at(Math.max(0, offset - limit))}">${say('Previous')}</a>` : nothing}${upTo < count ? html`<a rel="next" href="${at(upTo)}">${say('Next')}</a>` : nothing}</nav>`;
}

async function render(view: PageView, refused?: Refused): Promise<Html> {
  const { api, may, pageOf, choiceLabel, path, query } = view;
  // A filter without a value is ignored.
  for (const [name, value] of [...query]) if (value === '') query.delete(name, value);
  const [page, mayAdd, mayMove, form] = await Promise.all([
    racksOf(view),
    may('add', 'dcim.device'),
    may('change', 'dcim.device'),
    filters(view),
  ]);
  const shown = VIEWS[viewAsked(query)]!.faces;
  const [contents, occupied] = await Promise.all([
    contentsOf(api, page.racks),
    occupiedIn(
      api,
      page.racks.map(({ id }) => id),
    ),
  ]);
  const action = query.size ? `${path}?${query}` : path;
  const movable = contents.devices.filter(({ height }) => height > 0);
  const pictures = page.racks.map((rack): Picture => {
    const devices = contents.devices.filter((one) => one.rack === rack.id);
    return {
      rack,
      devices,
      reservations: contents.reservations.filter((one) => one.rack === rack.id),
      hidden: hiddenIn(occupied.get(rack.id), devices),
      mayAdd,
      mayMove,
      pageOf,
      choiceLabel,
    };
  });
  const more =
    contents.count > contents.devices.length && contents.count > 1000
      ? html`<p class="alert" role="status">${say('These racks hold {count} devices; only the first {most} are drawn.', { count: numberText(contents.count), most: numberText(contents.devices.length) })}</p>`
      : nothing;
  const racks = pictures.map(
    (picture) =>
      html`<li class="elevation"><h2><a href="${pageOf(picture.rack.url) ?? ''}">${picture.rack.display}</a></h2><p class="faint"><a href="${path}?site_id=${picture.rack.site.id}">${picture.rack.site.display}</a></p><p>${utilization(picture)}</p>${faces(picture, shown)}${asTable(picture)}</li>`,
  );
  return html`${form}${more}${racks.length ? html`<ol class="racks">${racks}</ol>` : html`<p class="none">${say('No racks match these filters.')}</p>`}${pager(view, page)}${mayMove && movable.length ? moveForm(view, page.racks, movable, action, refused) : nothing}`;
}

export const pages: readonly OwnPage[] = [
  {
    path: '/dcim/rack-elevations/',
    title: 'Rack elevations',
    menu: 'Racks',
    render: (view) => render(view),
    async post(view) {
      const done = await move(view);
      return typeof done === 'string' ? done : render(view, done);
    },
  },
];
