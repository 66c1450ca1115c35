import { html, listed, type Panel, type Shown } from '@cadastre/pages';

/** The sites of the same region, on the page of a site. */
export const panels: Panel[] = [
  {
    on: 'dcim.site',
    as: 'panel',
    name: 'neighbours',
    title: 'Sites of the same region',
    has: (site) => site['region'] !== null,
    async render({ api, object, pageOf }) {
      const region = (object['region'] as Shown).id;
      const wanted = { region_id: region, id__n: object.id, limit: 20, brief: true };
      const { results } = await listed(api, '/api/dcim/sites/', wanted);
      if (!results.length) return undefined;
      return html`<ul>${results.map((one) => html`<li><a href="${pageOf(one.url)}">${one.display}</a></li>`)}</ul>`;
    },
  },
];
