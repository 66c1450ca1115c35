import type { Model } from '@cadastre/model';
import { html, type Listed } from '@cadastre/pages';
import { shown } from '../cells.ts';
import { apiPath, webPath } from '../model/addresses.ts';
import { titleColumn, usualColumns } from '../model/columns.ts';
import { fieldLabel, pluralLabel, singularLabel } from '../model/labels.ts';
import { headOf } from '../objects/head.ts';
import { fillsIn, type Referring, referringTo } from '../objects/referring.ts';
import type { PagesOptions } from '../pages.ts';
import { pager, pageQuery } from '../pager.ts';
import type { ModelPage, Shown } from '../visit.ts';

/** The parts of an object of one kind, found by their model's path; undefined where it has none such. */
export function childPage(options: PagesOptions, model: Model, name: string): ModelPage | undefined {
  const child = referringTo(options.catalogue, model.name).find((one) => one.child && one.model.path === name);
  return child && pageOfChild(options, child);
}

/** A tab that is a list of an object's parts. */
const pageOfChild = (options: PagesOptions, child: Referring): ModelPage => ({
  methods: ['GET'],
  async answer(visit, model, id) {
    const { api, query, texts, may } = visit;
    const { model: of, page } = child;
    const about = child.query(id) ?? '';
    const [object, list] = await Promise.all([
      api.get<Shown>(`${apiPath(model)}${id}/`),
      api.get<Listed<Shown>>(`${apiPath(of)}?${about}&${pageQuery(query, visit.preferences.perPage)}`),
    ]);
    const head = await headOf(visit, model, object, options);
    const title = titleColumn(of);
    const columns = usualColumns(of).filter((column) => column !== child.field);
    const showing = { addresses: options.addresses, texts };
    const home = webPath(of);
    const rows = list.results.map((one) => {
      const text = String(one[title] ?? '') || one.display;
      const cells = columns.map((column) =>
        column === title
          ? html`<th scope="row">${home ? html`<a href="${home}${one.id}/">${text}</a>` : text}</th>`
          : html`<td>${shown(one[column], of.fields[column], showing)}</td>`,
      );
      return html`<tr>${cells}</tr>`;
    });
    const mayAdd = page !== undefined && !of.readOnly && (await may('add', of.name));
    return {
      view: 'child',
      title: object.display,
      data: {
        ...head,
        caption: pluralLabel(of),
        one: singularLabel(of),
        heads: columns.map((column) => fieldLabel(column === 'display' ? 'name' : column)),
        rows,
        list,
        all: page && `${page}?${about}`,
        add: mayAdd ? `${page}add/?${fillsIn(model.name, child, id)}` : undefined,
        pager: pager(list, `${head.address}${of.path}/`, query, visit.preferences.perPage),
      },
    };
  },
});
