import type { Model } from '@cadastre/model';
import { shown } from '../cells.ts';
import { html, type Html } from '@cadastre/pages';
import { allColumns, titleColumn, usualColumns } from '../model/columns.ts';
import { apiPath, webPath } from '../model/addresses.ts';
import { fieldLabel, pluralLabel, singularLabel } from '../model/labels.ts';
import type { PagesOptions } from '../pages.ts';
import type { Listed } from '@cadastre/pages';
import { pager, pageQuery } from '../pager.ts';
import type { ModelPage, Shown } from '../visit.ts';

/** Parameters of the address that are about the page and not about the objects. */
const ABOUT_PAGE = new Set(['limit', 'offset', 'ordering', 'columns', 'per_page', 'page', 'sort', 'q']);

/** A list of a model's objects: what the API selects by the same parameters, as a table. */
export const listPage = ({ catalogue, addresses }: PagesOptions): ModelPage => ({
  methods: ['GET'],
  async answer(visit, model) {
    const { query, api, texts, may } = visit;
    const home = webPath(model)!;
    const columns = columnsOf(model, query.get('columns'));
    const list = await api.get<Listed<Shown>>(`${apiPath(model)}?${pageQuery(query)}`);
    const showing = { addresses, texts };
    const title = titleColumn(model);
    const rows = list.results.map((one) => rowOf(one, model, columns, title, home, showing));
    const applied = [...query].filter(([name]) => !ABOUT_PAGE.has(name));
    return {
      view: 'list',
      title: pluralLabel(model),
      data: {
        home,
        label: singularLabel(model),
        plural: pluralLabel(model),
        heads: columns.map((name) => headOf(model, name, query, home)),
        columns: allColumns(model),
        rows,
        list,
        pager: pager(list, home, query),
        searches: 'q' in catalogue.filtersOf(model),
        q: query.get('q') ?? '',
        applied: applied.map(([name, value]) => ({
          name,
          label: fieldLabel(name.replace(/_id$/, '')),
          value,
          without: `${home}?${without(query, name, value)}`,
        })),
        mayAdd: !model.readOnly && (await may('add', model.name)),
      },
    };
  },
});

const columnsOf = (model: Model, asked: string | null): string[] => {
  const known = new Set(allColumns(model));
  const wanted = (asked ?? '').split(',').filter((name) => known.has(name));
  return wanted.length ? wanted : usualColumns(model);
};

function rowOf(
  one: Shown,
  model: Model,
  columns: readonly string[],
  title: string,
  home: string,
  showing: Parameters<typeof shown>[2],
): Html {
  const cells = columns.map((name) =>
    name === title
      ? html`<th scope="row"><a href="${home}${one.id}/">${String(one[name] ?? '') || one.display}</a></th>`
      : html`<td data-label="${fieldLabel(name)}">${shown(one[name], model.fields[name], showing)}</td>`,
  );
  return html`<tr>${cells}</tr>`;
}

/** The head of a column: by those that the database can sort by, the list is sorted. */
function headOf(model: Model, name: string, query: URLSearchParams, home: string) {
  const field = model.fields[name];
  const sortable = name === 'id' || field?.column !== undefined;
  const ordering = query.get('ordering');
  const now = ordering === name ? 'ascending' : ordering === `-${name}` ? 'descending' : undefined;
  const next = new URLSearchParams(query);
  next.set('ordering', now === 'ascending' ? `-${name}` : name);
  next.delete('offset');
  return {
    label: name === 'display' ? fieldLabel('name') : fieldLabel(name),
    sort: now,
    href: sortable ? `${home}?${next}` : undefined,
  };
}

function without(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete(name, value);
  next.delete('offset');
  return next;
}
