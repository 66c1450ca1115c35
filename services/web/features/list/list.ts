import { apiPath, type Model, webPath } from '@cadastre/model';
import type { Cell, Html, PageView } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { chipsOf } from './filters/chips.ts';
import { filterForm } from './filters/filterForm.ts';
import { givenFilters } from './filters/givenFilters.ts';
import { filterLabel } from './filters/controls.ts';
import { listActionsFor } from './actions.ts';
import { addressWith, changed, filtersIn, lasting, orderingIn, selecting } from '../../ui/url/listQuery.ts';
import { columnsForm } from './table/columnsForm.ts';
import { type RowsPage, cachedRows } from './table/rowHtmlCache.ts';
import { doneText } from './done.ts';
import { exportChoices, exported } from './export/export.ts';
import { cellsOf, type Layout, layoutOf, membersFor } from './table/layout.ts';
import { renamedField } from '../../schema/columns.ts';
import { headOf, type Table } from './table/tableRows.ts';
import { pluralLabel, singularLabel, titleLabel } from '../../schema/labels.ts';
import { pager, pageQuery } from '../../ui/url/pager.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import { problemsOf } from '../../client/problems.ts';
import { viewOf } from '../../context/pageView.ts';
import type { ModelPage, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';

/** The parts beside a list, which are rendered only on request. */
const ASIDES = ['filters', 'columns', 'export'] as const;

/** A list of a model's objects: what the API selects by the same parameters, as a table. */
export const listPage = (options: PageOptions): ModelPage => ({
  methods: ['GET'],
  async answer(request, model) {
    const home = webPath(model)!;
    const { query } = request;
    if (!query.has('_filter'))
      return query.has('export') ? exported(request, model) : page(request, model, home, options);
    const filters = givenFilters(query);
    if (!query.has('_find')) return { to: addressWith(home, filters) };
    for (const [name, value] of query) if (name === '_find' || name.startsWith('find.')) filters.append(name, value);
    filters.set('_show', 'filters');
    return page({ ...request, query: filters }, model, home, options);
  },
});

type Found = { answer: string; banners: Html[] } | { problems: Record<string, string> };

/** The content that the model's service adds above its list. */
const bannersOf = (view: PageView, { name }: Model, { parts }: PageOptions): Promise<Html[]> =>
  Promise.all(parts.banners.filter(({ on }) => on === name).map(({ render }) => render(view)));

/** The page of the list that the address asks for, or the refusal of the API. */
async function read(
  { api, query, preferences }: PageRequest,
  model: Model,
  { columns, ordering }: Layout,
  cells: ReadonlyMap<string, Cell>,
  bannersOf: () => Promise<Html[]>,
): Promise<Found> {
  const asked = pageQuery(query, preferences.perPage);
  asked.set('fields', membersFor(columns, cells));
  if (ordering && !orderingIn(query)) asked.set('ordering', ordering);
  try {
    const [answer, banners] = await Promise.all([
      api.text(`${apiPath(model)}?${asked}`, { prefer: 'handling=strict' }),
      bannersOf(),
    ]);
    return { answer, banners };
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    return { problems: problemsOf(error) };
  }
}

/** The submitted values of a form beside the list, and why the API refused them. */
export interface Refused {
  problem: string;
  name: string;
  shared: boolean;
}

/** The list for the address of the request; after a refusal, with the submitted form. */
export async function page(
  request: PageRequest,
  model: Model,
  home: string,
  options: PageOptions,
  refused?: Refused,
): Promise<Answer> {
  const { catalogue, addresses } = options;
  const { query, texts, may } = request;
  const layout = await layoutOf(request, model);
  const { columns } = layout;
  const cells = cellsOf(options, model);
  const view = viewOf(request, addresses);
  const [found, chips, actions] = await Promise.all([
    read(request, model, layout, cells, () => bannersOf(view, model, options)),
    chipsOf(request, model, home),
    listActionsFor(request, model, options),
  ]);
  const problems = 'problems' in found ? found.problems : {};
  const writes = async (action: string): Promise<boolean> => !model.readOnly && (await may(action, model.name));
  const [mayAdd, mayEdit, mayDelete] = await Promise.all(['add', 'change', 'delete'].map(writes));
  const table: Table = {
    model,
    columns,
    home,
    showing: { addresses, catalogue, texts },
    selects: mayEdit! || mayDelete! || actions.length > 0 || model.documents !== undefined,
    edits: mayEdit!,
    cells,
    view,
  };
  const list: RowsPage | undefined = 'answer' in found ? cachedRows(found.answer, table) : undefined;
  const asked = query.get('_show');
  const show = list ? ASIDES.find((one) => one === asked) : 'filters';
  const filters = selecting(query);
  return {
    view: 'list',
    title: pluralLabel(model),
    status: list && !refused ? 200 : 400,
    // The whole page can be cached only if its rows can.
    again: list !== undefined && !cells.size && show === undefined,
    data: {
      home,
      label: singularLabel(model),
      plural: pluralLabel(model),
      heads: columns.map((name) => headOf(name, table, query)),
      selects: table.selects,
      edits: table.edits,
      banners: 'banners' in found ? found.banners : [],
      actions: actions.map((one) => ({ ...one, title: titleLabel(one.title) })),
      list,
      pager: list && pager(list, home, query, request.preferences.perPage),
      searches: 'q' in catalogue.filtersOf(model),
      q: query.get('q') ?? '',
      applied: filtersIn(query).length > 0,
      kept: [...lasting(query)].filter(([name]) => !['q', 'offset', 'page'].includes(name)),
      chips,
      problems: Object.entries(problems).map(([name, text]) => (name ? `${filterLabel(name)}: ${text}` : text)),
      done: doneText(query, texts, model),
      selection: filters,
      refused,
      show,
      asides: ASIDES.map((name) => ({
        name,
        here: name === show,
        href: changed(home, query, {}),
        open: addressWith(home, new URLSearchParams([...lasting(query), ['_show', name]])),
      })),
      here: changed(home, query, {}),
      filters: show === 'filters' ? await filterForm(request, model, home, chips, problems) : undefined,
      columnsForm: show === 'columns' ? await columnsForm(request, model, columns, home) : undefined,
      exports: show === 'export' ? await exportChoices(request, model, home) : undefined,
      maySave: catalogue.has('extras.savedfilter') && (await may('add', 'extras.savedfilter')),
      documents: model.documents !== undefined,
      mayAdd,
      mayEdit,
      mayDelete,
      mayRename: mayEdit && renamedField(model) !== undefined,
    },
  };
}
