import { html, type Html, listed, type OwnPage, type PageView, type Panel, type Shown } from '@cadastre/pages';
import { say } from './texts/say.ts';
import { KINDS, kindsIn, picture } from './topology/picture.ts';

/** The fields of this page's filter form; other filters of the device list are kept. */
const FIELDS = ['site_id', 'location_id', 'rack_id', 'role_id', 'kind'];

/** The filters for devices; locations and racks are those of the chosen site. */
async function filters({ api, query }: PageView): Promise<Html> {
  const fields = { fields: 'id,display' };
  const site = query.getAll('site_id');
  const [sites, roles, locations, racks] = await Promise.all([
    listed(api, '/api/dcim/sites/', fields),
    listed(api, '/api/dcim/device-roles/', fields),
    site.length ? listed(api, '/api/dcim/locations/', { ...fields, site_id: site }) : undefined,
    site.length ? listed(api, '/api/dcim/racks/', { ...fields, site_id: site }) : undefined,
  ]);
  const select = (name: string, label: string, all: readonly Shown[] | undefined): Html =>
    all?.length
      ? html`<label>${label} <select name="${name}"><option value="">${say('Any')}</option>${all.map((one) => html`<option value="${one.id}"${query.getAll(name).includes(String(one.id)) ? html` selected` : ''}>${one.display}</option>`)}</select></label>`
      : html``;
  const kinds = kindsIn(query);
  const boxes = KINDS.map(
    ([kind, label]) =>
      html`<label class="check"><input type="checkbox" name="kind" value="${kind}"${kinds.has(kind) ? html` checked` : ''}> ${say(label)}</label>`,
  );
  const kept = [...query].filter(([name]) => !FIELDS.includes(name));
  return html`<form class="picture-filter" method="get" action="/dcim/topology/">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${select('site_id', say('Site'), sites.results)}${select('location_id', say('Location'), locations?.results)}${select('rack_id', say('Rack'), racks?.results)}${select('role_id', say('Role'), roles.results)}<fieldset><legend>${say('Cables')}</legend>${boxes}</fieldset><button type="submit">${say('Show')}</button></form>`;
}

const page: OwnPage = {
  path: '/dcim/topology/',
  title: 'Topology',
  menu: 'Connections',
  async render(view) {
    const { query } = view;
    // A filter without a value is ignored.
    for (const [name, value] of [...query]) if (value === '') query.delete(name, value);
    const asked = new URLSearchParams(query);
    asked.delete('kind');
    const [form, drawn] = await Promise.all([filters(view), picture(view, asked, kindsIn(query))]);
    return html`${form}${drawn}`;
  },
};

/** The topology of a place, on its own page. */
const tab = (on: string, filter: string): Panel => ({
  on,
  as: 'tab',
  name: 'topology',
  title: 'Topology',
  async render(view) {
    const { object, query, path } = view;
    const kinds = kindsIn(query);
    const links = KINDS.map(
      ([kind, label]) =>
        html`<li><a href="${path}?kind=${kind}"${kinds.has(kind) ? html` aria-current="true"` : ''}>${say(label)}</a></li>`,
    );
    const drawn = await picture(view, new URLSearchParams({ [filter]: String(object.id) }), kinds);
    return html`<ul class="kinds">${links}<li><a href="/dcim/topology/?${filter}=${object.id}">${say('More filters')}</a></li></ul>${drawn}`;
  },
});

export const pages: readonly OwnPage[] = [page];
export const panels: readonly Panel[] = [
  tab('dcim.site', 'site_id'),
  tab('dcim.location', 'location_id'),
  tab('dcim.rack', 'rack_id'),
];
